import { inWorkspace } from '@atrium/platform/database';
import { newId } from '@atrium/platform/kernel';
import { EventStreams } from '@atrium/platform/messaging';
import { eventually, type Client, type Member, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { archiveOf, orderOf, over } from '../governance/asking-for-data';
import { Crediting } from '../governance/crediting';
import { applyAnew, countOf, hold } from '../governance/retaining';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { makeAgent } from './agents';
import { ask, newThread } from './answering';
import { openThread, say, branchOf } from './talking';

let api: RunningApi;
let ours: TestWorkspace;
let admin: Client;
let person: Member;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
}, 120_000);
beforeEach(async () => {
  ours = await api.workspace(['module-documents']);
  admin = ours.owner.client;
  await new Crediting(api).grant(ours, { grant_credits: 10_000 });
  person = await ours.member('editor');
});
afterAll(() => api.close());

const TABLES = ['thread', 'message', 'run', 'run_step', 'run_tool_call', 'stream_event', 'memory'] as const;

/** The tables of conversations in which the words stand. */
async function placesOf(words: string): Promise<string[]> {
  const found: string[] = [];
  for (const table of TABLES) if ((await countOf(api, `${table} t`, ours, `strpos(t::text, '${words}') > 0`)) > 0) found.push(table);
  return found;
}

async function remembered(client: Client, mem_value: string): Promise<string> {
  const { mem_id } = (await client.post('/memories', { mem_value }).expect(201)).body as { mem_id: string };
  await eventually(
    () => api.sql(`SELECT 1 FROM vector_entry WHERE ve_kind = 'memory' AND ve_id = $1`, [mem_id]),
    (rows) => rows.length === 1,
    30_000,
  );
  return mem_id;
}

const answersOnce = async (client: Client, input: string): Promise<string> => {
  const { agent_id } = await makeAgent(client);
  const { run_id } = (await client.post(`/agents/${agent_id}/run`, { input, wait: 0 }).expect(202)).body as { run_id: string };
  await eventually(
    () => api.sql<{ run_status: string }>('SELECT run_status FROM run WHERE run_id = $1', [run_id]),
    ([run]) => run?.run_status === 'completed' || run?.run_status === 'failed',
    30_000,
  );
  return run_id;
};

const erase = async () => {
  const body = { dsr_kind: 'erasure', dsr_subject_type: 'user', dsr_subject: person.user_id, execute_after_days: 0 };
  return over(admin, (await orderOf(admin, body)).dsr_id);
};

describe('an erasure of a person', () => {
  it('removes threads that nobody else takes part in with messages, runs and streams, and runs without a thread', async () => {
    const alone = await newThread(person.client, { thread_title: 'Sapphire plans' });
    await ask(person.client, alone, 'Where is the sapphire gone?');
    await answersOnce(person.client, 'Is the sapphire blue?');
    expect(await placesOf('apphire')).toEqual(expect.arrayContaining(['thread', 'message', 'run']));
    expect(await erase()).toMatchObject({
      dsr_status: 'completed',
      dsr_report: { ai: { thread: { deleted: 1, kept: 0 }, message: { kept: 0 }, run: { deleted: 1, kept: 0 } } },
    });
    expect(await placesOf('apphire')).toEqual([]);
  }, 120_000);

  it('leaves nothing in the stream of a run without a thread whose client had left', async () => {
    const run_id = await answersOnce(person.client, 'Is the sapphire blue?');
    await api.sql(`UPDATE run SET run_input = run_input || '{"followed": true}' WHERE run_id = $1`, [run_id]);
    await inWorkspace(ours.tenant_id, () =>
      api.app.get(EventStreams, { strict: false }).appendEvent(`run/${run_id}`, { op: 'delta', text: 'The sapphire is blue.' }),
    );
    expect(await placesOf('apphire')).toEqual(expect.arrayContaining(['run', 'stream_event']));
    expect(await erase()).toMatchObject({ dsr_status: 'completed', dsr_report: { ai: { run: { deleted: 1, kept: 0 } } } });
    expect(await placesOf('apphire')).toEqual([]);
  }, 90_000);

  it('lets threads with others keep their course, without the address, and says so', async () => {
    const other = await ours.member('editor');
    const shared = await openThread(person.client, { thread_acl: { users: { [other.user_id]: 'edit' } } });
    await say(person.client, shared.thread_id, `Write to ${person.email}, please.`);
    const theirs = await openThread(other.client, { thread_title: `About ${person.email}` });
    await say(other.client, theirs.thread_id, 'Mine alone');
    const done = await erase();
    expect(done).toMatchObject({
      dsr_status: 'completed',
      dsr_report: { ai: { thread: { deleted: 0, anonymized: 1, kept: 1 }, message: { anonymized: 1, kept: 1 } } },
    });
    expect(done.dsr_report.ai?.thread?.kept_because).toContain('others take part');
    expect(await branchOf(other.client, shared.thread_id)).toEqual(['Write to [erased], please.']);
    expect((await other.client.get(`/threads/${theirs.thread_id}`).expect(200)).body).toMatchObject({ thread_title: 'About [erased]' });
  }, 90_000);

  it('takes their memories out of answers in threads of others', async () => {
    const other = await ours.member('editor');
    await remembered(person.client, 'My favourite colour is vermilion');
    const thread = await newThread(person.client);
    await ask(person.client, thread, 'What is my favourite colour?');
    await person.client.patch(`/threads/${thread}`, { thread_acl: { users: { [other.user_id]: 'view' } } }).expect(200);
    expect(await placesOf('vermilion')).toEqual(expect.arrayContaining(['message', 'run', 'memory']));
    await erase();
    expect(await placesOf('vermilion')).toEqual([]);
    expect(await branchOf(other.client, thread)).toHaveLength(2);
  }, 90_000);
});

