import type { MessagePart } from '../../../threads/domain/message-parts';
import { Answer, applyToParts, type AnswerChange } from '../../records/domain/answer';
import { AnswerStream, LOST, type AnswerEvent, type AnswerNote } from './answer-stream';

const HOUR = 3_600_000;
const isChange = (event: AnswerEvent): event is AnswerChange => event.op === 'delta' || event.op === 'part' || event.op === 'reset';

const step: AnswerNote = { op: 'step', step: 1, usage: null };
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function followed(paceMs = HOUR, answer = new Answer()) {
  const events: AnswerEvent[] = [];
  const stream = new AnswerStream(
    answer,
    (told) => {
      events.push(...told.map(({ event }) => event));
      return Promise.resolve(String(events.length));
    },
    paceMs,
  );
  return { stream, events, seen: (): readonly MessagePart[] => events.filter(isChange).reduce<readonly MessagePart[]>(applyToParts, []) };
}

describe('an answer that is followed', () => {
  it('sends the first words at once and gathers those that follow', async () => {
    const { stream, events } = followed();
    for (const word of ['One ', 'two ', 'three ', 'four']) stream.writeText('text', word);
    await stream.sendRemaining();
    expect(events).toEqual([
      { op: 'delta', part: 0, kind: 'text', offset: 0, text: 'One ' },
      { op: 'delta', part: 0, kind: 'text', offset: 4, text: 'two three four' },
    ]);
  });

  it('sends what it stores, in the order of what happened', async () => {
    const { stream, seen, events } = followed();
    stream.writeText('reasoning', 'Hm');
    stream.writeText('text', 'A');
    stream.writeText('text', 'B');
    stream.applyChange((answer) => answer.addPart({ kind: 'notice', code: 'n', detail: 'd' }));
    stream.writeText('text', 'C');
    stream.sendNote({ op: 'step', step: 1, usage: null });
    const told = await stream.sendRemaining();
    expect(seen()).toEqual(stream.answer.parts);
    expect(told).toEqual({ parts: stream.answer.parts, id: String(events.length) });
    expect(events.map(({ op }) => op)).toEqual(['delta', 'delta', 'part', 'delta', 'step']);
  });

  it('stores at once what comes at once, and what has come in the meantime', async () => {
    const asked: number[] = [];
    const stored: (() => void)[] = [];
    const stream = new AnswerStream(
      new Answer(),
      (events) => {
        asked.push(events.length);
        return new Promise((resolve) => stored.push(() => resolve('1')));
      },
      HOUR,
    );
    stream.writeText('text', 'a');
    stream.sendNote(step);
    await turn();
    for (let more = 0; more < 60; more++) stream.sendNote(step);
    await turn();
    expect(asked).toEqual([2]);
    const settled = stream.sendRemaining();
    for (let round = 0; round < 3; round++) {
      stored.shift()?.();
      await turn();
    }
    await settled;
    expect(asked).toEqual([2, 50, 10]);
  });

  it('has sent no more than what its checkpoint stores', async () => {
    const { stream, seen, events } = followed();
    stream.writeText('text', 'told ');
    stream.writeText('text', 'not yet');
    await turn();
    expect(stream.sent).toEqual({ parts: seen(), id: String(events.length) });
    expect(stream.sent.parts).toEqual([{ kind: 'text', text: 'told ' }]);
  });

  it('keeps its place while the store cannot be reached, and goes on', async () => {
    const ids: (string | null)[] = ['1', null, '3'];
    const stream = new AnswerStream(new Answer(), () => Promise.resolve(ids.shift() ?? null), HOUR);
    stream.writeText('text', 'a');
    await turn();
    stream.applyChange((answer) => answer.addPart({ kind: 'notice', code: 'n', detail: 'd' }));
    expect(await stream.sendRemaining()).toEqual({ parts: stream.answer.parts, id: '1' });
    stream.writeText('text', 'b');
    expect((await stream.sendRemaining()).id).toBe('3');
  });

  it('says nothing more once another attempt has spoken', async () => {
    const told: string[] = [];
    const ended: unknown[] = [];
    const fenced = new Error('fenced');
    const stream = new AnswerStream(
      new Answer(),
      (events) => {
        told.push(...events.map(({ event }) => event.op));
        return told.length > 1 ? Promise.reject(fenced) : Promise.resolve('1');
      },
      0,
      (reason) => ended.push(reason),
    );
    stream.writeText('text', 'a');
    await turn();
    stream.applyChange((answer) => answer.addPart({ kind: 'notice', code: 'n', detail: 'd' }));
    await turn();
    stream.applyChange((answer) => answer.addPart({ kind: 'notice', code: 'n', detail: 'd' }));
    await expect(stream.sendRemaining()).rejects.toBe(fenced);
    expect([told, ended]).toEqual([['delta', 'part'], [fenced]]);
    expect(stream.sent).toEqual({ parts: [{ kind: 'text', text: 'a' }], id: '1' });
  });
});

