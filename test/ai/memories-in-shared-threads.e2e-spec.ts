import { readFileSync } from 'node:fs';
import { newId } from '@atrium/platform/kernel';
import { ModelServer, type Client, type Member, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { Crediting } from '../governance/crediting';
import { provideModels } from '../models/providing';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { makeAgent } from './agents';
import { answerOf, ask, foldedParts, heardOf, messageOf, newThread, post, runOf } from './answering';
import { Follower, type HeardEvent } from './following';
import { threadIds } from './talking';

let api: RunningApi;
let ours: TestWorkspace;
let client: Client;
let ben: Member;
let server: ModelServer;
const open: Follower[] = [];

beforeAll(async () => {
  [api, server] = await Promise.all([sharedAtriumWithWorker(), ModelServer.start()]);
}, 120_000);
beforeEach(async () => {
  ours = await api.workspace(['module-documents']);
  client = ours.owner.client;
  ben = await ours.member('editor');
  await new Crediting(api).grant(ours, { grant_credits: 10_000 });
  await client.post('/memories', { mem_value: SALARY, mem_type: 'preference' }).expect(201);
  server.chats.length = server.turns.length = 0;
});
afterEach(() => {
  for (const follower of open.splice(0)) follower.leave();
});
afterAll(async () => {
  await api.close();
  await server.stop();
});

const SALARY = 'My salary is 92345 euros a year.';
const NO_ID = '00000000-0000-0000-0000-000000000000';
const QUESTION = 'What is my salary a year?';
const NOTHING = 'I found no answer to this in the sources I can read.';

const spaceWith = async (member: Member, sm_role: string): Promise<string> => {
  const { space_id } = (await client.post('/spaces', { space_name: `Space ${newId()}` }).expect(201)).body as { space_id: string };
  await client.post(`/spaces/${space_id}/members`, { sm_principal_type: 'user', sm_principal: member.user_id, sm_role }).expect(201);
  return space_id;
};
const roleId = async (): Promise<string> =>
  (await api.sql<{ role_id: string }>(`SELECT role_id FROM role WHERE tenant_id = $1 AND role_key = 'viewer'`, [ours.tenant_id]))[0]
    ?.role_id ?? '';
const addMember = (thread: string, member_type: string, member_id: string, level = 'edit') =>
  client.post(`/threads/${thread}/members`, { member_type, member_id, member_level: level });

describe('memories of the person who asks', () => {
  const ways: Readonly<Record<string, () => Promise<string>>> = {
    'its list names another person': () => newThread(client, { thread_acl: { users: { [ben.user_id]: 'view' } } }),
    'its list names a role': async () => newThread(client, { thread_acl: { roles: { [await roleId()]: 'view' } } }),
    'its list names a space': async () => newThread(client, { thread_acl: { spaces: { [await spaceWith(ben, 'viewer')]: 'view' } } }),
    'its space reads it': async () => newThread(client, { thread_space: await spaceWith(ben, 'viewer'), thread_share_mode: 'space' }),
    'its space writes in it': async () => newThread(client, { thread_space: await spaceWith(ben, 'editor'), thread_share_mode: 'collab' }),
    'somebody joined it later': async () => {
      const thread = await newThread(client);
      expect((await ask(client, thread, QUESTION)).msg_text).toContain('92345');
      await addMember(thread, 'user', ben.user_id, 'view').expect(201);
      return thread;
    },
    'its former owner goes on writing': async () => {
      const thread = await newThread(ben.client);
      await ben.client.patch(`/threads/${thread}`, { thread_user: ours.owner.user_id }).expect(200);
      return thread;
    },
  };

  it.each(Object.keys(ways))(
    '[ai 13] are not used in a thread where %s, whatever thread_memory says',
    async (way) => {
      const thread = (await ways[way]?.()) ?? '';
      await client.patch(`/threads/${thread}`, { thread_memory: true }).expect(200);
      expect(await ask(client, thread, QUESTION)).toMatchObject({ msg_text: NOTHING, msg_citations: [] });
    },
    60_000,
  );

  it('[ai 13] are used again once nobody else reads the thread, and never in a run without a thread', async () => {
    const thread = await newThread(client, { thread_acl: { users: { [ben.user_id]: 'view' } } });
    await client.delete(`/threads/${thread}/members/${ben.user_id}`).expect(204);
    expect((await ask(client, thread, QUESTION)).msg_text).toContain('92345');
    const { agent_id } = await makeAgent(client, { agent_tools: [] });
    const { body } = await client.post(`/agents/${agent_id}/run`, { input: QUESTION }).expect(200);
    expect(body).toMatchObject({ output: 'I cannot answer this: I was given no sources about it.', citations: [] });
  }, 60_000);

  it('are switched on and off by owners of the thread alone', async () => {
    const thread = await newThread(client, { thread_acl: { users: { [ben.user_id]: 'edit' } } });
    for (const thread_memory of [true, false]) await ben.client.patch(`/threads/${thread}`, { thread_memory }).expect(403);
    await client.patch(`/threads/${thread}`, { thread_memory: false }).expect(200);
  });

  it('are written down and forgotten by no answer that somebody else can read', async () => {
    const { agent_id } = await makeAgent(client, { agent_tools: [{ tool: 'remember' }, { tool: 'forget' }] });
    const thread = await newThread(client, { thread_agent: agent_id, thread_acl: { users: { [ben.user_id]: 'edit' } } });
    await ask(client, thread, '/forget {"query":"salary"}');
    await ask(client, thread, 'Please remember that I like tea');
    expect((await client.get('/memories').expect(200)).body.data).toMatchObject([{ mem_value: SALARY }]);
  }, 60_000);
});

describe('a key that may open threads and not change them', () => {
  it('has no agent write down or forget anything', async () => {
    const { agent_id } = await makeAgent(client, { agent_tools: [{ tool: 'remember' }, { tool: 'forget' }] });
    const scopes = ['thread:view', 'thread:create', 'agent:run', 'agent:view'];
    const narrow = (await api.memberWithKey(ours.tenant_id, ours.owner.user_id, ours.owner.email, scopes)).client;
    const thread = await newThread(narrow, { thread_agent: agent_id });
    await ask(narrow, thread, '/forget {"query":"salary"}');
    await ask(narrow, thread, 'Please remember that I like tea');
    expect((await client.get('/memories').expect(200)).body.data).toMatchObject([{ mem_value: SALARY }]);
    await ask(client, await newThread(client, { thread_agent: agent_id }), '/forget {"query":"salary"}');
    expect((await client.get('/memories').expect(200)).body.data).toEqual([]);
  }, 60_000);
});

describe('an answer that rests on memories', () => {
  it('[ai 18] stays the asker’s when the thread is shared afterwards: in messages, in what is found, and for other answers', async () => {
    await provideModels(api, ours, server, [{ model: 'played-1', model_kind: 'text' }]);
    const { agent_id } = await makeAgent(client, { agent_model: 'lab/played-1', agent_tools: [] });
    const thread = await newThread(client, { thread_agent: agent_id });
    server.turns.push({ stream: { text: `${SALARY} [1]` } });
    const answer = await ask(client, thread, QUESTION);
    expect(answer).toMatchObject({ msg_text: `${SALARY} [1]`, msg_citations: [{ source_kind: 'memory', quote: SALARY }] });
    await addMember(thread, 'user', ben.user_id).expect(201);

    const withheld = { msg_text: '', msg_parts: [{ kind: 'notice', code: 'rests_on_memories' }] };
    const seen = await messageOf(ben.client, thread, answer.msg_id);
    expect(seen).toMatchObject(withheld);
    expect(seen.msg_citations).toEqual([]);
    const listed = await ben.client.get(`/threads/${thread}/messages`).expect(200);
    expect(JSON.stringify(listed.body)).not.toContain('92345');
    const checks = await ben.client.get(`/threads/${thread}/messages/${answer.msg_id}/citations/check`).expect(200);
    expect(checks.body.citations).toEqual([]);
    expect((await ben.client.get('/threads/search?q=92345').expect(200)).body.data).toEqual([]);
    expect(await threadIds(ben.client, '?full_text_search=92345')).toEqual([]);
    expect((await ben.client.get(`/threads/${thread}/messages?full_text_search=92345`).expect(200)).body.data).toEqual([]);
    await ben.client.post('/assist/summarize', { msg_id: answer.msg_id }).expect(400);
    expect(await messageOf(client, thread, answer.msg_id)).toEqual(answer);
    expect(await threadIds(client, '?full_text_search=92345')).toEqual([thread]);

    for (const who of [ben.client, client]) {
      server.turns.push({ stream: { text: 'I do not know.' } });
      await ask(who, thread, 'And a month?');
    }
    expect(server.chats).toHaveLength(3);
    expect(server.chats.slice(1).map(({ messages }) => JSON.stringify(messages).includes('92345'))).toEqual([false, false]);
  }, 90_000);

  it('[ai 18] stays the asker’s also where it cites none, and where a later answer repeats it', async () => {
    await provideModels(api, ours, server, [{ model: 'played-1', model_kind: 'text' }]);
    const { agent_id } = await makeAgent(client, { agent_model: 'lab/played-1', agent_tools: [{ tool: 'calculate' }] });
    const thread = await newThread(client, { thread_agent: agent_id });
    const calls = [{ id: 'c1', name: 'calculate', input: JSON.stringify({ expression: '92345 / 12' }) }];
    server.turns.push({ stream: { calls } }, { stream: { text: 'You earn 92345 euros.' } });
    const { run, assistant_message } = await post(client, thread, QUESTION);
    const uncited = await answerOf(client, thread, assistant_message.msg_id);
    expect(uncited).toMatchObject({ msg_text: 'You earn 92345 euros.', msg_citations: [] });
    await client.patch(`/threads/${thread}`, { thread_memory: false }).expect(200);
    server.turns.push({ stream: { text: 'As I said, 92345.' } });
    const repeated = await ask(client, thread, 'And again?');
    await client.patch(`/threads/${thread}`, { thread_acl: { users: { [ben.user_id]: 'edit' } } }).expect(200);
    server.turns.push({ stream: { text: 'For all to read.' } });
    const later = await ask(client, thread, 'What is the weather?');

    const withheld = { msg_text: '', msg_parts: [{ kind: 'notice', code: 'rests_on_memories' }] };
    for (const { msg_id } of [uncited, repeated]) expect(await messageOf(ben.client, thread, msg_id)).toMatchObject(withheld);
    expect((await messageOf(ben.client, thread, later.msg_id)).msg_text).toBe('For all to read.');
    const seen = await Promise.all([
      ben.client.get(`/threads/${thread}/messages`),
      ben.client.get('/threads/search?q=92345'),
      ben.client.get(`/threads/${thread}/messages?full_text_search=92345`),
      ben.client.get(`/threads/${thread}/runs/${run.run_id}`),
    ]);
    expect(seen.map(({ status, body }) => [status, JSON.stringify(body).includes('92345')])).toEqual(seen.map(() => [200, false]));
    expect(JSON.stringify(seen[0]?.body)).not.toContain('recalls');
    const follower = await Follower.connect(api, ben.client, thread);
    open.push(follower);
    expect(JSON.stringify(await follower.until(({ length }) => length > 0))).not.toContain('92345');
    await ben.client.post('/assist/summarize', { msg_id: uncited.msg_id }).expect(400);
    expect((await messageOf(client, thread, uncited.msg_id)).msg_text).toBe('You earn 92345 euros.');

    // As if the repetition was written before answers said what they were given, and the later answer long after that.
    const { msg_id } = repeated;
    for (const [id, created] of [
      [msg_id, '2020-01-01'],
      [later.msg_id, '2100-01-01'],
    ])
      await api.sql(`UPDATE message SET msg_recalls = false, msg_created = '${created}' WHERE tenant_id = $1 AND msg_id = '${id}'`, [
        ours.tenant_id,
      ]);
    expect((await messageOf(ben.client, thread, msg_id)).msg_text).toBe('As I said, 92345.');
    await api.sql(readFileSync('migrations/0133-answers-that-repeat-recalled-ones.sql', 'utf8'), [JSON.stringify([ours.tenant_id, NO_ID])]);
    expect(await messageOf(ben.client, thread, msg_id)).toMatchObject(withheld);
    expect((await messageOf(ben.client, thread, later.msg_id)).msg_text).toBe('For all to read.');
  }, 90_000);

  it('[ai 18] is said to nobody who comes in later and follows the thread from an event before it', async () => {
    const thread = await newThread(client);
    const follower = await Follower.connect(api, client, thread);
    open.push(follower);
    const { assistant_message } = await post(client, thread, QUESTION);
    const heard = await heardOf(follower, assistant_message.msg_id);
    expect(JSON.stringify(foldedParts(heard, assistant_message.msg_id))).toContain('92345');
    expect(JSON.stringify(heard)).not.toContain('only_for');
    await addMember(thread, 'user', ben.user_id).expect(201);
    const first = heard.find(({ event, id }) => event === 'user_message' && id !== undefined)?.id ?? '';
    const isThere = (events: readonly HeardEvent[]): boolean => events.some(({ data }) => data.op === 'done');
    for (const [by, isAsker] of [
      [client, true],
      [ben.client, false],
    ] as const) {
      const late = await Follower.connect(api, by, thread, { 'Last-Event-ID': first });
      open.push(late);
      const events = await late.until(isThere);
      expect(events.some(({ data }) => data.op === 'delta')).toBe(true);
      expect(JSON.stringify(events).includes('92345')).toBe(isAsker);
    }
  }, 60_000);

  it('keeps the thread to its owner while it is written', async () => {
    const { agent_id } = await makeAgent(client, { agent_tools: [CLIENT_TOOL] });
    const thread = await newThread(client, { thread_agent: agent_id });
    const { run, assistant_message } = await post(client, thread, '/gauge {}');
    expect((await answerOf(client, thread, assistant_message.msg_id)).msg_status).toBe('waiting');
    const acl = { thread_acl: { users: { [ben.user_id]: 'view' } } };
    expect((await client.patch(`/threads/${thread}`, acl).expect(409)).body.detail).toContain('may use memories');
    await addMember(thread, 'user', ben.user_id).expect(409);
    await client.patch(`/threads/${thread}`, { thread_user: ben.user_id }).expect(409);
    await client.patch(`/threads/${thread}`, { thread_memory: false }).expect(200);
    expect((await client.patch(`/threads/${thread}`, acl).expect(409)).body.detail).toContain('may use memories');
    await client.delete('/memories').expect(200);
    await client.patch(`/threads/${thread}`, acl).expect(409);
    await ben.client.get(`/threads/${thread}`).expect(404);
    await client.post(`/threads/${thread}/stop`, { run_id: run.run_id }).expect(200);
    await client.patch(`/threads/${thread}`, acl).expect(200);
  }, 60_000);

  it('shows others neither what a tool wrote down nor what it was to forget', async () => {
    const { agent_id } = await makeAgent(client, { agent_tools: [{ tool: 'forget' }] });
    const thread = await newThread(client, { thread_agent: agent_id });
    const { run, assistant_message } = await post(client, thread, '/forget {"query":"wages"}');
    await answerOf(client, thread, assistant_message.msg_id);
    await addMember(thread, 'user', ben.user_id).expect(201);
    expect(await messageOf(ben.client, thread, assistant_message.msg_id)).toMatchObject({ msg_text: '' });
    const [mine, theirs] = [await runOf(client, thread, run.run_id), await runOf(ben.client, thread, run.run_id)];
    expect([mine, theirs].map(({ tool_calls }) => tool_calls[0])).toMatchObject([
      { input: { query: 'wages' } },
      { input: {}, output: null },
    ]);
    expect(JSON.stringify(theirs)).not.toContain('wages');
  }, 60_000);
});

const CLIENT_TOOL = { client: true, name: 'gauge', description: 'Reads a gauge.', schema: { type: 'object' } };
