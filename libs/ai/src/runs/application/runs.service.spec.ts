import type { Principal } from '@atrium/platform/access';
import { newId } from '@atrium/platform/kernel';
import { inWorkspace, type Database } from '@atrium/platform/database';
import type { MessagePart } from '../../threads/domain/message-parts';
import { MessagesRepository } from '../../threads/infrastructure/messages.repository';
import type { ThreadAccess } from '../../threads/application/thread-access';
import type { RunsRepository } from '../infrastructure/runs.repository';
import type { RunStepsRepository } from '../infrastructure/run-steps.repository';
import { RunsService } from './runs.service';

const call = {
  call_id: 'c2',
  step: 1,
  tool: 'calculate',
  input: { expression: '92345 / 12' },
  state: 'error',
  error: 'No 92345.',
  shown: null,
};

/** What somebody sees of the calls of a run whose answer has these parts and citations. */
async function callsFor(user_id: string, answer: { readonly msg_parts?: readonly MessagePart[]; readonly source_kind?: string }) {
  const { msg_parts = [], source_kind = 'file' } = answer;
  const db = {
    read: (work: () => unknown) => work(),
    current: () => ({ first: () => Promise.resolve({ msg_parts, msg_citations: [{ n: 1, source_kind }], msg_recalls: false }) }),
  } as unknown as Database;
  const runs = { row: () => Promise.resolve({ run_thread: 't1', run_user: 'ann', run_message: 'm1' }) } as unknown as RunsRepository;
  const steps = { steps: () => Promise.resolve([]), calls: () => Promise.resolve([call]) } as unknown as RunStepsRepository;
  const service = new RunsService(db, undefined as unknown as ThreadAccess, runs, steps, new MessagesRepository(db));
  const { tool_calls } = await inWorkspace(newId(), () => service.detail({ user_id } as Principal, 't1', 'r1'));
  return JSON.stringify(tool_calls);
}

const remembered: MessagePart = { kind: 'tool', call_id: 'c1', tool: 'remember', input: {}, output: {}, state: 'done' };

describe('the calls of a run', () => {
  it.each([
    ['cites a memory', { source_kind: 'memory' }],
    ['wrote a memory down', { msg_parts: [remembered] }],
  ])('say to nobody but the asker what they were asked for where the answer %s', async (_, answer) => {
    expect(await callsFor('ann', answer)).toContain('92345');
    expect(await callsFor('ben', answer)).not.toContain('92345');
  });

  it('are shown with their input where it rests on nothing of the kind', async () => {
    expect(await callsFor('ben', {})).toContain('92345');
  });
});
