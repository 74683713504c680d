import type { Principal } from '@atrium/platform/access';
import type { Database } from '@atrium/platform/database';
import type { MessageReader } from '../threads/application/message-reader';
import { ReaderView } from './reader-view';
import type { ThreadStateRepository } from './thread-state.repository';

const view = new ReaderView(
  { read: (work: () => Promise<unknown>) => work() } as unknown as Database,
  { citations: (_: Principal, lists: unknown[][]) => Promise.resolve(lists) } as unknown as MessageReader,
  undefined as unknown as ThreadStateRepository,
);
const said = [{ kind: 'text', text: 'My salary is 61234 euros.' }];
const message = { msg_id: 'm1', msg_user: 'asker', msg_text: 'My salary is 61234 euros.', msg_parts: said, msg_citations: [] };
const entry = { kind: 'assistant_message', data: { op: 'snapshot', msg_id: 'm1', only_for: 'asker', message } } as const;

describe('a snapshot of an answer that rests on memories', () => {
  it.each([
    ['asker', true],
    ['other', false],
  ])('says what the answer says to the asker alone: %s', async (user_id, isShown) => {
    const shown = JSON.stringify(await view.of({ user_id } as Principal, 't1', entry));
    expect(shown.includes('61234')).toBe(isShown);
    expect(shown).toContain('snapshot');
  });
});
