import type { JsonObject } from '@atrium/platform/kernel';

/** One event of a stream; its id is the `Last-Event-ID` a client resumes with. */
export interface StreamEvent {
  readonly id: string;
  readonly event: JsonObject;
}

/** A stretch of a stream. */
export interface StreamPage {
  /** What comes after the id that was asked for, oldest first. */
  readonly events: readonly StreamEvent[];
  /** Whether that id is still in the stream: only then is nothing missing between it and the events. */
  readonly known: boolean;
  readonly newest: string | null;
}

/** What was appended, as a signal says it. */
export interface StreamNotice {
  /** The newest entry before these. */
  readonly after: string;
  /** Each by its id, in their order. */
  readonly events: readonly (readonly [id: string, event: JsonObject])[];
}

/** Of the writers of one name, only those with the highest token seen may append: a writer that was replaced cannot speak any more. */
export interface Fence {
  readonly name: string;
  readonly token: number;
}

/** Another writer has appended to the stream with a higher token. */
export class StreamFenced extends Error {
  constructor(fence: Fence) {
    super(`A later writer than ${fence.token} of ${fence.name} has appended to the stream.`);
  }
}

/** How long the highest token of a fence is known; a writer that was replaced longer ago than this is long gone. */
export const FENCE_RETENTION_SECONDS = 86_400;
/** How long an event can be read again. */
export const STREAM_RETENTION_SECONDS = 3_600;
/** About how many events a stream keeps; older ones go first. */
export const LONGEST_STREAM = 20_000;
/** How much the clock of the store may be ahead of or behind the one of a process. */
export const CLOCKS_DIFFER_MS = 60_000;
/** Before the first event. */
export const FROM_START = '0';

/** Whether one of two whole numbers, written without leading zeros, is higher: asked for each event and listener. */
export const isHigher = (number: string, other: string): boolean =>
  number.length === other.length ? number > other : number.length > other.length;
