import { migrateQueue } from '@atrium/platform/messaging';
import { ModelServer, type Client, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { Crediting } from '../governance/crediting';
import { MeteredHost } from '../governance/metered-host';
import { addText, indexed, makeBase } from '../knowledge/bases';
import { MODELS_ON_LOOPBACK, provideModels } from '../models/providing';
import { BRIEF_LEASES, startAtrium } from '../support/api';
import { OPERATOR_TOKENS } from '../support/operating';
import { makeAgent } from './agents';
import { answerOf, foldedParts, heardOf, messageOf, newThread, post, runOf, type Asked, type Said } from './answering';
import { Follower } from './following';

let api: RunningApi;
let server: ModelServer;
let crediting: Crediting;
let ours: TestWorkspace;
let client: Client;
const workers: MeteredHost[] = [];
const open: Follower[] = [];

beforeAll(async () => {
  [server, api] = [await ModelServer.start(), await startAtrium({ ...BRIEF_LEASES, ...MODELS_ON_LOOPBACK, OPERATOR_TOKENS })];
  crediting = new Crediting(api);
  await migrateQueue(api.database.ownerUrl);
}, 120_000);
beforeEach(async () => {
  ours = await api.workspace(['module-documents']);
  client = ours.owner.client;
  await crediting.grant(ours, { grant_credits: 10_000 });
  server.chats.length = server.turns.length = 0;
});
afterEach(async () => {
  for (const follower of open.splice(0)) follower.leave();
  await Promise.all(workers.splice(0).map((worker) => worker.kill()));
});
afterAll(async () => {
  await api.close();
  await server.stop();
});

/** A worker, which stops at an event if one is named. */
async function worker(haltsAt = ''): Promise<MeteredHost> {
  const host = await MeteredHost.start('../ai/halting-worker.cjs', haltsAt);
  workers.push(host);
  return host;
}

async function asked(agent: object, text: string): Promise<Asked & { thread: string; follower: Follower }> {
  const { agent_id } = await makeAgent(client, { agent_tools: [], ...agent });
  const thread = await newThread(client, { thread_agent: agent_id });
  const follower = await Follower.connect(api, client, thread);
  open.push(follower);
  await follower.until((heard) => heard.length >= 2);
  return { thread, follower, ...(await post(client, thread, text)) };
}

/** A model that the test plays. */
const PLAYED = { agent_model: 'lab/played-1' };
const played = (): Promise<string> =>
  provideModels(api, ours, server, [{ model: 'played-1', model_kind: 'text', model_capabilities: ['tools', 'json'] }]);

/** The worker that stops at the event is lost; another one goes on. */
async function lostAt(halted: MeteredHost): Promise<void> {
  await halted.line('halted');
  await halted.kill();
  await worker();
}

/** What holds for each answer, whatever became of its workers. */
async function assertWhole({ thread, follower, assistant_message: { msg_id } }: Awaited<ReturnType<typeof asked>>): Promise<Said> {
  const heard = await heardOf(follower, msg_id);
  const stored = await messageOf(client, thread, msg_id);
  expect(heard.filter(({ data }) => data.op === 'done')).toHaveLength(1);
  expect(heard.filter(({ data }) => data.op === 'start')).toHaveLength(1);
  expect(foldedParts(heard, msg_id)).toEqual(stored.msg_parts);
  expect(await api.sql('SELECT 1 FROM credit_hold WHERE tenant_id = $1 AND hold_settled_at IS NULL', [ours.tenant_id])).toEqual([]);
  await crediting.audit(ours);
  return stored;
}

const charged = async (): Promise<string[]> =>
  (
    await api.sql<{ usage_param: string }>(
      `SELECT usage_param FROM usage_entry WHERE tenant_id = $1 AND usage_param LIKE 'ai.%' AND usage_param <> 'ai.embedding_tokens' ORDER BY 1`,
      [ours.tenant_id],
    )
  ).map(({ usage_param }) => usage_param);

describe('a worker that is lost', () => {
  it('between the commit of the last step and the end leaves the end alone to another: the model is not asked again', async () => {
    const { ds_id } = await makeBase(client);
    const first = await worker('citations');
    await addText(client, ds_id, 'Lease', 'Either party may terminate the lease with a notice of three months.');
    await indexed(client, ds_id);
    const question = await asked({ agent_knowledge: [ds_id], agent_retrieval: { mode: 'always' } }, 'What is the notice of the lease?');
    await lostAt(first);
    const stored = await assertWhole(question);
    expect(stored).toMatchObject({
      msg_status: 'complete',
      msg_text: 'Either party may terminate the lease with a notice of three months. [1]',
      msg_citations: [{ n: 1 }],
    });
    expect(await runOf(client, question.thread, question.run.run_id)).toMatchObject({ run_steps: 1, run_attempt: 2 });
    expect(await charged()).toEqual(['ai.input_tokens', 'ai.output_tokens']);
  }, 180_000);

  it('after the end was committed and before it was reported has it reported by another, once', async () => {
    await played();
    server.turns.push({ stream: { text: 'Three months.' } });
    const first = await worker('done');
    const question = await asked(PLAYED, 'What is the notice?');
    await first.line('halted');
    expect(await messageOf(client, question.thread, question.assistant_message.msg_id)).toMatchObject({ msg_status: 'complete' });
    await lostAt(first);
    expect(await assertWhole(question)).toMatchObject({ msg_text: 'Three months.' });
    expect(await runOf(client, question.thread, question.run.run_id)).toMatchObject({ run_status: 'completed', run_attempt: 1 });
    expect(server.chats).toHaveLength(1);
  }, 180_000);

  it('before the run waited for the client has it wait with another, and the same call goes on', async () => {
    const first = await worker('wait');
    const tool = { client: true, name: 'gauge', description: 'Reads a gauge.', schema: { type: 'object' } };
    const question = await asked({ agent_tools: [tool] }, '/gauge {"a":1}');
    await lostAt(first);
    const { thread, run, assistant_message } = question;
    expect(await answerOf(client, thread, assistant_message.msg_id)).toMatchObject({ msg_status: 'waiting' });
    const given = { results: [{ call_id: 'call_1', output: { gauge: 'The gauge reads 7.4 bar.' } }] };
    await client.post(`/threads/${thread}/runs/${run.run_id}/tool-results`, given).expect(200);
    expect((await assertWhole(question)).msg_text).toContain('7.4 bar');
    expect((await runOf(client, thread, run.run_id)).tool_calls).toHaveLength(1);
    expect((await charged()).filter((param) => param === 'ai.tool_calls')).toHaveLength(1);
  }, 180_000);

  it('keeps how the model ended', async () => {
    await played();
    // The number has no source: it is removed between the last step and the end.
    server.turns.push({ stream: { text: 'Three months [9], and', finish: 'length' } });
    const first = await worker('part');
    const question = await asked(PLAYED, 'What is the notice?');
    await lostAt(first);
    expect(await assertWhole(question)).toMatchObject({ msg_finish: 'length', msg_text: 'Three months, and' });
  }, 180_000);

  it('while an answer is corrected leaves the correction to another', async () => {
    await played();
    const agent_schema = { type: 'object', properties: { months: { type: 'number' } }, required: ['months'] };
    server.turns.push({ stream: { text: 'Three.' } }, { stream: { text: '{"months": 4}' } }, { stream: { text: '{"months": 3}' } });
    const first = await worker('step:2');
    const question = await asked({ ...PLAYED, agent_schema }, 'What is the notice?');
    await lostAt(first);
    expect(await assertWhole(question)).toMatchObject({ msg_status: 'complete', msg_parts: [{ kind: 'data', value: { months: 3 } }] });
    expect(server.chats).toHaveLength(3);
    expect(server.chats[2]?.text).toContain('does not follow the JSON Schema');
  }, 180_000);

  it('while an answer without sources is corrected shows nothing of what was taken back', async () => {
    await played();
    server.turns.push(
      { stream: { text: 'I guess three months.' } },
      { stream: { text: 'Perhaps four.' } },
      { stream: { text: 'Or five.' } },
    );
    const first = await worker('step:2');
    const question = await asked({ ...PLAYED, agent_retrieval: { require: true } }, 'What is the notice?');
    await lostAt(first);
    const stored = await assertWhole(question);
    expect(stored.msg_text).toBe('I have no supported answer to this.');
    expect(stored.msg_parts.map(({ kind }) => kind)).toEqual(['text', 'notice']);
    expect(server.chats).toHaveLength(3);
  }, 180_000);

  it('three times has each loss shown, and none billed', async () => {
    await played();
    for (let time = 0; time < 3; time++) server.turns.push({ stream: { text: 'A long answer. '.repeat(20), gapMs: 30 } });
    let first = await worker('step');
    const question = await asked(PLAYED, 'What is the notice?');
    for (let time = 0; time < 3; time++) {
      await first.line('halted');
      await first.kill();
      first = await worker('step');
    }
    expect(await assertWhole(question)).toMatchObject({ msg_status: 'failed', msg_error: { code: 'service_unavailable' } });
    expect(await charged()).toEqual(Array<string>(3).fill('ai.lost_tokens'));
    expect((await crediting.rows(ours)).filter(({ led_usage, led_credits }) => led_usage && led_credits !== 0)).toEqual([]);
  }, 240_000);
});
