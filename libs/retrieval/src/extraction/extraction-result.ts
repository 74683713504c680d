import type { ExtractedText, ExtractionStatus, OutlineEntry, PageStart } from './extracted-text';
import { countWords } from './text/clean-text';
import type { MarkdownWriter } from './text/markdown-writer';

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
}

const TRUNCATED = 'The file is longer than what is read of one file: its text is the beginning.';

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
}: Found): ExtractedText {
  const words = countWords(markdown);
  if (words === 0) return { ...noText('empty', engine, whenEmpty), pages, metadata };
  const reason = truncated ? TRUNCATED : null;
  return { status: 'ready', markdown, outline, page_map, pages, words, truncated, reason, metadata, engine };
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
  reason,
  metadata: {},
  engine,
});
