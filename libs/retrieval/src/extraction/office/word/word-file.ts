import { mainPart, readXml, relationshipsOf, type Package, type Relationship } from '@atrium/platform/tabular';
import { FIGURES, figureWords } from '../figure-words';
import { partKey } from '../office-package';
import { listsOf } from './lists';
import { Numbering } from './numbering';
import { LISTS_PART } from './shown-lists';
import { stylesOf } from './styles';
import { WordRewriter, type RewriterContext } from './word-rewriter';

/** Parts with words of the document that its converter reads. */
const WITH_WORDS = ['footnotes', 'endnotes'];

const MOST_FIGURES = 500;

/** The files of a document as its converter asks for them. */
export interface WordFile {
  exists(name: string): boolean;
  read(name: string, encoding?: string): Promise<string | Uint8Array>;
}

/** The document with its parts that hold words written again. */
export async function rewriteDocument(
  pack: Package,
  { chunk, mostBytes, what }: Pick<RewriterContext, 'chunk'> & { readonly mostBytes: number; readonly what: string },
): Promise<WordFile> {
  const main = (await mainPart(pack, what)) ?? 'word/document.xml';
  const related = await relationshipsOf(pack, main, what);
  const styles = await stylesOf(pack, partOf(related, 'styles'), what);
  const lists = partOf(related, 'numbering');
  const figure = await figuresOf(pack, related, what);
  const context = { chunk, figure, styles, numbering: new Numbering(await listsOf(pack, lists, what), styles) };
  const parts = new Map<string, string>();
  for (const part of [main, ...WITH_WORDS.map((kind) => partOf(related, kind))]) {
    if (part === undefined || !pack.has(part)) continue;
    const rewriter = new WordRewriter(context);
    await readXml(await pack.stream(part), rewriter, what);
    parts.set(partKey(part), rewriter.toString());
  }
  if (lists !== undefined) parts.set(partKey(lists), LISTS_PART);
  return {
    exists: (name) => pack.has(name),
    read: async (name, encoding) => {
      const part = parts.get(partKey(name));
      if (part !== undefined) return part;
      const bytes = await pack.bytes(name, mostBytes);
      return encoding === undefined ? bytes : new TextDecoder(encoding === 'base64' ? 'utf-8' : encoding).decode(bytes);
    },
  };
}

/** The lines of a figure by a relationship of it. They are written once, however many of these there are. */
async function figuresOf(pack: Package, related: readonly Relationship[], what: string): Promise<RewriterContext['figure']> {
  const parts = new Map<string, string>();
  const lines = new Map<string, readonly string[]>();
  for (const { id, kind, target, external } of related) {
    if (external || !FIGURES.has(kind) || !pack.has(target)) continue;
    const part = partKey(target);
    if (!lines.has(part) && lines.size < MOST_FIGURES) lines.set(part, await figureWords(pack, target, what));
    parts.set(id, part);
  }
  return (id) => {
    const part = parts.get(id) ?? '';
    const found = lines.get(part) ?? [];
    lines.delete(part);
    return found;
  };
}

const partOf = (related: readonly Relationship[], kind: string): string | undefined =>
  related.find((part) => part.kind === kind && !part.external)?.target;
