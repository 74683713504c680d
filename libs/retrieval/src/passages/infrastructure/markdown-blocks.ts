import type { Nodes, RootContent, Table } from 'mdast';
import type { Block } from '../domain/block';
import { linesOf, type Span } from '../domain/sentences';
import { piecesOf, type Piece } from './markdown-pieces';

/** What is beyond it says nothing more of what follows. */
const LONGEST_TITLE = 500;

type Parse = (markdown: string) => readonly RootContent[];

/** The blocks of a markdown document, piece by piece. */
export async function* blocksOf(markdown: string): AsyncGenerator<readonly Block[]> {
  const parse = await loadParser();
  for (const piece of piecesOf(markdown)) {
    const { start, end } = piece;
    if (piece.as === 'markdown') yield parse(markdown.slice(start, end)).flatMap((node) => blockOf(node, start));
    else yield [restOf(piece, markdown)];
  }
}

async function loadParser(): Promise<Parse> {
  const [{ fromMarkdown }, { gfm }, { gfmFromMarkdown }] = await Promise.all([
    import('mdast-util-from-markdown'),
    import('micromark-extension-gfm'),
    import('mdast-util-gfm'),
  ]);
  return (markdown) => fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }).children;
}

function restOf({ start, end, as, head }: Piece, markdown: string): Block {
  if (as !== 'table') return { kind: as === 'code' ? 'code' : 'text', start, end, parts: [] };
  return { kind: 'table', start, end, parts: linesOf(markdown.slice(start, end), start), ...(head ? { head } : {}) };
}

function blockOf(node: RootContent, from: number): Block[] {
  const span = spanOf(node, from);
  if (!span) return [];
  switch (node.type) {
    case 'heading':
      return [{ kind: 'heading', ...span, level: node.depth, title: wordsOf(node).trim().slice(0, LONGEST_TITLE).trimEnd() }];
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
