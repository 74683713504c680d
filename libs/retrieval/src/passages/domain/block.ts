import type { Span } from './sentences';

/** A heading of a document: what follows belongs to it until one of its level or above follows. */
export interface Heading extends Span {
  readonly kind: 'heading';
  readonly level: number;
  readonly title: string;
}

/** A paragraph, list, quote, table or piece of code. */
export interface Body extends Span {
  readonly kind: 'text' | 'list' | 'table' | 'code';
  /** Where it may be cut: items of a list, rows of a table, lines of code. Text is cut by sentences. */
  readonly parts: readonly Span[];
  /** Of a table: its header row with the line below, repeated where the table goes on. */
  readonly head?: Span;
}

/** What a markdown document is made of, in its order. Offsets are of the document. */
export type Block = Heading | Body;