describe('a memory that its person deletes', () => {
  it('leaves no copy in what runs were given, in steps, answers, citations and streams', async () => {
    const mem_id = await remembered(person.client, 'My favourite colour is vermilion');
    const thread = await newThread(person.client);
    expect(await ask(person.client, thread, 'What is my favourite colour?')).toMatchObject({
      msg_text: 'My favourite colour is vermilion [1]',
    });
    await person.client.delete(`/memories/${mem_id}`).expect(204);
    await eventually(
      () => placesOf('vermilion'),
      ({ length }) => length === 0,
      30_000,
    );
    expect(await branchOf(person.client, thread)).toEqual(['What is my favourite colour?', '[erased] [1]']);
  }, 90_000);
});

describe('an export of a person', () => {
  it('holds the words of their messages, prompts, agents and notes, and nothing of what others wrote', async () => {
    const other = await ours.member('editor');
    const thread = await openThread(person.client, { thread_title: 'Quay plans', thread_acl: { users: { [other.user_id]: 'edit' } } });
    await say(person.client, thread.thread_id, 'The crane is mine to paint.');
    await say(other.client, thread.thread_id, 'The bollard is mine.');
    await person.client.post('/prompts', { prompt_name: `Reply ${newId()}`, prompt_text: 'Answer like a harbour pilot.' }).expect(201);
    await person.client.post('/agents', { agent_name: `Pilot ${newId()}`, agent_instructions: 'Speak of buoys first.' }).expect(201);
    const { dsr_id } = await orderOf(admin, { dsr_kind: 'export', dsr_subject_type: 'user', dsr_subject: person.user_id });
    await over(admin, dsr_id);
    const archive = await archiveOf(admin, dsr_id);
    const text = (name: string): string => archive.get(`ai/${name}.json`)?.toString() ?? '';
    expect(text('message')).toContain('The crane is mine to paint.');
    expect(text('thread')).toContain('Quay plans');
    expect(text('prompt')).toContain('Answer like a harbour pilot.');
    expect(text('agent')).toContain('Speak of buoys first.');
    expect([...archive.values()].some((bytes) => bytes.includes('The bollard is mine.'))).toBe(false);
  }, 90_000);
});

describe('retention of conversations', () => {
  /** The rule says 365 days. */
  const longAgo = async (days = 366): Promise<void> => {
    const then = [ours.tenant_id, days];
    await api.sql(`UPDATE run SET run_finished = now() - make_interval(days => $2) WHERE tenant_id = $1`, then);
    await api.sql(`UPDATE message SET msg_deleted = now() - make_interval(days => $2) WHERE tenant_id = $1 AND NOT msg_active`, then);
    await api.sql(`UPDATE thread SET thread_deleted = now() - make_interval(days => $2) WHERE tenant_id = $1 AND NOT thread_active`, then);
    await applyAnew(api, ours);
  };
  const left = async (): Promise<object> => ({ messages: await countOf(api, 'message', ours), runs: await countOf(api, 'run', ours) });

  it('removes runs without a thread and messages that were deleted, after the days of deleted threads and no hold', async () => {
    await answersOnce(person.client, 'Is the sapphire blue?');
    const { thread_id } = await openThread(person.client);
    const first = await say(person.client, thread_id, 'Kept');
    const gone = await say(person.client, thread_id, 'Sapphire', { msg_parent: first.msg_id });
    await say(person.client, thread_id, 'Below the sapphire', { msg_parent: gone.msg_id });
    await person.client.patch(`/threads/${thread_id}/messages/${gone.msg_id}`, { msg_active: false }).expect(200);
    await longAgo(364);
    expect(await left()).toEqual({ messages: 3, runs: 1 });
    for (const [type, id, kept] of [
      ['user', person.user_id, { messages: 3, runs: 1 }],
      ['thread', thread_id, { messages: 3, runs: 0 }],
    ] as const) {
      const lh_id = await hold(ours, type, id);
      await longAgo();
      expect({ type, ...(await left()) }).toEqual({ type, ...kept });
      await admin.delete(`/admin/legal-holds/${lh_id}`).expect(204);
    }
    await longAgo();
    expect(await left()).toEqual({ messages: 1, runs: 0 });
    expect(await branchOf(person.client, thread_id)).toEqual(['Kept']);
  }, 90_000);

  it('keeps threads in which a held person wrote, no matter who owns them now', async () => {
    const owner = await ours.member('editor');
    const { thread_id } = await openThread(owner.client, { thread_acl: { users: { [person.user_id]: 'edit' } } });
    await say(person.client, thread_id, 'Written by the held one');
    await owner.client.delete(`/threads/${thread_id}`).expect(204);
    const lh_id = await hold(ours, 'user', person.user_id);
    await longAgo();
    expect(await countOf(api, 'thread', ours)).toBe(1);
    await admin.delete(`/admin/legal-holds/${lh_id}`).expect(204);
    await longAgo();
    expect(await countOf(api, 'thread', ours)).toBe(0);
  }, 90_000);
});
