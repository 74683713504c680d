import type { Principal } from '@atrium/platform/access';
import { newId } from '@atrium/platform/kernel';
import { inWorkspace, type Database } from '@atrium/platform/database';
import type { MessagePart } from '../../../threads/domain/message-parts';
import { MessagesRepository } from '../../../threads/infrastructure/messages.repository';
import type { ThreadAccess } from '../../../threads/application/thread-access';
import type { RunsRepository } from '../infrastructure/runs.repository';
import type { RunStepsRepository } from '../infrastructure/run-steps.repository';
import { RunReasons } from '../infrastructure/run-reasons';
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

/** What somebody sees of a run that failed and whose answer has these parts and citations. */
async function runFor(user_id: string, answer: { readonly msg_parts?: readonly MessagePart[]; readonly source_kind?: string }) {
  const { msg_parts = [], source_kind = 'file' } = answer;
  const row = {
    msg_parts,
    msg_citations: [{ n: 1, source_kind }],
    msg_recalls: false,
    run_reason: 'No 92345. – invalid_input, bad_request',
    agent_user: 'ben',
  };
  const db = { read: (work: () => unknown) => work(), current: () => ({ first: () => Promise.resolve(row) }) } as unknown as Database;
  const run = { run_thread: 't1', run_user: 'ann', run_message: 'm1', run_status: 'failed' };
  const runs = { findRunRow: () => Promise.resolve(run) } as unknown as RunsRepository;
  const steps = { listSteps: () => Promise.resolve([]), listCalls: () => Promise.resolve([call]) } as unknown as RunStepsRepository;
  const service = new RunsService(db, undefined as unknown as ThreadAccess, runs, steps, new MessagesRepository(db), new RunReasons(db));
  const caller = { user_id, permissions: new Set(['admin:settings']) } as unknown as Principal;
  return inWorkspace(newId(), () => service.readDetail(caller, 't1', 'r1'));
}

const callsFor = async (...asked: Parameters<typeof runFor>): Promise<string> => JSON.stringify((await runFor(...asked)).tool_calls);

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

describe('what a provider said of an answer that failed', () => {
  const FACTS = { run_reason: 'The context is 8192 tokens. – context_length_exceeded, invalid_request_error', agent_user: 'ann' };
  const reason = (user_id: string, permissions: readonly string[], facts: Readonly<Record<string, string>> = {}) => {
    const { run_status = 'failed', run_user = user_id } = facts;
    const db = { current: () => ({ first: () => Promise.resolve({ ...FACTS, ...facts }) }) } as unknown as Database;
    const caller = { user_id, permissions: new Set(permissions) } as unknown as Principal;
    return inWorkspace(newId(), () => new RunReasons(db).readReason(caller, { run_id: 'r1', run_status: run_status as never, run_user }));
  };

  it('is shown to those who manage models or own the agent, and to nobody else', async () => {
    expect(await reason('ben', ['admin:settings'])).toBe(FACTS.run_reason);
    expect(await reason('ann', [])).toBe(FACTS.run_reason);
    expect(await reason('ben', ['agent:edit', 'thread:edit'])).toBeNull();
    expect(await reason('ann', [], { run_status: 'completed' })).toBeNull();
  });

  it('is its code and type alone for others than the asker', async () => {
    expect(await reason('ann', [], { run_user: 'ben' })).toBe('context_length_exceeded, invalid_request_error');
    expect(await reason('ann', [], { run_user: 'ben', run_reason: 'The context is 8192 tokens.' })).toBeNull();
  });

  it('is not shown of a run that rests on memories of somebody else', async () => {
    expect((await runFor('ann', { source_kind: 'memory' })).run_reason).toContain('92345');
    expect((await runFor('ben', { source_kind: 'memory' })).run_reason).toBeNull();
    expect((await runFor('ben', {})).run_reason).toBe('invalid_input, bad_request');
  });
});
