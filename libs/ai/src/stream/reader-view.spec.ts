import type { Principal } from '@atrium/platform/access';
import type { Database } from '@atrium/platform/database';
import type { MessageReader } from '../threads/application/message-reader';
import { ReaderView } from './reader-view';
import type { ThreadStateRepository } from './thread-state.repository';

const view = new ReaderView(
  { read: (work: () => Promise<unknown>) => work() } as unknown as Database,
  { viewCitations: (_: Principal, lists: unknown[][]) => Promise.resolve(lists) } as unknown as MessageReader,
  { readAsker: () => Promise.resolve({ msg_user: 'asker', msg_recalls: true }) } as unknown as ThreadStateRepository,
);
const said = [{ kind: 'text', text: 'My salary is 61234 euros.' }];
const message = { msg_id: 'm1', msg_user: 'asker', msg_text: 'My salary is 61234 euros.', msg_parts: said, msg_citations: [] };
const entry = { kind: 'assistant_message', data: { op: 'snapshot', msg_id: 'm1', only_for: 'asker', message } } as const;

describe('a snapshot of an answer that rests on memories', () => {
  it.each([
    ['asker', true],
    ['other', false],
  ])('says what the answer says to the asker alone: %s', async (user_id, isShown) => {
    const shown = JSON.stringify(await view.viewFor({ user_id } as Principal, 't1', entry));
    expect(shown.includes('61234')).toBe(isShown);
    expect(shown).toContain('snapshot');
  });
});

describe('citations of an answer that rests on memories', () => {
  const cited = [{ n: 1, source_kind: 'file', title: 'Payslip 61234' }];
  const entries = {
    'an event of them': { op: 'citations', msg_id: 'm1', citations: cited },
    'an event of them for the asker': { op: 'citations', msg_id: 'm1', only_for: 'asker', citations: cited },
    'a snapshot': { op: 'snapshot', msg_id: 'm1', message: { ...message, msg_recalls: true, msg_citations: cited } },
  } as const;

  it.each(Object.entries(entries))('are shown to the asker alone, in %s', async (_, data) => {
    const shown = async (user_id: string): Promise<string> =>
      JSON.stringify(await view.viewFor({ user_id } as Principal, 't1', { kind: 'assistant_message', data }));
    expect([(await shown('asker')).includes('Payslip'), await shown('other')]).toEqual([true, expect.not.stringMatching(/Payslip|"n":/)]);
  });
});
