import type { JsonObject } from '@atrium/platform/kernel';
import type { MessagePart } from '../../../threads/domain/message-parts';
import type { Answer, AnswerChange, SentAnswer } from '../../records/domain/answer';
import type { ToolCallRow } from '../../records/infrastructure/run-steps.repository';

/** What followers of an answer are sent besides changes of its parts. */
export type AnswerNote =
  | { readonly op: 'citations'; readonly citations: readonly JsonObject[] }
  | { readonly op: 'step'; readonly step: number; readonly usage: JsonObject | null }
  | { readonly op: 'wait'; readonly calls: readonly JsonObject[]; readonly reason: 'approval' | 'client' };

/** A call that waits for somebody. */
type WaitingCall = Pick<ToolCallRow, 'call_id' | 'tool' | 'input' | 'waits_for'>;

/** The calls that wait, as followers see them. */
export const waitOf = (waiting: readonly WaitingCall[]): AnswerNote => ({
  op: 'wait',
  calls: waiting.map(({ call_id, tool, input, waits_for }) => ({ call_id, tool, input, waits_for })),
  reason: waiting.some(({ waits_for }) => waits_for === 'approval') ? 'approval' : 'client',
});

/** All of the answer as it is: what followers need once an event did not reach them. */
export interface AnswerSnapshot {
  readonly op: 'snapshot';
  readonly parts: readonly MessagePart[];
}

export type AnswerEvent = AnswerChange | AnswerNote | AnswerSnapshot;

/** The events could not be stored: nobody hears them. */
export const LOST = Symbol('lost');

/** An event, for everybody who follows or for one person alone. */
interface AddressedEvent {
  readonly event: AnswerEvent;
  readonly only_for: string | null;
}

/** Sends events, all of them or none; the id of the last, null where nobody can follow, or `LOST`. */
export type SendEvents = (events: readonly AddressedEvent[]) => Promise<string | null | typeof LOST>;

/** An event that waits for those before it, and the answer as it was with it. */
interface WaitingEvent extends AddressedEvent {
  readonly event: AnswerChange | AnswerNote;
  readonly parts: readonly MessagePart[];
}

/** Events that are stored at once. */
const MOST_AT_ONCE = 50;

/**
 * An answer and those who follow it. Text is gathered and sent a few times a second; all else at once and in order, together with
 * what has come while the events before were being stored. `sent` is always a state that followers have seen whole, so it may be
 * stored with the id of its last event. After an event that could not be stored they are sent all of the answer before anything else.
 */
export class AnswerStream {
  private waiting: { kind: 'text' | 'reasoning'; text: string } | null = null;
  private readonly unsent: WaitingEvent[] = [];
  private timer: NodeJS.Timeout | undefined;
  private lastFlush = 0;
  private reporting: Promise<void> = Promise.resolve();
  private failure: Error | undefined;
  private seen: SentAnswer;
  /** An event was not stored, and followers have not been sent the whole answer since. */
  private isTorn = false;
  private only_for: string | null = null;

  constructor(
    readonly answer: Answer,
    private readonly sendEvents: SendEvents,
    private readonly paceMs: number,
    /** Called once when another attempt has spoken: this one is to end. */
    private readonly superseded: (reason: unknown) => void = () => undefined,
  ) {
    this.seen = { parts: answer.parts, id: null };
  }

  get sent(): SentAnswer {
    return this.seen;
  }

  writeText(kind: 'text' | 'reasoning', text: string): void {
    if (text === '') return;
    if (this.waiting && this.waiting.kind !== kind) this.flush();
    this.waiting = { kind, text: (this.waiting?.text ?? '') + text };
    const due = this.lastFlush + this.paceMs - Date.now();
    if (due <= 0) this.flush();
    else this.timer ??= setTimeout(() => this.flush(), due);
  }

  applyChange(make: (answer: Answer) => AnswerChange): void {
    this.flush();
    this.send(make(this.answer));
  }

  sendNote(note: AnswerNote): void {
    this.flush();
    this.send(note);
  }

  /** From now on what is sent is for one person, whose memories are in it, or for everybody. Who comes in later and reads old events is not shown it. */
  restrictTo(user_id: string | null): void {
    this.only_for = user_id;
  }

  /** Drops text that has not been sent yet. */
  dropUnsent(): void {
    this.waiting = null;
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  /** What the step has said so far is not said. */
  retractStep(): void {
    this.dropUnsent();
    this.applyChange((whole) => whole.dropStep('provider_retry'));
  }

  /** What followers were sent may not have reached all of them: they get the whole answer before anything else. */
  markTorn(): void {
    this.inTurn(() => {
      this.isTorn = true;
      return Promise.resolve();
    });
  }

  /** Sends everything; throws where another attempt has spoken. */
  async sendRemaining(): Promise<SentAnswer> {
    this.flush();
    this.mend();
    await this.reporting;
    if (this.failure !== undefined) throw this.failure;
    // What is stored is whole also while the stream is not: its next event brings followers to it.
    if (this.isTorn) this.seen = { parts: this.answer.parts, id: this.seen.id };
    return this.seen;
  }

  private flush(): void {
    const { waiting } = this;
    this.dropUnsent();
    if (!waiting) return;
    this.lastFlush = Date.now();
    this.send(this.answer.writeText(waiting.kind, waiting.text));
  }

  private send(event: AnswerChange | AnswerNote): void {
    this.unsent.push({ event, parts: this.answer.parts, only_for: this.only_for });
    this.inTurn(() => this.sendWaiting());
  }

  private async sendWaiting(): Promise<void> {
    const all = this.unsent.splice(0, MOST_AT_ONCE);
    const last = all.at(-1);
    if (last) await this.sendAll(all, last);
  }

  /** Sends the whole answer where an event was lost. */
  private mend(): void {
    this.inTurn(async () => {
      if (this.isTorn) await this.sendAll(this.unsent.splice(0), { parts: this.answer.parts, only_for: this.only_for });
    });
  }

  /**
   * Where followers lack something they get the whole answer first, and no change that is part of it. What is lost and part of no answer
   * waits for the next one.
   */
  private async sendAll(all: readonly WaitingEvent[], { parts, only_for }: Omit<WaitingEvent, 'event'>): Promise<void> {
    const notes = all.filter(({ event }) => !isChange(event));
    await this.tellAll(this.isTorn ? [{ event: { op: 'snapshot', parts }, only_for }, ...notes] : all, parts);
    if (this.isTorn) this.unsent.unshift(...notes);
  }

  private async tellAll(events: readonly AddressedEvent[], parts: readonly MessagePart[]): Promise<void> {
    const id = await this.sendEvents(events);
    this.isTorn = id === LOST;
    if (id !== LOST) this.seen = { parts, id: id ?? this.seen.id };
  }

  private inTurn(work: () => Promise<void>): void {
    this.reporting = this.reporting.then(async () => {
      if (this.failure !== undefined) return;
      try {
        await work();
      } catch (error) {
        this.failure = error instanceof Error ? error : new Error('An event was not told.', { cause: error });
        this.superseded(error);
      }
    });
  }
}

const isChange = ({ op }: AnswerChange | AnswerNote): boolean => op === 'delta' || op === 'part' || op === 'reset';
