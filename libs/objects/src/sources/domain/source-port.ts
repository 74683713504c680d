import type { JsonObject } from '@atrium/platform/kernel';
import type { SourceConfig, SourceKind } from './source-config';
import type { SourceRow } from './source-row';

/** Some rows of a source in its own order. */
export interface SourcePage {
  /** Where this page begins, for another worker to begin there. */
  readonly cursor: JsonObject;
  readonly rows: readonly SourceRow[];
  /** Where the next page begins; null behind the last one. */
  readonly next: JsonObject | null;
  /** Rows in all, as the source says by now; null where it does not. */
  readonly total: number | null;
}

/** A pause before a source is asked once more. */
export interface SourceWait {
  /** How often it was asked without an answer. */
  readonly tried: number;
  readonly leftMs: number;
}

/** What is asked of a source. */
export interface SourceQuestion {
  readonly config: SourceConfig;
  readonly credentials: JsonObject | null;
  /** Where to begin; null: at the beginning. */
  readonly cursor: JsonObject | null;
  readonly signal: AbortSignal;
  /** How often the page at the cursor was asked for before without an answer. */
  readonly tried?: number;
  /** Called while the source is waited for, so that the wait counts as work; it may throw, and go on later from the cursor. */
  readonly waiting?: (wait: SourceWait) => Promise<void>;
  /** Asks once only, for people who wait for the answer. */
  readonly once?: boolean;
  /** Bytes that are read of an answer, where only its beginning is shown: a table ends there, a larger page of JSON is refused, and of a database a few rows are read. */
  readonly mostBytes?: number;
}

/** The outside world behind one kind of source. Its faults are problems whose sentences can be shown. */
export interface ObjectSourcePort {
  readonly kind: SourceKind;
  readPages(question: SourceQuestion): AsyncIterable<SourcePage>;
}
