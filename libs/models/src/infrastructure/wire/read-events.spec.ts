import type { JsonObject, JsonValue } from '@atrium/platform/kernel';
import { readEvents, type WireEvents } from './read-events';

/** Each event as it is; what is read is counted. */
class Counted implements WireEvents {
  count = 0;
  readEvent(data: string): readonly JsonValue[] {
    this.count++;
    return [data];
  }
  readEnd(): readonly JsonValue[] {
    return [];
  }
}

async function read(
  chunks: Iterable<string>,
  events = new Counted(),
  unfolded: (answer: JsonObject) => JsonObject[] = () => [],
): Promise<string> {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(encoder.encode(chunk));
      controller.close();
    },
  });
  const decoder = new TextDecoder();
  let text = '';
  const reader = readEvents(body, events, unfolded).getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) text += decoder.decode(next.value, { stream: true });
  return text;
}

describe('a stream of events', () => {
  it.each(['data:1\n\n', '{}\n'])('lets others have their turn, however many events come at once: %j', async (event) => {
    let others = 0;
    const events = new Counted();
    let isReading = true;
    const other = (): void => {
      others++;
      if (isReading) setImmediate(other);
    };
    setImmediate(other);
    await read([event.repeat(1_000_000)], events);
    isReading = false;
    expect(events.count).toBeGreaterThanOrEqual(1_000_000);
    expect(others).toBeGreaterThan(3);
  });

  it('reads blanks before its first event once, however many pieces they come in', async () => {
    let seen = 0;
    const spies = (['trim', 'trimStart'] as const).map((name) => {
      const trimmed = String.prototype[name];
      return jest.spyOn(String.prototype, name).mockImplementation(function (this: string) {
        seen += this.length;
        return trimmed.call(this);
      });
    });
    const blanks = 2_000;
    const text = await read([...Array.from({ length: blanks }, () => '\n'), 'data: 1\n\n']);
    for (const spy of spies) spy.mockRestore();
    expect(text).toBe('data: "1"\n\n');
    expect(seen).toBeLessThan(blanks * 2);
  });

  it.each([1, 3, 4_095, 4_097, 100_000])('is the same in pieces of %d', async (size) => {
    const long = 'x'.repeat(9_000);
    const body = `\n \r\n\nevent: a\r\ndata: ${long}\r\n\r\ndata: 1\ndata: 2\n\n: none\n\n${'data: y\n\n'.repeat(600)}data: end`;
    const pieces = Array.from({ length: Math.ceil(body.length / size) }, (_, at) => body.slice(at * size, (at + 1) * size));
    const heard = [long, '1\n2', ...Array.from({ length: 600 }, () => 'y'), 'end'];
    expect(await read(pieces)).toBe(heard.map((data) => `data: ${JSON.stringify(data)}\n\n`).join(''));
  });

  it.each([1, 1_000])('may be one answer as JSON behind blanks, in pieces of %d', async (size) => {
    const body = ` \n{"a":[1,"${'x'.repeat(100)}"]}`;
    const pieces = Array.from({ length: Math.ceil(body.length / size) }, (_, at) => body.slice(at * size, (at + 1) * size));
    const text = await read(pieces, new Counted(), (answer) => [answer]);
    expect(text).toBe(`data: ${JSON.stringify(body.trim())}\n\n`);
  });
});
