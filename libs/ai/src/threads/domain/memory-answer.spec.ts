import type { MessagePart } from './message-parts';
import { citationsFor, isWithheldFrom, partsFor, restsOnMemories, WITHHELD } from './memory-answer';

const ASKER = 'ann';
const text: MessagePart = { kind: 'text', text: 'Your salary is 100 euros. [1]' };
const call = (tool: string): MessagePart => ({ kind: 'tool', call_id: 'c', tool, input: {}, output: { n: 1 }, state: 'done' });
const answer = (parts: readonly MessagePart[], source_kind = 'file', msg_recalls = false) => ({
  msg_user: ASKER,
  msg_parts: parts,
  msg_citations: [{ n: 1, source_kind }],
  msg_recalls,
});

describe('an answer', () => {
  it.each([
    ['cites a memory', answer([text], 'memory'), true],
    ['wrote one down', answer([call('remember'), text]), true],
    ['forgot one', answer([call('forget'), text]), true],
    ['was given some and cites none', answer([text], 'file', true), true],
    ['cites a document', answer([call('search_knowledge'), text]), false],
  ])('that %s is shown in full to the asker, and rests on memories: %j', (_, message, rests) => {
    expect(restsOnMemories(message)).toBe(rests);
    expect([isWithheldFrom(ASKER, message), isWithheldFrom('ben', message)]).toEqual([false, rests]);
    expect(partsFor(ASKER, message)).toEqual(message.msg_parts);
    expect([citationsFor(ASKER, message), citationsFor('ben', message)]).toEqual([
      message.msg_citations,
      rests ? [] : message.msg_citations,
    ]);
  });

  it('that rests on memories is a notice for everybody else', () => {
    expect(partsFor('ben', answer([text], 'memory'))).toEqual([WITHHELD]);
  });

  it('that rests on other sources shows others that a tool ran, and not what it found', () => {
    expect(partsFor('ben', answer([call('search_knowledge'), text]))).toEqual([{ ...call('search_knowledge'), output: null }, text]);
  });
});
