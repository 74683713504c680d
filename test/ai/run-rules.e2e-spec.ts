import { ToolSources, type SourceTool, type ToolCall, type ToolOutcome } from '@atrium/ai';
import { Problem } from '@atrium/platform/kernel';
import { eventually, ModelServer, type Client, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { upload } from '../files/uploading';
import { Crediting } from '../governance/crediting';
import { addText, indexed, makeBase } from '../knowledge/bases';
import { MODELS_ON_LOOPBACK, provideModels } from '../models/providing';
import { startAtriumWithWorker } from '../support/api';
import { OPERATOR_TOKENS } from '../support/operating';
import { makeAgent } from './agents';
import { answerOf, ask, foldedParts, heardOf, messageOf, newThread, post, runOf, type Said } from './answering';
import { Follower } from './following';

/** The context of a small model, in tokens. */
const SMALL = 4_000;
const FACT = 'Either party may terminate the lease with a notice of three months.';

let api: RunningApi;
let server: ModelServer;
let crediting: Crediting;
let ours: TestWorkspace;
let client: Client;
const open: Follower[] = [];
/** What the tools of the test do. */
let outcome: (call: ToolCall) => Promise<ToolOutcome> = () => Promise.resolve({ output: null });
let withdrawn = false;

beforeAll(async () => {
  server = await ModelServer.start();
  api = await startAtriumWithWorker({ ...MODELS_ON_LOOPBACK, OPERATOR_TOKENS });
  crediting = new Crediting(api);
  for (const host of [api.app, api.worker])
    host.get(ToolSources, { strict: false }).register({
      prefix: 'lab',
      listTools: () => Promise.resolve([LAB]),
      findTools: (_, names) => Promise.resolve(withdrawn ? [] : [LAB].filter(({ tool }) => names.includes(tool))),
      executeCall: (call) => outcome(call),
    });
}, 120_000);
beforeEach(async () => {
  ours = await api.workspace(['module-documents']);
  client = ours.owner.client;
  await crediting.grant(ours, { grant_credits: 10_000 });
  server.chats.length = server.turns.length = 0;
  server.answering = () => ({ stream: { text: 'Done.' } });
  withdrawn = false;
  server.context = Infinity;
  await provideModels(api, ours, server, [
    { model: 'played-1', model_kind: 'text', model_capabilities: ['tools'] },
    { model: 'small-1', model_kind: 'text', model_capabilities: ['tools'], model_context: SMALL, model_max_output: 500 },
  ]);
});
afterEach(() => {
  for (const follower of open.splice(0)) follower.leave();
});
afterAll(async () => {
  await api.close();
  await server.stop();
});

const LAB: SourceTool = {
  tool: 'lab:probe',
  name: 'probe',
  description: 'Probes something.',
  schema: { type: 'object' },
  risk: 'read',
  idempotent: true,
};
const says = (...texts: readonly string[]): void => void server.turns.push(...texts.map((text) => ({ stream: { text } })));
const calls = (...names: readonly string[]): void =>
  void server.turns.push({ stream: { calls: names.map((name, at) => ({ id: `c${at}`, name, input: '{}' })) } });

/** An answer, and that those who followed it have what is stored. */
async function followed(
  agent: object,
  text: string,
  thread?: string,
): Promise<{ answer: Said; thread: string; run_id: string; shown: string }> {
  const in_thread =
    thread ??
    (await newThread(client, {
      thread_agent: (await makeAgent(client, { agent_model: 'lab/played-1', agent_tools: [], ...agent })).agent_id,
    }));
  const follower = await Follower.connect(api, client, in_thread);
  open.push(follower);
  await follower.until((heard) => heard.length >= 2);
  const { assistant_message, run } = await post(client, in_thread, text);
  await answerOf(client, in_thread, assistant_message.msg_id);
  const heard = await heardOf(follower, assistant_message.msg_id);
  const answer = await messageOf(client, in_thread, assistant_message.msg_id);
  expect(foldedParts(heard, answer.msg_id)).toEqual(answer.msg_parts);
  return { answer, thread: in_thread, run_id: run.run_id, shown: JSON.stringify(heard.map(({ data }) => data)) };
}

describe('an agent that answers only from sources', () => {
  async function strict(): Promise<object> {
    const { ds_id } = await makeBase(client);
    await addText(client, ds_id, 'Lease', FACT);
    await indexed(client, ds_id);
    return { agent_knowledge: [ds_id], agent_retrieval: { mode: 'always', require: true } };
  }

  it('has an answer without citations written once more; the first is shown to nobody, and both are charged', async () => {
    says('It is three months.', 'The notice is of three months. [1]');
    const { answer, thread, run_id, shown } = await followed(await strict(), 'What is the notice of the lease?');
    expect(shown).not.toContain('It is three months.');
    expect(answer).toMatchObject({
      msg_status: 'complete',
      msg_parts: [{ kind: 'text', text: 'The notice is of three months. [1]' }],
      msg_citations: [{ n: 1, quote: FACT }],
      msg_usage: { input_tokens: 240, output_tokens: 40 },
    });
    expect(await runOf(client, thread, run_id)).toMatchObject({ run_steps: 2 });
    expect(server.chats[1]?.text).toContain('cite the number behind each sentence');
    expect(server.chats[1]?.text.endsWith('What is the notice of the lease?')).toBe(true);
    await crediting.audit(ours);
  }, 60_000);

  it.each([
    ['in words', ['It is three months.', 'I am sure that it is three months.']],
    ['by a number that there is not', ['Three months. [7]', 'Three months. [8]']],
  ])(
    'that cites nothing twice, answering %s, says that it has no supported answer, and nothing else',
    async (_, texts) => {
      says(...texts);
      const { answer } = await followed(await strict(), 'What is the notice of the lease?');
      expect(answer).toMatchObject({
        msg_status: 'complete',
        msg_parts: [
          { kind: 'text', text: 'I have no supported answer to this.' },
          { kind: 'notice', code: 'ungrounded' },
        ],
        msg_citations: [],
      });
      expect(server.chats).toHaveLength(2);
    },
    60_000,
  );

  it('keeps what it did before, and does not take a second answer for one to the correction', async () => {
    const { agent_id } = await makeAgent(client, {
      ...(await strict()),
      agent_model: 'atrium/extract-1',
      agent_retrieval: { mode: 'tool', require: true },
      agent_tools: [{ tool: 'search_knowledge' }],
    });
    const thread = await newThread(client, { thread_agent: agent_id });
    expect(await ask(client, thread, 'What is the notice of the lease?')).toMatchObject({ msg_text: `${FACT} [1]` });
    const { answer } = await followed({}, 'Which colour does the harbour crane have?', thread);
    expect(answer).toMatchObject({ msg_text: 'I have no supported answer to this.', msg_citations: [] });
    expect(answer.msg_parts.filter(({ kind }) => kind === 'tool').length).toBeGreaterThan(0);
  }, 60_000);
});

describe('the subject of a thread', () => {
  it('that its asker can no longer read is no part of the answer any more, and the answer says so', async () => {
    const asker = await ours.member('editor');
    const { file_id } = await upload(client, 'lease.md', Buffer.from(FACT), { file_repo: { library: ['docs'] } });
    const { agent_id } = await makeAgent(client, {
      agent_model: 'lab/played-1',
      agent_tools: [],
      agent_type: 'context',
      agent_context_types: ['file'],
    });
    const found = await asker.client.post('/threads/find-or-create', { thread_ref: { type: 'file', id: file_id }, thread_agent: agent_id });
    const { thread_id } = found.body as { thread_id: string };
    await eventually(
      () => api.sql(`SELECT 1 FROM file_text WHERE file_id = $1 AND ft_status = 'ready'`, [file_id]),
      ({ length }) => length === 1,
      60_000,
    );
    says('Yes.', 'No.');
    const before = await ask(asker.client, thread_id, 'May I leave?');
    expect(before.msg_parts.map(({ kind }) => kind)).toEqual(['text']);
    const context = (): Promise<{ thread_context: string | null }[]> =>
      api.sql('SELECT thread_context FROM thread WHERE thread_id = $1', [thread_id]);
    expect(server.chats[0]?.system).toContain('lease.md');

    const album_acl = { users: { [ours.owner.user_id]: 'owner' } };
    const { album_id } = (await client.post('/document-folders', { album_name: 'Closed', album_acl }).expect(201)).body as {
      album_id: string;
    };
    await client.post(`/document-folders/${album_id}/files`, { file_ids: [file_id] }).expect(200);
    const after = await ask(asker.client, thread_id, 'May I leave?');
    expect(after).toMatchObject({
      msg_status: 'complete',
      msg_parts: [
        { kind: 'notice', code: 'subject_unavailable' },
        { kind: 'text', text: 'No.' },
      ],
    });
    expect(server.chats[1]?.system).not.toContain('lease.md');
    expect(server.chats[1]?.system).not.toContain('three months');
    expect(await context()).toEqual([{ thread_context: null }]);
  }, 60_000);
});

describe('the space of a thread', () => {
  it('has nothing to say in the private thread of a member who has left it', async () => {
    const member = await ours.member('editor');
    const space = { space_name: 'Board', space_instructions: 'The merger is called Seagull.' };
    const { space_id } = (await client.post('/spaces', space).expect(201)).body as { space_id: string };
    const at = `/spaces/${space_id}/members`;
    await client.post(at, { sm_principal_type: 'user', sm_principal: member.user_id, sm_role: 'editor' }).expect(201);
    const { agent_id } = await makeAgent(client, { agent_model: 'lab/played-1', agent_tools: [] });
    const thread = await newThread(member.client, { thread_agent: agent_id, thread_space: space_id });
    says('Seagull.', 'No idea.');
    await ask(member.client, thread, 'What is the merger called?');
    expect(server.chats[0]?.system).toContain('Seagull');
    await client.delete(`${at}/${member.user_id}`).expect(204);
    await ask(member.client, thread, 'What is the merger called?');
    expect(server.chats.at(-1)?.system).not.toContain('Seagull');
  }, 60_000);
});

describe('calls of tools', () => {
  const probing = { agent_tools: [{ tool: 'lab:probe', approval: 'never' }] };
  const toolOf = ({ msg_parts }: Said) => msg_parts.find(({ kind }) => kind === 'tool');
  const given = (): string => JSON.stringify(server.turns);

  it.each<[string, () => Promise<ToolOutcome>, object]>([
    [
      'that fail',
      () => Promise.reject(new Problem('not_found', 'There is no such berth.')),
      { state: 'error', error: 'There is no such berth.' },
    ],
    ['that break', () => Promise.reject(new Error('password=hunter2')), { state: 'error', error: 'The tool failed.' }],
    [
      'that break before they begin',
      () => {
        throw new Error('password=hunter2');
      },
      { state: 'error', error: 'The tool failed.' },
    ],
    [
      'with text that cannot be stored',
      () => Promise.resolve({ output: { 'a\u0000': 'x\u0000\ud800y' } }),
      { state: 'done', output: { a: 'xy' } },
    ],
    ['without a result', () => Promise.resolve({ output: null }), { state: 'done', output: null }],
  ])(
    '%s are shown with their outcome, and the model goes on with it',
    async (_, execute, shown) => {
      outcome = execute;
      calls('probe');
      const { answer } = await followed(probing, 'Probe it.');
      expect(toolOf(answer)).toMatchObject({ tool: 'probe', ...shown });
      expect(answer).toMatchObject({ msg_status: 'complete', msg_text: 'Done.' });
      expect(JSON.stringify(answer)).not.toContain('hunter2');
      expect(given()).toBe('[]');
    },
    60_000,
  );

  it('that return megabytes are cut, for the thread and for the model', async () => {
    outcome = () => Promise.resolve({ output: { text: 'x'.repeat(5_000_000) } });
    calls('probe');
    const { answer, thread, run_id } = await followed(probing, 'Probe it.');
    const output = toolOf(answer)?.output as { text: string; cut: boolean };
    expect([output.cut, output.text.length]).toEqual([true, 50_000]);
    expect((await runOf(client, thread, run_id)).run_status).toBe('completed');
  }, 60_000);

  it('have the same key in each attempt, the input, and the rights of the asker', async () => {
    const made: ToolCall[] = [];
    outcome = (call) => {
      made.push(call);
      return Promise.resolve({ output: 1 });
    };
    calls('probe', 'probe');
    const { run_id } = await followed(probing, 'Probe it.');
    // The second is the same call again.
    expect(made.map(({ key }) => key)).toEqual([`${run_id}:c0`, `${run_id}:c1`]);
    expect(made.every(({ actor }) => actor.user_id === ours.owner.user_id && actor.tenant_id === ours.tenant_id)).toBe(true);
  }, 60_000);

  it('that the asker may not make any more are not made', async () => {
    let count = 0;
    outcome = () => {
      count += 1;
      withdrawn = true;
      return Promise.resolve({ output: count });
    };
    server.turns.push(
      { stream: { calls: [{ id: 'c1', name: 'probe', input: '{"a":1}' }] } },
      { stream: { calls: [{ id: 'c2', name: 'probe', input: '{"a":2}' }] } },
    );
    const { answer } = await followed({ agent_tools: [...probing.agent_tools, { tool: 'calculate' }] }, 'Probe it.');
    expect(count).toBe(1);
    expect(answer.msg_parts.filter(({ kind }) => kind === 'tool').map(({ state, error }) => [state, error])).toEqual([
      ['done', undefined],
      ['error', 'There is no tool probe.'],
    ]);
  }, 60_000);

  it('to a tool that was called wrongly twice are not made, since it is not offered any more', async () => {
    for (const input of ['{"x":1}', '{"x":2}', '{"expression":"6 * 7"}'])
      server.turns.push({ stream: { calls: [{ name: 'calculate', input }] } });
    const { answer } = await followed({ agent_tools: [{ tool: 'calculate' }, { tool: 'current_time' }] }, 'Six times seven?');
    const tools = answer.msg_parts.filter(({ kind }) => kind === 'tool');
    expect(tools.map(({ state }) => state)).toEqual(['error', 'error', 'error']);
    expect(tools[2]?.error).toBe('There is no tool calculate.');
    expect(JSON.stringify(server.chats[2]?.tools)).not.toContain('calculate');
    expect(answer).toMatchObject({ msg_status: 'complete', msg_text: 'Done.' });
  }, 60_000);

  it('end with the last step, also those of a model that never stops calling', async () => {
    let count = 0;
    outcome = () => Promise.resolve({ output: ++count });
    server.answering = () => ({
      stream: { text: 'Once more.', calls: [{ id: `c${count}`, name: 'probe', input: JSON.stringify({ count }) }] },
    });
    const { answer } = await followed(probing, 'Probe it.');
    expect([count, answer.msg_status, server.chats.length]).toEqual([7, 'complete', 8]);
  }, 60_000);

  it('of one step are at most 32', async () => {
    let count = 0;
    outcome = () => Promise.resolve({ output: ++count });
    server.turns.push({
      stream: { calls: Array.from({ length: 40 }, (_, at) => ({ id: `c${at}`, name: 'probe', input: JSON.stringify({ at }) })) },
    });
    const { answer } = await followed(probing, 'Probe it.');
    expect([count, answer.msg_parts.filter(({ kind }) => kind === 'tool').length]).toEqual([32, 32]);
    expect(answer.msg_text).toBe('Done.');
  }, 60_000);
});

describe('what a model takes at most', () => {
  it('is kept to in every step: the oldest turns are left out, then the oldest results are cut, with a note to the model', async () => {
    server.context = SMALL - 500;
    outcome = ({ input }) => Promise.resolve({ output: { text: `${JSON.stringify(input.n)} `.repeat(1_000) } });
    const agent = { agent_model: 'lab/small-1', agent_tools: [{ tool: 'lab:probe', approval: 'never' }] };
    says('First. '.repeat(400));
    const { thread } = await followed(agent, 'Tell me. '.repeat(300));
    for (const n of [11, 22, 33]) server.turns.push({ stream: { calls: [{ name: 'probe', input: JSON.stringify({ n }) }] } });
    const { answer } = await followed(agent, 'Probe it.', thread);
    expect(answer).toMatchObject({ msg_status: 'complete', msg_text: 'Done.' });
    const asked = (at: number): string => JSON.stringify(server.chats[at]?.messages);
    expect([1, 2].map((at) => asked(at).includes('First.'))).toEqual([true, false]);
    expect(asked(4)).toMatch(/11 11 .*Cut: these are \d+ of \d+ characters/);
    expect(asked(4).includes('33 '.repeat(1_000))).toBe(true);
  }, 60_000);
});

describe('an answer by a schema', () => {
  it('is asked of a model that knows no schemas in the prompt, and is part of the conversation afterwards', async () => {
    const agent_schema = { type: 'object', properties: { months: { type: 'integer' } }, required: ['months'] };
    says('{"months":3}', '{"months":4}');
    const { answer, thread } = await followed({ agent_schema }, 'How long is the notice?');
    expect(answer.msg_parts).toEqual([{ kind: 'data', value: { months: 3 } }]);
    expect(server.chats[0]?.response_format).toEqual({ type: 'json_object' });
    expect(server.chats[0]?.system).toContain('"properties":{"months":{"type":"integer"}}');
    await followed({}, 'And one more?', thread);
    expect(server.chats[1]?.messages).toContainEqual({ role: 'assistant', content: '{"months":3}' });
  }, 60_000);
});

describe('a schema that was stored under other rules', () => {
  it('fails the run before its model is asked, and the error says what to do', async () => {
    const { agent_id } = await makeAgent(client, { agent_model: 'lab/played-1', agent_tools: [] });
    const schema = { type: 'object', allOf: [{ $ref: '#' }] };
    await api.sql('UPDATE agent SET agent_schema = $2 WHERE agent_id = $1', [agent_id, JSON.stringify(schema)]);
    const thread = await newThread(client, { thread_agent: agent_id });
    const { assistant_message } = await post(client, thread, 'How long is the notice?');
    expect(await answerOf(client, thread, assistant_message.msg_id)).toMatchObject({
      msg_status: 'failed',
      msg_error: { code: 'unprocessable_content', detail: expect.stringContaining('Correct agent_schema of the agent') },
    });
    expect(server.chats).toEqual([]);
  }, 60_000);
});

describe('attachments without a question', () => {
  it('are answered by every provider', async () => {
    says('I read it.');
    const { file_id } = await upload(client, 'lease.md', Buffer.from(FACT), { file_repo: { library: ['docs'] } });
    const { agent_id } = await makeAgent(client, { agent_model: 'lab/played-1', agent_tools: [] });
    const thread = await newThread(client, { thread_agent: agent_id });
    const asked = (await client.post(`/threads/${thread}/messages`, { msg_files: [file_id] }).expect(202)).body as {
      assistant_message: Said;
    };
    expect(await answerOf(client, thread, asked.assistant_message.msg_id)).toMatchObject({
      msg_status: 'complete',
      msg_text: 'I read it.',
    });
  }, 60_000);
});