/** An answer whose store fails when it is asked for the times that the test names, the first of which is 0. */
function lossy(...failing: readonly number[]) {
  const stored: AnswerEvent[] = [];
  const readers: (string | null)[] = [];
  let asked = 0;
  const stream = new AnswerStream(
    new Answer(),
    (events) => {
      if (failing.includes(asked++)) return Promise.resolve(LOST);
      readers.push(...events.map(({ only_for }) => only_for));
      return Promise.resolve(String(stored.push(...events.map(({ event }) => event))));
    },
    0,
  );
  const seen = (): readonly MessagePart[] =>
    stored.reduce<readonly MessagePart[]>(
      (parts, event) => (event.op === 'snapshot' ? event.parts : isChange(event) ? applyToParts(parts, event) : parts),
      [],
    );
  return { stream, stored, readers, seen };
}

describe('a stream whose store fails in the middle', () => {
  it('brings followers to the whole answer before anything else', async () => {
    const { stream, stored, seen } = lossy(1);
    for (const word of ['One ', 'two ', 'three']) {
      stream.writeText('text', word);
      stream.sendNote(step);
      await turn();
    }
    await stream.sendRemaining();
    expect(stored.map(({ op }) => op)).toEqual(['delta', 'step', 'snapshot', 'step', 'delta', 'step']);
    expect(seen()).toEqual(stream.answer.parts);
  });

  it('loses nothing that is part of no answer, and shows it to whom it is for alone', async () => {
    const { stream, stored, readers } = lossy(0);
    stream.restrictTo('ann');
    stream.applyChange((answer) => answer.addPart({ kind: 'notice', code: 'n', detail: 'd' }));
    stream.sendNote(step);
    await stream.sendRemaining();
    expect(stored.map(({ op }) => op)).toEqual(['snapshot', 'step']);
    expect(readers).toEqual(['ann', 'ann']);
  });

  it('that may have lost what it took brings followers to the whole answer, too', async () => {
    const { stream, stored } = lossy();
    stream.writeText('text', 'One ');
    await turn();
    stream.markTorn();
    stream.writeText('text', 'two');
    await stream.sendRemaining();
    expect(stored.map(({ op }) => op)).toEqual(['delta', 'snapshot']);
  });

  it('names in a checkpoint only what was stored', async () => {
    const { stream } = lossy(1, 2, 3);
    stream.writeText('text', 'One ');
    await turn();
    expect(stream.sent).toEqual({ parts: [{ kind: 'text', text: 'One ' }], id: '1' });
    stream.applyChange((answer) => answer.addPart({ kind: 'notice', code: 'n', detail: 'd' }));
    await turn();
    expect(stream.sent).toEqual({ parts: [{ kind: 'text', text: 'One ' }], id: '1' });
  });

  it('mends what it can before a step is kept, and keeps all of the step also where it cannot', async () => {
    const mended = lossy(1);
    for (const { stream } of [mended, lossy(1, 2)]) {
      stream.writeText('text', 'One ');
      await turn();
      stream.applyChange((answer) => answer.addPart({ kind: 'notice', code: 'n', detail: 'd' }));
      expect((await stream.sendRemaining()).parts).toEqual(stream.answer.parts);
    }
    expect(mended.stored.at(-1)).toEqual({ op: 'snapshot', parts: mended.stream.answer.parts });
  });
});
