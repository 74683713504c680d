import { assertSize, textOf, type MessagePart, type ToolPart } from '../../../threads/domain/message-parts';
import { Answer, closedParts, applyToParts, partsChanged, type AnswerChange } from './answer';

const CALL: ToolPart = { kind: 'tool', call_id: 'c1', tool: 'calculate', input: { expression: '1+1' }, output: null, state: 'pending' };

/** An answer of one finished step with a call, and a second step that is still being written. */
function grown(): { readonly answer: Answer; readonly changes: AnswerChange[] } {
  const answer = new Answer();
  const changes = [
    answer.writeText('reasoning', 'Let me '),
    answer.writeText('reasoning', 'see.'),
    answer.writeText('text', 'I add.'),
    answer.setCall(CALL),
  ];
  changes.push(answer.setCall({ ...CALL, state: 'done', output: { value: '2' } }));
  answer.beginStep();
  changes.push(answer.writeText('text', 'It is '), answer.writeText('text', '2 😀.'));
  return { answer, changes };
}

describe('an answer', () => {
  it('is its changes, folded', () => {
    const { answer, changes } = grown();
    expect(changes.reduce<readonly MessagePart[]>(applyToParts, [])).toEqual(answer.parts);
    expect(answer.parts).toEqual([
      { kind: 'reasoning', text: 'Let me see.' },
      { kind: 'text', text: 'I add.' },
      { ...CALL, state: 'done', output: { value: '2' } },
      { kind: 'text', text: 'It is 2 😀.' },
    ]);
  });

  it('counts offsets in UTF-16, and begins a part with each kind and each step', () => {
    const { answer } = grown();
    expect(answer.writeText('text', '!')).toEqual({ op: 'delta', part: 3, kind: 'text', offset: 'It is 2 😀.'.length, text: '!' });
    answer.beginStep();
    expect(answer.writeText('text', 'More')).toMatchObject({ part: 4, offset: 0 });
    expect(answer.writeText('reasoning', 'Hm')).toMatchObject({ part: 5, offset: 0 });
    expect(answer.writeText('text', 'So')).toMatchObject({ part: 6, offset: 0 });
  });

  it('drops only what the step at hand said', () => {
    const { answer } = grown();
    expect(answer.dropStep('worker_lost')).toEqual({ op: 'reset', parts: answer.parts, reason: 'worker_lost' });
    expect(answer.parts).toHaveLength(3);
    expect(answer.stepParts).toEqual([]);
    expect(answer.writeText('text', 'Again')).toMatchObject({ part: 3, offset: 0 });
  });

  it('keeps what calls came to that had ended before it, though the message says that they run', () => {
    const ends = new Map([[CALL.call_id, { state: 'done' as const, shown: { passages: [1] }, error: null }]]);
    expect(closedParts([{ ...CALL, state: 'running' }], ends)).toEqual([{ ...CALL, state: 'done', output: { passages: [1] } }]);
  });

  it('closes calls that never ended as denied and leaves others as they are', () => {
    const done: ToolPart = { ...CALL, call_id: 'c2', state: 'done' };
    const unknown: ToolPart = { ...CALL, call_id: 'c3', state: 'unknown' };
    expect(closedParts([CALL, { ...CALL, state: 'running' }, done, unknown])).toEqual([
      { ...CALL, state: 'denied' },
      { ...CALL, state: 'denied' },
      done,
      unknown,
    ]);
  });

  it('reads as its texts alone', () => {
    expect(textOf(grown().answer.parts)).toBe('I add.\n\nIt is 2 😀.');
  });

  it('is full before it has more parts than a message may have', () => {
    const answer = new Answer();
    for (let at = 0; !answer.isFull; at++) answer.addPart({ kind: 'notice', code: 'n', detail: String(at) });
    expect([answer.parts.length, answer.room]).toEqual([196, 0]);
  });

  it('is full before it has more bytes than a message may have, however it grew', () => {
    const whole = (answer: Answer): number => Buffer.byteLength(JSON.stringify(answer.parts));
    const answer = new Answer();
    // Three bytes each: counted as characters, it would be far from full.
    while (!answer.isFull) answer.writeText('text', '漢'.repeat(1_000));
    expect(whole(answer)).toBeLessThan(2 * 1024 * 1024);
    expect(() => assertSize(answer.parts)).not.toThrow();
    answer.dropStep('provider_retry');
    expect([answer.isFull, answer.hasRoomFor(1_900_000)]).toEqual([false, true]);
    answer.setCall({ ...CALL, output: 'x'.repeat(1_000_000) });
    expect([answer.hasRoomFor(1_000_000), answer.hasRoomFor(900_000)]).toEqual([false, true]);
    answer.setCall({ ...CALL, output: null });
    expect(answer.hasRoomFor(1_900_000)).toBe(true);
    expect(new Answer([{ kind: 'text', text: 'x'.repeat(1_000_000) }]).hasRoomFor(1_000_000)).toBe(false);
  });

  it.each<[string, AnswerChange]>([
    ['a gap', { op: 'delta', part: 2, kind: 'text', offset: 0, text: 'x' }],
    ['another length', { op: 'delta', part: 0, kind: 'text', offset: 3, text: 'x' }],
    ['another kind', { op: 'delta', part: 0, kind: 'reasoning', offset: 2, text: 'x' }],
    ['a part behind the end', { op: 'part', part: 3, value: { kind: 'text', text: '' } }],
  ])('refuses a change that leaves %s', (_, change) => {
    expect(() => applyToParts([{ kind: 'text', text: 'ab' }], change)).toThrow();
  });

  it('that ends with calls that are still open changes these parts alone', () => {
    const before: MessagePart[] = [{ kind: 'text', text: 'a' }, CALL, { ...CALL, call_id: 'c2', state: 'done' }];
    const after = closedParts(before);
    const changes = partsChanged(before, after);
    expect(changes).toEqual([{ op: 'part', part: 1, value: { ...CALL, state: 'denied' } }]);
    expect(changes.reduce(applyToParts, before as readonly MessagePart[])).toEqual(after);
  });
});
