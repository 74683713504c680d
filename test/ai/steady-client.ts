import { createParser } from 'eventsource-parser';
import { eventually, type Client } from '@atrium/platform/testing';
import { foldedParts, type Part } from './answering';
import type { HeardEvent } from './following';
import { say } from './talking';

/** How long it waits before it connects again; the stream itself asks for a second. */
const AGAIN_MS = 50;

/**
 * A client as the guide describes it: it goes on after the last id that it received, at whichever host answers, starts over
 * where a text does not fit, and reads messages again when `lock` has `resync`. It counts what should not happen.
 */
export class SteadyClient {
  /** Everything that was received, over all connections. */
  readonly heard: HeardEvent[] = [];
  connections = 0;
  /** Texts that did not fit behind what was there. */
  misfits = 0;
  resyncs = 0;
  private last: string | undefined;
  private cut = new AbortController();
  private over = false;
  private turn: number;
  private readonly lengths = new Map<string, number[]>();

  constructor(
    private readonly urls: readonly string[],
    private readonly client: Client,
    readonly thread_id: string,
    /** Asked with each event: whether the connection breaks behind it. */
    private readonly breaks: () => boolean = () => false,
    first = 0,
  ) {
    this.turn = first;
  }

  start(): this {
    void this.follow();
    return this;
  }

  leave(): void {
    this.over = true;
    this.cut.abort();
  }

  /** What the events alone make of an answer. */
  parts(msg_id: string): readonly Part[] {
    return foldedParts(this.heard, msg_id);
  }

  count(satisfies: (event: HeardEvent) => boolean): number {
    return this.heard.filter(satisfies).length;
  }

  hasDone(msg_id: string): boolean {
    return this.heard.some(({ data }) => data.op === 'done' && data.msg_id === msg_id);
  }

  private async follow(): Promise<void> {
    while (!this.over) {
      this.cut = new AbortController();
      const url = this.urls[this.turn++ % this.urls.length] ?? '';
      await this.connection(url).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }

  private async connection(url: string): Promise<void> {
    const response = await fetch(`${url}/api/v1/threads/${this.thread_id}/events`, {
      headers: { ...this.client.headers, ...(this.last === undefined ? {} : { 'Last-Event-ID': this.last }) },
      signal: this.cut.signal,
    });
    if (response.status !== 200) return void (await response.body?.cancel());
    this.connections++;
    let isCut = false;
    const parser = createParser({
      onEvent: ({ event, id, data }) => {
        if (isCut) return;
        isCut = !this.take({ event: event ?? '', id, data: JSON.parse(data) as HeardEvent['data'] }) || this.breaks();
        if (isCut) this.cut.abort();
      },
    });
    const decoder = new TextDecoder();
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) parser.feed(decoder.decode(chunk, { stream: true }));
  }

  /** Whether the event fits; where it does not, the client starts over. */
  private take(one: HeardEvent): boolean {
    const { event, id, data } = one;
    if (event === 'lock' && data.resync === true) this.resyncs++;
    if (event === 'assistant_message' && !this.fits(data)) {
      this.misfits++;
      this.last = undefined;
      return false;
    }
    this.heard.push(one);
    if (id !== undefined) this.last = id;
    return true;
  }

  private fits(data: HeardEvent['data']): boolean {
    const name = String(data.msg_id);
    const { op } = data;
    if (op === 'start' || op === 'snapshot') this.lengths.set(name, lengthsOf((data.message as { msg_parts: Part[] }).msg_parts));
    if (op === 'reset') this.lengths.set(name, lengthsOf(data.parts as Part[]));
    const lengths = this.lengths.get(name) ?? [];
    const at = Number(data.part);
    if (op === 'part') lengths[at] = (data.value as Part).text?.length ?? 0;
    if (op === 'delta') {
      if (at > lengths.length || data.offset !== (lengths[at] ?? 0)) return false;
      lengths[at] = (lengths[at] ?? 0) + String(data.text).length;
    }
    this.lengths.set(name, lengths);
    return true;
  }
}

/** Resolves when all clients have what was sent until now: events come in order, and all have heard one that came behind. */
export async function caughtUp(followers: readonly SteadyClient[], client: Client, thread: string): Promise<void> {
  const said: string[] = [];
  const hears = (one: SteadyClient): boolean =>
    one.heard.some(({ event, data }) => event === 'user_message' && said.includes((data.message as { msg_id: string }).msg_id));
  // An event is lost while its store is away: it is said again.
  await eventually(
    async () => {
      said.push((await say(client, thread, 'Thank you.')).msg_id);
      return followers.every(hears);
    },
    Boolean,
    60_000,
  );
}

const lengthsOf = (parts: readonly Part[]): number[] => parts.map(({ text }) => text?.length ?? 0);
