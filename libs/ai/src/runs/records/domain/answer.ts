import { asJson, type JsonValue } from '@atrium/platform/kernel';
import { MOST_PART_BYTES, MOST_PARTS, type MessagePart, type TextPart, type ToolPart } from '../../../threads/domain/message-parts';

/** What followers have been sent: the parts, and the last event that made them. */
export interface SentAnswer {
  readonly parts: readonly MessagePart[];
  readonly id: string | null;
}

/** What changes the parts of an answer; all of them, folded in their order, are the stored parts. */
export type AnswerChange =
  | {
      readonly op: 'delta';
      /** Place of the part; one behind the last begins a new part. */
      readonly part: number;
      readonly kind: 'text' | 'reasoning';
      /** UTF-16 length of the part before the text. */
      readonly offset: number;
      readonly text: string;
    }
  | { readonly op: 'part'; readonly part: number; readonly value: MessagePart }
  | { readonly op: 'reset'; readonly parts: readonly MessagePart[]; readonly reason: 'worker_lost' | 'provider_retry' };

/** The parts after a change. A change that does not fit is a mistake in the code that made it. */
export function applyToParts(parts: readonly MessagePart[], change: AnswerChange): readonly MessagePart[] {
  if (change.op === 'reset') return change.parts;
  const before = parts[change.part];
  if (change.part > parts.length) throw new Error(`A change of part ${change.part} does not fit an answer of ${parts.length} parts.`);
  if (change.op === 'part') return [...parts.slice(0, change.part), change.value, ...parts.slice(change.part + 1)];
  if (before && before.kind !== change.kind) throw new Error(`Part ${change.part} is ${before.kind}, not ${change.kind}.`);
  const text = before ? (before as TextPart).text : '';
  if (text.length !== change.offset) throw new Error(`A text at ${change.offset} does not fit a part of ${text.length} characters.`);
  return [...parts.slice(0, change.part), { kind: change.kind, text: text + change.text }, ...parts.slice(change.part + 1)];
}

/** Room that is left of a message for what its end adds: notices, data, the file of a last call. */
const SPARE_PARTS = 4;
const SPARE_BYTES = 128 * 1024;
const FULL_PARTS = MOST_PARTS - SPARE_PARTS;
const FULL_BYTES = MOST_PART_BYTES - SPARE_BYTES;

/**
 * An answer as it grows. Each method applies one change and answers it, so that the parts are always the changes folded, and
 * a client that follows the changes sees what is stored.
 */
export class Answer {
  private current: readonly MessagePart[];
  /** Where the step at hand begins. */
  private begin: number;
  /** Size as JSON, without what is between the parts. */
  private bytes: number;

  constructor(parts: readonly MessagePart[] = []) {
    this.current = parts;
    this.begin = parts.length;
    this.bytes = sizeOf(parts);
  }

  get parts(): readonly MessagePart[] {
    return this.current;
  }

  /** The parts of the step at hand. */
  get stepParts(): readonly MessagePart[] {
    return this.current.slice(this.begin);
  }

  /** Whether no more may be added. */
  get isFull(): boolean {
    return this.current.length >= FULL_PARTS || this.bytes >= FULL_BYTES;
  }

  /** So many parts may still be added. */
  get room(): number {
    return Math.max(0, FULL_PARTS - this.current.length);
  }

  /** Whether so much more as JSON still fits into the message. */
  hasRoomFor(bytes: number): boolean {
    return this.bytes + bytes < FULL_BYTES;
  }

  beginStep(): void {
    this.begin = this.current.length;
  }

  /** More text: of the last part where it is of the kind and of this step, else of a new part. */
  writeText(kind: 'text' | 'reasoning', text: string): AnswerChange {
    const last = this.current.length - 1;
    const open = last >= this.begin ? this.current[last] : undefined;
    const isOpen = open?.kind === kind;
    return this.apply({ op: 'delta', part: isOpen ? last : last + 1, kind, offset: isOpen ? open.text.length : 0, text });
  }

  addPart(value: MessagePart): AnswerChange {
    return this.apply({ op: 'part', part: this.current.length, value });
  }

  replacePart(part: number, value: MessagePart): AnswerChange {
    return this.apply({ op: 'part', part, value });
  }

  /** The call as it is by now: its part replaced, or a new one. */
  setCall(value: ToolPart): AnswerChange {
    const at = this.current.findIndex((part) => part.kind === 'tool' && part.call_id === value.call_id);
    return at < 0 ? this.addPart(value) : this.replacePart(at, value);
  }

  /** Drops what the step at hand said so far. */
  dropStep(reason: 'worker_lost' | 'provider_retry'): AnswerChange {
    return this.apply({ op: 'reset', parts: this.current.slice(0, this.begin), reason });
  }

  private apply(change: AnswerChange): AnswerChange {
    const before = change.op === 'reset' ? undefined : this.current[change.part];
    this.current = applyToParts(this.current, change);
    if (change.op === 'reset') this.bytes = sizeOf(this.current);
    else if (change.op === 'delta' && before) this.bytes += bytesOf(change.text);
    else this.bytes += sizeOf(this.current.slice(change.part, change.part + 1)) - sizeOf(before ? [before] : []);
    return change;
  }
}

/** Bytes of a value as JSON. */
export const bytesOf = (value: JsonValue): number => Buffer.byteLength(JSON.stringify(value));

const sizeOf = (parts: readonly MessagePart[]): number => parts.reduce((sum, part) => sum + bytesOf(asJson(part)), 0);

export const isOpenCall = (part: MessagePart): part is ToolPart =>
  part.kind === 'tool' && (part.state === 'pending' || part.state === 'running');

/** A call as its row has it. */
interface CallEnd extends Pick<ToolPart, 'state'> {
  readonly shown: JsonValue;
  readonly error: string | null;
}

/** The parts with the ends of calls that had ended, though the message that was kept does not show it. */
export const withEnds = (parts: readonly MessagePart[], ends: ReadonlyMap<string, CallEnd>): readonly MessagePart[] =>
  parts.map((part) => {
    const end = isOpenCall(part) ? ends.get(part.call_id) : undefined;
    if (!isOpenCall(part) || !end || end.state === 'pending' || end.state === 'running') return part;
    return { ...part, state: end.state, output: end.shown, ...(end.error === null ? {} : { error: end.error }) };
  });

/** Tool calls that were still open when the run ended did not run. */
export const closedParts = (parts: readonly MessagePart[], ends: ReadonlyMap<string, CallEnd> = new Map()): readonly MessagePart[] =>
  withEnds(parts, ends).map((part) => (isOpenCall(part) ? { ...part, state: 'denied' } : part));

/** What makes the one of the other, part by part; both have as many. */
export const partsChanged = (before: readonly MessagePart[], after: readonly MessagePart[]): readonly AnswerChange[] =>
  after.flatMap((value, part) => (value === before[part] ? [] : [{ op: 'part' as const, part, value }]));
