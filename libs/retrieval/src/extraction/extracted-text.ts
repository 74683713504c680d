import type { TextLoss } from './text/sign-counts';

/**
 * What became of a file's text, for good: extracting it again would end the same.
 * - `ready`: there is text · `empty`: the file was read and holds none (a scan, a picture)
 * - `unsupported`: nothing here reads files of this kind · `failed`: protected, damaged or beyond a limit
 */
export type ExtractionStatus = 'ready' | 'empty' | 'unsupported' | 'failed';

/** A heading of the document. */
export interface OutlineEntry {
  /** 1 to 6. */
  readonly level: number;
  readonly title: string;
  /** The page, slide or sheet it is on, from 1; null where a document has none. */
  readonly page: number | null;
  /** Where its line begins in the markdown. */
  readonly char_start: number;
}

/** Where a page, slide or sheet begins in the markdown. Pages without text begin where the next one does. */
export interface PageStart {
  /** From 1. */
  readonly page: number;
  readonly char_start: number;
}

/**
 * The text of a file as markdown without raw HTML. Every offset counts UTF-16 units, as `String.slice` does; the markdown
 * holds no NUL and no half of a surrogate pair.
 */
export interface ExtractedText {
  readonly status: ExtractionStatus;
  /** Empty unless `status` is `ready`. */
  readonly markdown: string;
  /** In the order of the markdown. */
  readonly outline: readonly OutlineEntry[];
  /** In the order of the markdown; empty for documents without pages. */
  readonly page_map: readonly PageStart[];
  /** Pages, slides or sheets of the file, also those beyond a limit; null for documents without pages. */
  readonly pages: number | null;
  readonly words: number;
  /** A limit was met: the markdown is the beginning. */
  readonly truncated: boolean;
  /** Words and numbers of the file that the markdown does not hold, as another and simpler reading counts them; null: none, or it was not counted. */
  readonly loss: TextLoss | null;
  /** Words and numbers of the file, of which some are lost; said with a loss alone. */
  readonly file_words?: number;
  /** Why there is no text, not all of it, or perhaps a wrong one: sentences that a person can act on. */
  readonly reason: string | null;
  /** What the document says of itself: its title, author, language, the keys of its front matter. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Which engine read it, with its version: `pdf/1`. Another engine may read the same bytes differently. */
  readonly engine: string;
}

/** Bounds of one extraction. What is beyond the first two is not read; text beyond the others is left out. */
export interface ExtractionLimits {
  readonly maxFileBytes: number;
  /** Bytes that a package may unpack to, all its parts together. */
  readonly maxUnpackedBytes: number;
  readonly maxPages: number;
  /** Rows of all sheets together. */
  readonly maxRows: number;
  /** UTF-16 units of markdown. */
  readonly maxMarkdown: number;
  /** Milliseconds of a processor that pages may take besides what each of them may. */
  readonly pagesMs: number;
  /** Milliseconds on the clock that a program may take which converts a file, and all attachments of a mail together. */
  readonly clockMs: number;
}

const MIB = 1024 * 1024;

export const EXTRACTION_LIMITS: ExtractionLimits = {
  maxFileBytes: 200 * MIB,
  maxUnpackedBytes: 500 * MIB,
  maxPages: 5_000,
  maxRows: 200_000,
  maxMarkdown: 20 * MIB,
  pagesMs: 20_000,
  clockMs: 240_000,
};

/** One file to read: a local path, its type as the bytes decided it, and the name it was given. */
export interface ExtractionTask {
  readonly path: string;
  readonly type: string;
  readonly name: string;
  readonly limits: ExtractionLimits;
  /** Mails it is attached to, inside each other; none unless said. */
  readonly depth?: number | undefined;
}
