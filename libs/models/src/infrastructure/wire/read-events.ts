import { createParser } from 'eventsource-parser';
import { LoopTurns, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { saysError } from './error-in';
import { objectOf, parsedJson } from './loose-json';

/** Repairs the events of one answer, so that the protocol library can read them, of any provider. */
export interface WireEvents {
  /** What the library is to read for the data of one event. */
  readEvent(data: string): readonly JsonValue[];
  /** The provider has ended the stream. */
  readEnd(): readonly JsonValue[];
}

/** Characters of one event. */
const MOST_OF_EVENT = 8 * 1024 * 1024;
/** Characters that are read in one go: events may be as short as a line, and others have their turn between them. */
const PIECE = 4_096;

/** The body of a stream as the protocol library reads it. What is no stream of events, but one answer as JSON, is read as well. */
export function readEvents(
  body: ReadableStream<Uint8Array>,
  events: WireEvents,
  unfolded: (answer: JsonObject) => readonly JsonObject[],
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const encoder = new TextEncoder();
  const lines = repaired(reader, events, unfolded);
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const { value, done } = await lines.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

/** The same of a stream that is there as a whole. */
export async function eventsIn(text: string, events: WireEvents): Promise<readonly JsonValue[]> {
  const heard: JsonValue[] = [];
  const turns = new LoopTurns();
  const parser = createParser({ onEvent: ({ data }) => heard.push(...events.readEvent(data)) });
  for (const piece of piecesOf(`${text}\n\n`)) {
    parser.feed(piece);
    if (turns.isOver) await turns.awaitNextTurn();
  }
  return [...heard, ...events.readEnd()];
}

async function* repaired(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  events: WireEvents,
  unfolded: (answer: JsonObject) => readonly JsonObject[],
): AsyncGenerator<string, void> {
  const heard: JsonValue[] = [];
  const parser = createParser({
    onEvent: ({ data }) => heard.push(...events.readEvent(data)),
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded') throw error;
    },
    maxBufferSize: MOST_OF_EVENT,
  });
  const decoder = new TextDecoder();
  const turns = new LoopTurns();
  let [whole, isJson]: [string, boolean | null] = ['', null];
  for (;;) {
    const { value, done } = await reader.read();
    const read = done ? decoder.decode() : decoder.decode(value, { stream: true });
    const text = isJson === null ? read.trimStart() : read;
    if (text !== '') isJson ??= /^[[{]/.test(text);
    if (isJson) whole += text;
    else
      for (const piece of piecesOf(text)) {
        parser.feed(piece);
        if (heard.length > 0) yield wired(heard.splice(0));
        if (turns.isOver) await turns.awaitNextTurn();
      }
    if (done) break;
    if (turns.isOver) await turns.awaitNextTurn();
  }
  if (isJson)
    for (const data of dataIn(whole, unfolded)) {
      heard.push(...events.readEvent(data));
      if (!turns.isOver) continue;
      if (heard.length > 0) yield wired(heard.splice(0));
      await turns.awaitNextTurn();
    }
  // An event that ends with the stream is whole, also without the empty line behind it.
  else parser.feed('\n\n');
  heard.push(...events.readEnd());
  if (heard.length > 0) yield wired(heard);
}

function* piecesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += PIECE) yield text.slice(at, at + PIECE);
}

/** One answer as the data of events; or a line of JSON for each of them. */
function dataIn(text: string, unfolded: (answer: JsonObject) => readonly JsonObject[]): Iterable<string> {
  const value = parsedJson(text.trim());
  if (Array.isArray(value) && value.length > 1) return value.map((event: JsonValue) => JSON.stringify(event));
  const answer = objectOf(Array.isArray(value) ? value[0] : value);
  if (!answer) return linesOf(text);
  return (saysError(answer) ? [answer] : unfolded(answer)).map((event) => JSON.stringify(event));
}

function* linesOf(text: string): Generator<string> {
  for (let at = 0; at <= text.length;) {
    const end = text.indexOf('\n', at);
    const next = end < 0 ? text.length : end;
    yield text.slice(at, next);
    at = next + 1;
  }
}

const wired = (values: readonly JsonValue[]): string => values.map((value) => `data: ${JSON.stringify(value)}\n\n`).join('');
