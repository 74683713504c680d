import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/** What a provider streams as one answer, and how it goes wrong. */
export interface StreamedTurn {
  readonly reasoning?: string;
  /** What the provider wants back with the step: with its thoughts, or where it has none, with its first call. */
  readonly signature?: string;
  readonly text?: string;
  /** Tools that it asks for, with their input as it is written: it may be no JSON. */
  readonly calls?: readonly { readonly id?: string; readonly name: string; readonly input: string }[];
  readonly finish?: 'stop' | 'length' | 'filter';
  /** Null: the provider gives no figures. */
  readonly usage?: { readonly input: number; readonly cached?: number; readonly output: number; readonly reasoning?: number } | null;
  /** Before each event. */
  readonly gapMs?: number;
  /** After so many events it says no more until then. */
  readonly hold?: { readonly after: number; readonly until: Promise<unknown> };
  /** Where it goes wrong, and after how many events: the connection breaks within an event, the answer ends as if it were whole, the provider reports an error, or nothing comes any more. */
  readonly wrong?: { readonly after: number; readonly how: 'cut' | 'ended' | 'silent' | 'rate_limit' | 'overloaded' };
}

export const USUAL_USAGE = { input: 120, cached: 0, output: 20, reasoning: 0 } as const;

/** Texts come in pieces of a few words, and so does JSON of tools. */
export const piecesOf = (text: string): string[] => text.match(/[\s\S]{1,12}/g) ?? [];

/** Sends events of a stream as they are, until one goes wrong. */
export async function streamEvents(
  response: ServerResponse,
  events: readonly string[],
  { gapMs = 0, hold, wrong }: StreamedTurn,
  errors: Readonly<Record<'rate_limit' | 'overloaded', string>>,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  for (const [at, event] of events.entries()) {
    if (response.destroyed) return;
    if (gapMs > 0) await pause(gapMs);
    if (hold?.after === at) await hold.until;
    if (wrong?.after !== at) {
      await new Promise<void>((sent) => response.write(event, () => sent()));
      continue;
    }
    if (wrong.how === 'silent') return;
    if (wrong.how === 'ended') return void response.end();
    if (wrong.how === 'cut') return void response.write(event.slice(0, event.length / 2), () => response.destroy());
    return void response.end(errors[wrong.how]);
  }
  response.end();
}
