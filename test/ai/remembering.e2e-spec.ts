import { newId } from '@atrium/platform/kernel';
import { eventually, type Client, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { Crediting } from '../governance/crediting';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { makeAgent } from './agents';
import { ask, newThread } from './answering';

interface KnownMemory {
  readonly mem_id: string;
  readonly mem_value: string;
  readonly mem_source: string;
  readonly mem_thread: string | null;
}

let api: RunningApi;
let ours: TestWorkspace;
let client: Client;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
}, 120_000);
beforeEach(async () => {
  ours = await api.workspace(['module-documents']);
  client = ours.owner.client;
  await new Crediting(api).grant(ours, { grant_credits: 10_000 });
});
afterAll(() => api.close());

const memories = async (of = client): Promise<KnownMemory[]> =>
  ((await of.get('/memories').expect(200)).body as { data: KnownMemory[] }).data;
const QUESTION = 'What is my favourite colour?';

describe('memories in answers', () => {
  it('[ai 13] are cited in threads of one person alone, and are that person’s alone', async () => {
    const { mem_id } = (await client.post('/memories', { mem_value: 'My favourite colour is teal' }).expect(201)).body as KnownMemory;
    await eventually(
      () => api.sql(`SELECT 1 FROM vector_entry WHERE tenant_id = $1 AND ve_kind = 'memory'`, [ours.tenant_id]),
      (rows) => rows.length === 1,
      30_000,
    );
    const answer = await ask(client, await newThread(client), QUESTION);
    expect(answer.msg_text).toBe('My favourite colour is teal [1]');
    expect(answer.msg_citations).toMatchObject([{ n: 1, source_kind: 'memory', source_id: mem_id, quote: 'My favourite colour is teal' }]);

    const { space_id } = (await client.post('/spaces', { space_name: `Space ${newId()}` }).expect(201)).body as { space_id: string };
    const shared = await newThread(client, { thread_space: space_id, thread_share_mode: 'collab' });
    expect(await ask(client, shared, QUESTION)).toMatchObject({
      msg_text: 'I found no answer to this in the sources I can read.',
      msg_citations: [],
    });

    const other = await ours.member('owner');
    expect(await memories(other.client)).toEqual([]);
    await other.client.patch(`/memories/${mem_id}`, { mem_value: 'x' }).expect(404);
    await other.client.delete(`/memories/${mem_id}`).expect(404);
    expect((await ask(other.client, await newThread(other.client), QUESTION)).msg_citations).toEqual([]);
    expect((await client.delete('/memories').expect(200)).body).toEqual({ deleted: 1 });
    expect((await ask(client, await newThread(client), QUESTION)).msg_citations).toEqual([]);
  }, 90_000);

  it('[ai 14] are written when somebody asks for it, with the thread they come from', async () => {
    const { agent_id } = await makeAgent(client, { agent_tools: [{ tool: 'remember' }] });
    const thread = await newThread(client, { thread_agent: agent_id });
    const answer = await ask(client, thread, 'Please remember that I prefer short answers');
    expect(answer.msg_text).toBe('I will remember that: I prefer short answers');
    expect(await memories()).toMatchObject([{ mem_value: 'I prefer short answers', mem_source: 'assistant', mem_thread: thread }]);
    const closed = await newThread(client, { thread_agent: agent_id });
    await client.patch(`/threads/${closed}`, { thread_memory: false }).expect(200);
    await ask(client, closed, 'Please remember that I like tea');
    const without = await makeAgent(client, { agent_tools: [{ tool: 'remember' }], agent_memory: false });
    await ask(client, await newThread(client, { thread_agent: without.agent_id }), 'Please remember that I like tea');
    expect(await memories()).toHaveLength(1);
  }, 90_000);
});
