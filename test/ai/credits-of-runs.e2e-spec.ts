import { eventually, ModelServer, type Client, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { Crediting } from '../governance/crediting';
import { readText, uploadDocument } from '../documents/documents-of';
import { provideModels } from '../models/providing';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { makeAgent } from './agents';
import { answerOf, ask, newThread, post } from './answering';

/** 20,000 tokens, 0.4 credits at the price of input. */
const TURN = 'harbour '.repeat(10_000);
const TOKENS = 20_000;

let api: RunningApi;
let server: ModelServer;
let crediting: Crediting;
let ours: TestWorkspace;
let client: Client;

beforeAll(async () => {
  [api, server] = await Promise.all([sharedAtriumWithWorker(), ModelServer.start()]);
  crediting = new Crediting(api);
}, 120_000);
beforeEach(async () => {
  ours = await api.workspace(['module-documents']);
  client = ours.owner.client;
  server.chats.length = server.turns.length = 0;
  server.answering = () => ({ stream: { text: 'Yes.', usage: { input: TOKENS, output: 2 } } });
  await crediting.grant(ours, { grant_credits: 1 });
  await provideModels(api, ours, server, [
    { model: 'played-1', model_kind: 'text', model_context: 200_000, model_capabilities: ['tools'] },
  ]);
});
afterAll(async () => {
  await api.close();
  await server.stop();
});

const agentWith = async (max_output_tokens: number): Promise<string> =>
  (await makeAgent(client, { agent_model: 'lab/played-1', agent_tools: [], agent_params: { max_output_tokens } })).agent_id;

describe('the credits of a run', () => {
  it('[ai 4] are set aside with the question: one that costs more than there is answers 402, and nothing is written', async () => {
    const thread = await newThread(client, { thread_agent: await agentWith(64_000) });
    const asked = await client.post(`/threads/${thread}/messages`, { msg_text: 'Hello' });
    expect([asked.status, asked.body.code]).toEqual([402, 'credits_exhausted']);
    expect(await api.sql('SELECT msg_id FROM message WHERE tenant_id = $1', [ours.tenant_id])).toEqual([]);
    const short = await newThread(client, { thread_agent: await agentWith(50) });
    expect((await ask(client, short, 'Hello')).msg_text).toBe('Yes.');
  }, 60_000);

  describe('whose output costs next to nothing', () => {
    let chats: number;
    beforeEach(async () => {
      // Less than the half of a long turn.
      ours = await api.workspace(['module-documents']);
      client = ours.owner.client;
      await crediting.grant(ours, { grant_credits: 0.1 });
      await provideModels(api, ours, server, [
        { model: 'played-1', model_kind: 'text', model_context: 200_000, model_capabilities: ['tools'] },
      ]);
      chats = server.chats.length;
    });
    const charged = async (): Promise<number> =>
      (await crediting.rows(ours)).filter(({ led_usage }) => led_usage).reduce((sum, { led_credits }) => sum - led_credits, 0);

    it.each([
      ['the question', {}, TURN],
      ['the instructions', { agent_instructions: 'harbour '.repeat(6_000) }, 'Hello'],
    ])('[ai 4] answers 402 where %s alone would cost more than there is, and nothing is written', async (_, more, msg_text) => {
      const { agent_id } = await makeAgent(client, {
        agent_model: 'lab/played-1',
        agent_tools: [],
        agent_params: { max_output_tokens: 50 },
        ...more,
      });
      const thread = await newThread(client, { thread_agent: agent_id });
      const asked = await client.post(`/threads/${thread}/messages`, { msg_text });
      expect([asked.status, asked.body.code]).toEqual([402, 'credits_exhausted']);
      expect(await api.sql('SELECT msg_id FROM message WHERE tenant_id = $1', [ours.tenant_id])).toEqual([]);
      const short = await newThread(client, { thread_agent: await agentWith(50) });
      server.answering = () => ({ stream: { text: 'Yes.', usage: { input: 10, output: 2 } } });
      expect((await ask(client, short, 'Hello')).msg_text).toBe('Yes.');
    });

    it('[ai 4] asks no model where the history or an attachment costs more than there is', async () => {
      const agent_id = await agentWith(50);
      const long = await newThread(client, { thread_agent: agent_id });
      await client.post(`/threads/${long}/messages`, { msg_text: TURN, run_options: { run: false } }).expect(201);
      const { file_id } = await uploadDocument(client, 'harbours.txt', TURN);
      await readText(client, file_id);
      const attached = await newThread(client, { thread_agent: agent_id });
      for (const [thread, more] of [
        [long, {}],
        [attached, { msg_files: [file_id] }],
      ] as const) {
        const asked = await client.post(`/threads/${thread}/messages`, { msg_text: 'Yes?', ...more }).expect(202);
        const answer = await answerOf(client, thread, (asked.body as { assistant_message: { msg_id: string } }).assistant_message.msg_id);
        expect(answer.msg_parts.map(({ code }) => code)).toContain('credits_exhausted');
      }
      expect(server.chats.length).toBe(chats);
      expect(await charged()).toBeLessThan(0.01);
      await crediting.audit(ours);
    }, 120_000);
  });

  it('hold what its history costs too: four long threads at once never spend more than there is', async () => {
    const agent_id = await agentWith(50);
    const threads = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const thread = await newThread(client, { thread_agent: agent_id });
        for (let turn = 0; turn < 2; turn++)
          await client.post(`/threads/${thread}/messages`, { msg_text: TURN, run_options: { run: false } }).expect(201);
        return thread;
      }),
    );
    const answers = await Promise.all(
      threads.map(async (thread) => {
        const { assistant_message } = await post(client, thread, 'Yes?');
        return answerOf(client, thread, assistant_message.msg_id);
      }),
    );
    // Each asks with 20,000 tokens of history at least; what is not there is not asked for.
    expect(server.chats.length).toBeGreaterThan(0);
    expect(server.chats.length).toBeLessThan(4);
    const dry = answers.filter(({ msg_parts }) => msg_parts.some(({ code }) => code === 'credits_exhausted'));
    expect(dry.length).toBe(4 - server.chats.length);
    const balance = await eventually(
      () => api.sql<{ credit_balance: string }>('SELECT credit_balance FROM credit_balance WHERE tenant_id = $1', [ours.tenant_id]),
      (rows) => rows.length === 1,
    );
    expect(Number(balance[0]?.credit_balance)).toBeGreaterThanOrEqual(0);
    await crediting.audit(ours);
  }, 120_000);
});
