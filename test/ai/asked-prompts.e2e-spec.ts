import { ModelServer, type Client, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { upload } from '../files/uploading';
import { Crediting } from '../governance/crediting';
import { addText, indexed, makeBase } from '../knowledge/bases';
import { provideModels } from '../models/providing';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { makeAgent } from './agents';
import { answerOf, newThread, type Asked, type Said } from './answering';
import { makePrompt, makeWildcard } from './prompts';

const FACT = 'Either party may terminate the lease with a notice of three months.';

let api: RunningApi;
let server: ModelServer;
let ours: TestWorkspace;
let client: Client;

beforeAll(async () => {
  [api, server] = await Promise.all([sharedAtriumWithWorker(), ModelServer.start()]);
}, 120_000);
beforeEach(async () => {
  ours = await api.workspace(['module-documents']);
  client = ours.owner.client;
  await new Crediting(api).grant(ours, { grant_credits: 10_000 });
  server.chats.length = server.turns.length = 0;
});
afterAll(async () => {
  await api.close();
  await server.stop();
});

interface AskedOfPrompt extends Asked {
  readonly user_message: Said & { readonly msg_prompt: string | null; readonly msg_files: readonly string[] };
}

const posted = async (thread: string, body: object): Promise<AskedOfPrompt> =>
  (await client.post(`/threads/${thread}/messages`, body).expect(202)).body as AskedOfPrompt;
const again = async (thread: string, { msg_id }: Said, by = client): Promise<AskedOfPrompt> =>
  (await by.post(`/threads/${thread}/messages/${msg_id}/regenerate`, {}).expect(202)).body as AskedOfPrompt;

/** What a run was asked for, as it is kept. */
async function kept({ run }: Asked): Promise<{ readonly model: string; readonly agent: string; readonly params: object }> {
  const [row] = await api.sql<{ model: string; agent: string; params: object }>(
    `SELECT run_model AS model, run_agent AS agent, run_options -> 'params' AS params FROM run WHERE run_id = $1`,
    [run.run_id],
  );
  if (!row) throw new Error('There is no such run.');
  return row;
}

/** What was charged for an answer, and what was set aside for it, by its prompt. */
async function promptsOf({ assistant_message, run }: Asked): Promise<unknown[]> {
  const charged = await api.sql<{ prompt: string | null }>(
    `SELECT DISTINCT usage_prompt AS prompt FROM usage_entry WHERE tenant_id = $1 AND usage_ref ->> 'message_id' = $2`,
    [ours.tenant_id, assistant_message.msg_id],
  );
  const set_aside = await api.sql<{ prompt: string | null }>(
    'SELECT hold_prompt AS prompt FROM credit_hold h JOIN run r ON r.tenant_id = h.tenant_id AND r.run_hold = h.hold_id::text WHERE r.run_id = $1',
    [run.run_id],
  );
  return [charged, set_aside].map((rows) => rows.map(({ prompt }) => prompt));
}

/** An agent that searches one base, in which there is nothing. */
async function readingNothing(agent: object = {}): Promise<string> {
  const { ds_id } = await makeBase(client);
  const { agent_id } = await makeAgent(client, {
    agent_knowledge: [ds_id],
    agent_retrieval: { mode: 'always' },
    agent_tools: [],
    agent_overrides: ['knowledge'],
    ...agent,
  });
  return agent_id;
}

async function baseWithFact(): Promise<string> {
  const { ds_id } = await makeBase(client);
  await addText(client, ds_id, 'Lease', FACT);
  await indexed(client, ds_id);
  return ds_id;
}

describe('a prompt as a message', () => {
  it('is answered from its knowledge and the files of its values, and so is each later answer; it is charged to the prompt', async () => {
    const agent_id = await readingNothing();
    await makeWildcard(client, 'Tariff', 'document', { required: true });
    const tariff = await upload(client, 'tariff.md', Buffer.from('The berth of a sailing boat costs twelve euros a day.'), {
      file_repo: { library: ['docs'] },
    });
    const { prompt_id } = await makePrompt(client, 'What is the notice to terminate the lease? See {{Tariff}}.', {
      prompt_knowledge: [await baseWithFact()],
      prompt_agent: agent_id,
    });
    const thread = await newThread(client);
    const asked = await posted(thread, { prompt: { prompt_id, values: { Tariff: tariff.file_id } } });
    expect(asked.user_message).toMatchObject({
      msg_text: 'What is the notice to terminate the lease? See tariff.md.',
      msg_prompt: prompt_id,
      msg_files: [tariff.file_id],
    });
    expect(asked.assistant_message).toMatchObject({ msg_prompt: prompt_id });
    const first = await answerOf(client, thread, asked.assistant_message.msg_id);
    expect(first).toMatchObject({ msg_status: 'complete', msg_text: expect.stringContaining(FACT) });

    await client.patch(`/prompts/${prompt_id}`, { prompt_knowledge: [], prompt_agent: null }).expect(200);
    for (const from of [asked.assistant_message, asked.user_message]) {
      const later = await again(thread, from);
      expect(later.assistant_message).toMatchObject({ msg_prompt: prompt_id, msg_agent: agent_id });
      expect((await answerOf(client, thread, later.assistant_message.msg_id)).msg_text).toBe(first.msg_text);
      expect(await promptsOf(later)).toEqual([[prompt_id], [prompt_id]]);
    }
  }, 120_000);

  it('that nobody answered yet is answered with all that it brings', async () => {
    const { prompt_id } = await makePrompt(client, 'What is the notice to terminate the lease?', {
      prompt_knowledge: [await baseWithFact()],
    });
    const thread = await newThread(client, { thread_agent: await readingNothing() });
    const { user_message } = (
      await client.post(`/threads/${thread}/messages`, { prompt: { prompt_id }, run_options: { run: false } }).expect(201)
    ).body as AskedOfPrompt;
    const { assistant_message } = await again(thread, user_message);
    expect(await answerOf(client, thread, assistant_message.msg_id)).toMatchObject({ msg_text: `${FACT} [1]` });
  }, 120_000);

  it('is asked of its model with its parameters, unless the message chooses others where the agent lets it', async () => {
    await provideModels(api, ours, server, [
      { model: 'played-1', model_kind: 'text' },
      { model: 'played-2', model_kind: 'text' },
    ]);
    const fixed = await makeAgent(client, { agent_tools: [] });
    const open = await makeAgent(client, { agent_tools: [], agent_overrides: ['model', 'params'] });
    const { prompt_id } = await makePrompt(client, 'What is the notice?', {
      prompt_model: 'lab/played-1',
      prompt_params: { temperature: 0.2 },
    });
    const ask = async (agent_id: string, run_options: object = {}): Promise<Asked> => {
      server.turns.push({ stream: { text: 'Three months.' } });
      const thread = await newThread(client, { thread_agent: agent_id });
      const asked = await posted(thread, { prompt: { prompt_id }, run_options });
      await answerOf(client, thread, asked.assistant_message.msg_id);
      return asked;
    };
    const half = await makeAgent(client, {
      agent_tools: [],
      agent_params: { temperature: 0.9, top_p: 0.5 },
      agent_overrides: ['model', 'params'],
    });
    expect(await kept(await ask(half.agent_id))).toMatchObject({ model: 'lab/played-1', params: { temperature: 0.2, top_p: 0.5 } });
    const chosen = { model_id: 'lab/played-2', params: { temperature: 1 } };
    expect(await kept(await ask(open.agent_id, chosen))).toMatchObject({ model: 'lab/played-2', params: { temperature: 1 } });
    expect(server.chats.map(({ model }) => model)).toEqual(['played-1', 'played-2']);
    const thread = await newThread(client, { thread_agent: fixed.agent_id });
    const refused = await client.post(`/threads/${thread}/messages`, { prompt: { prompt_id }, run_options: chosen }).expect(400);
    expect(refused.body.errors[0].path).toBe('run_options.model_id');
  }, 60_000);

  it('chooses no model, no parameters and no bases for an agent that lets no message choose them', async () => {
    await provideModels(api, ours, server, [{ model: 'played-1', model_kind: 'text' }]);
    const refusal = async (prompt: object, agent: object): Promise<string> => {
      const { agent_id } = await makeAgent(client, { agent_tools: [], ...agent });
      const { prompt_id } = await makePrompt(client, 'What is the notice?', prompt);
      const thread = await newThread(client, { thread_agent: agent_id });
      const { body } = await client.post(`/threads/${thread}/messages`, { prompt: { prompt_id } }).expect(409);
      await client.post(`/prompts/${prompt_id}/run`, { thread_id: thread }).expect(409);
      return body.detail as string;
    };
    expect(await refusal({ prompt_model: 'lab/played-1' }, { agent_overrides: ['params'] })).toContain('chooses the model of its answers');
    expect(await refusal({ prompt_params: { max_output_tokens: 9_000 } }, { agent_overrides: ['model'] })).toContain('chooses the params');
    const { ds_id } = await makeBase(client);
    expect(await refusal({ prompt_knowledge: [ds_id] }, { agent_overrides: ['model'] })).toContain('chooses the knowledge');
    const { prompt_id } = await makePrompt(client, 'What is the notice?', { prompt_model: 'lab/played-1' });
    const { agent_id } = await makeAgent(client, { agent_tools: [], agent_model: 'lab/played-1' });
    server.turns.push({ stream: { text: 'Three months.' } });
    await posted(await newThread(client, { thread_agent: agent_id }), { prompt: { prompt_id } });
  }, 60_000);

  it('whose model or agent is gone says so, and what to do', async () => {
    const { agent_id } = await makeAgent(client);
    const { prompt_id } = await makePrompt(client, 'What is the notice?', { prompt_agent: agent_id });
    const thread = await newThread(client);
    const refused = async (): Promise<string> => {
      const { body } = await client.post(`/threads/${thread}/messages`, { prompt: { prompt_id } }).expect(409);
      expect(body.code).toBe('invalid_state');
      return body.detail as string;
    };
    await client.delete(`/agents/${agent_id}`).expect(204);
    expect(await refused()).toContain('The agent of the prompt is deleted');
    await api.sql(`UPDATE prompt SET prompt_agent = NULL, prompt_model = 'gone/one' WHERE prompt_id = $1`, [prompt_id]);
    expect(await refused()).toBe(
      'The workspace has no text model gone/one any more, which the prompt names. Give the prompt another model.',
    );
  }, 60_000);

  it('needs the permission to run prompts: others cannot read its text by writing it into a thread', async () => {
    const { prompt_id } = await makePrompt(client, 'The secret words.');
    const writing = await api.memberWithKey(ours.tenant_id, ours.owner.user_id, ours.owner.email, ['thread:create', 'thread:edit']);
    const thread = await newThread(client);
    const body = { prompt: { prompt_id }, run_options: { run: false } };
    const refused = await writing.client.post(`/threads/${thread}/messages`, body).expect(403);
    expect(refused.body).toMatchObject({ code: 'permission_denied', detail: expect.stringContaining('prompt:run') });
    expect(JSON.stringify(refused.body)).not.toContain('secret');
    const running = await api.memberWithKey(ours.tenant_id, ours.owner.user_id, ours.owner.email, [
      'thread:create',
      'thread:edit',
      'prompt:run',
    ]);
    await running.client.post(`/threads/${thread}/messages`, body).expect(201);
  }, 60_000);
});
