import type { Nodes, RootContent, Table } from 'mdast';
import type { Block } from '../domain/block';
import type { Span } from '../domain/sentences';

/** Reading costs more than the length when references are looked up: long documents are read in pieces that end between blocks. */
const PIECE = 64 * 1024;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;

type Parse = (markdown: string) => readonly RootContent[];

/** The blocks of a markdown document, in pieces between which others have their turn. */
export async function* blocksOf(markdown: string): AsyncGenerator<readonly Block[]> {
  const parse = await loadParser();
  for (const { start, end } of piecesOf(markdown)) yield parse(markdown.slice(start, end)).flatMap((node) => blockOf(node, start));
}

async function loadParser(): Promise<Parse> {
  const [{ fromMarkdown }, { gfm }, { gfmFromMarkdown }] = await Promise.all([
    import('mdast-util-from-markdown'),
    import('micromark-extension-gfm'),
    import('mdast-util-gfm'),
  ]);
  return (markdown) => fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }).children;
}

/** Cut behind an empty line outside of code, once a piece is long enough. */
function piecesOf(markdown: string): Span[] {
  const pieces: Span[] = [];
  let start = 0;
  let fence: string | null = null;
  for (let at = 0; at < markdown.length;) {
    const newline = markdown.indexOf('\n', at);
    const end = newline < 0 ? markdown.length : newline + 1;
    const line = markdown.slice(at, end);
    const mark = FENCE.exec(line)?.[1];
    if (mark && fence === null) fence = mark;
    else if (mark && fence !== null && mark.startsWith(fence)) fence = null;
    if (fence === null && line.trim() === '' && end - start >= PIECE) {
      pieces.push({ start, end });
      start = end;
    }
    at = end;
  }
  if (start < markdown.length) pieces.push({ start, end: markdown.length });
  return pieces;
}

function blockOf(node: RootContent, from: number): Block[] {
  const span = spanOf(node, from);
  if (!span) return [];
  switch (node.type) {
    case 'heading':
      return [{ kind: 'heading', ...span, level: node.depth, title: wordsOf(node).trim() }];
    case 'list':
      return [{ kind: 'list', ...span, parts: node.children.flatMap((item) => spanOf(item, from) ?? []) }];
    case 'table':
      return [tableOf(node, span, from)];
    case 'code':
      return [{ kind: 'code', ...span, parts: [] }];
    case 'thematicBreak':
      return [];
    default:
      return [{ kind: 'text', ...span, parts: [] }];
  }
}

function tableOf(node: Table, span: Span, from: number): Block {
  const rows = node.children.flatMap((row) => spanOf(row, from) ?? []);
  const [, first] = rows;
  const head = first ? { start: span.start, end: first.start } : undefined;
  return { kind: 'table', ...span, parts: rows.slice(1), ...(head ? { head } : {}) };
}

function spanOf({ position }: Nodes, from: number): Span | null {
  const [start, end] = [position?.start.offset, position?.end.offset];
  return start === undefined || end === undefined ? null : { start: from + start, end: from + end };
}

function wordsOf(node: Nodes): string {
  if ('value' in node) return node.value;
  if ('children' in node) return node.children.map(wordsOf).join('');
  return 'alt' in node ? (node.alt ?? '') : '';
}
