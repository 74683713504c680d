import type { ExtractedText, ExtractionStatus, OutlineEntry, PageStart } from './extracted-text';
import { countWords } from './text/clean-text';
import type { MarkdownWriter } from './text/markdown-writer';
import { bothLosses, lossOf, type SignCounts, type TextLoss } from './text/sign-counts';

/** What an engine found; the rest follows from it. */
export interface Found {
  readonly engine: string;
  readonly markdown: string;
  readonly outline: readonly OutlineEntry[];
  readonly page_map?: readonly PageStart[];
  readonly pages?: number | null;
  readonly truncated: boolean;
  readonly metadata?: Readonly<Record<string, string>>;
  /** Why there is no text, where there is none. */
  readonly whenEmpty: string;
  /** The words of the file as a simpler way finds them, which shares no code with what wrote the markdown. */
  readonly source?: SignCounts | undefined;
  /** What the engine itself knows that it could not read. */
  readonly unread?: TextLoss | undefined;
  /** The encoding of the file, where it was guessed. */
  readonly guessed?: string | undefined;
}

const TRUNCATED = 'The file is longer than the limit for one file. Only the beginning of its text is used.';

const guess = (encoding: string): string =>
  `The character encoding of the file is uncertain. It was read as ${encoding}, the most likely one. If characters are wrong, save the file as UTF-8 and upload it again.`;

/** The result of an engine that could read the file. */
export function resultOf({
  engine,
  markdown,
  outline,
  page_map = [],
  pages = null,
  truncated,
  metadata = {},
  whenEmpty,
  source,
  unread,
  guessed,
}: Found): ExtractedText {
  const words = countWords(markdown);
  const loss = bothLosses(source && !truncated ? lossOf(source, markdown) : null, unread) ?? null;
  const lost = { loss, ...(loss ? { file_words: Math.max(words, source?.total ?? 0) } : {}) };
  if (words === 0) return { ...noText('empty', engine, whenEmpty), pages, metadata, ...lost };
  const reasons = [...(truncated ? [TRUNCATED] : []), ...(guessed === undefined ? [] : [guess(guessed)])];
  const reason = reasons.length === 0 ? null : reasons.join(' ');
  return { status: 'ready', markdown, outline, page_map, pages, words, truncated, ...lost, reason, metadata, engine };
}

/** What a writer put together. */
export const foundBy = (writer: MarkdownWriter): Pick<Found, 'markdown' | 'outline' | 'page_map' | 'truncated'> => ({
  markdown: writer.markdown,
  outline: writer.outline,
  page_map: writer.pageMap,
  truncated: writer.full,
});

/** A file without text, and the sentence that says why. */
export const noText = (status: Exclude<ExtractionStatus, 'ready'>, engine: string, reason: string): ExtractedText => ({
  status,
  markdown: '',
  outline: [],
  page_map: [],
  pages: null,
  words: 0,
  truncated: false,
  loss: null,
  reason,
  metadata: {},
  engine,
});
