import { newId } from '@atrium/platform/kernel';
import type { Client, RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { Crediting } from '../governance/crediting';
import { startAtriumWithWorker } from '../support/api';
import { OPERATOR_TOKENS } from '../support/operating';
import { addText, indexed, makeBase } from '../knowledge/bases';
import { makeAgent } from './agents';
import { answerOf, ask, foldedParts, heardOf, messageOf, newThread, post, runOf, type Asked, type Said } from './answering';
import { Follower } from './following';

let api: RunningApi;
let ours: TestWorkspace;
let client: Client;
let crediting: Crediting;
let agent: string;
const open: Follower[] = [];

const SENTENCES = Array.from(
  { length: 4 },
  (_, at) =>
    `Berth ${at} of the harbour ${Array.from({ length: 70 }, (_, word) => `${['pier', 'quay', 'mole', 'dock'][at]}${word}`).join(' ')} is let.`,
);
const QUESTION = 'Which berth of the harbour is let?';

beforeAll(async () => {
  // Three words every 50 ms: an answer that takes some seconds.
  api = await startAtriumWithWorker({ AI_LOCAL_DELAY_MS: '50', OPERATOR_TOKENS });
  crediting = new Crediting(api);
}, 120_000);
beforeEach(async () => {
  ours = await api.workspace(['module-documents']);
  client = ours.owner.client;
  await crediting.grant(ours, { grant_credits: 10_000 });
  const { ds_id } = await makeBase(client);
  await addText(client, ds_id, 'Berths', SENTENCES.join(' '));
  await indexed(client, ds_id);
  agent = (await makeAgent(client, { agent_knowledge: [ds_id], agent_retrieval: { mode: 'always' }, agent_tools: [] })).agent_id;
});
afterEach(() => {
  for (const follower of open.splice(0)) follower.leave();
});
afterAll(() => api.close());

/** A thread with somebody who follows it. */
async function followed(): Promise<{ thread: string; follower: Follower }> {
  const thread = await newThread(client, { thread_agent: agent });
  const follower = await Follower.connect(api, client, thread);
  open.push(follower);
  await follower.until((heard) => heard.length >= 2);
  return { thread, follower };
}

const deltas = (follower: Follower, msg_id: string, count: number): Promise<unknown> =>
  follower.until((heard) => heard.filter(({ data }) => data.op === 'delta' && data.msg_id === msg_id).length >= count, 60_000);
const isOver = ({ msg_status }: Said): boolean => ['complete', 'stopped', 'failed'].includes(msg_status);

describe('stopping an answer', () => {
  it('[ai 11] keeps what was shown, counts what was used, and frees the thread', async () => {
    const { thread, follower } = await followed();
    const { assistant_message, run } = await post(client, thread, QUESTION);
    await deltas(follower, assistant_message.msg_id, 20);
    const stopped = (await client.post(`/threads/${thread}/stop`, {}).expect(200)).body as { run: Asked['run']; assistant_message: Said };
    expect(stopped.run).toMatchObject({ run_id: run.run_id, run_status: 'stopped' });
    const kept = await messageOf(client, thread, assistant_message.msg_id);
    expect(kept).toMatchObject({ msg_status: 'stopped', msg_finish: 'stopped', msg_usage: { estimated: true } });
    expect(kept).toEqual(stopped.assistant_message);
    expect(kept.msg_usage?.output_tokens).toBeGreaterThan(0);
    expect(kept.msg_text.length).toBeGreaterThan(0);
    expect(SENTENCES.join(' [1] ')).toContain(kept.msg_text.slice(0, 100));
    const heard = await heardOf(follower, assistant_message.msg_id);
    expect(foldedParts(heard, assistant_message.msg_id)).toEqual(kept.msg_parts);
    const credits = kept.msg_usage?.credits ?? 0;
    expect(credits).toBeGreaterThan(0);
    await crediting.audit(ours);
    // The entries of the run are what the answer says, once; the ledger has each of them, and besides only what indexing cost.
    const entries = await api.sql<{ usage_id: string; of_run: boolean; credits: string }>(
      'SELECT usage_id, usage_ref::text LIKE $2 AS of_run, usage_consumed_credits AS credits FROM usage_entry WHERE tenant_id = $1',
      [ours.tenant_id, `%${run.run_id}%`],
    );
    const sum = (rows: readonly { readonly credits: string }[]): number => rows.reduce((total, row) => total + Number(row.credits), 0);
    expect(sum(entries.filter(({ of_run }) => of_run))).toBeCloseTo(credits, 5);
    const ledger = (await crediting.rows(ours)).filter(({ led_usage }) => led_usage);
    expect(-ledger.reduce((total, { led_credits }) => total + led_credits, 0)).toBeCloseTo(sum(entries), 5);
    expect((await client.post(`/threads/${thread}/stop`, {}).expect(200)).body).toEqual({ run: null, assistant_message: null });
    await client.post(`/threads/${thread}/stop`, { run_id: run.run_id }).expect(200);
    expect((await ask(client, thread, QUESTION)).msg_status).toBe('complete');
  }, 120_000);

  it('[ai 11] is for those who write in the thread: who only reads it stops nobody', async () => {
    const { thread, follower } = await followed();
    const reader = await ours.member('editor');
    await client.post(`/threads/${thread}/members`, { member_type: 'user', member_id: reader.user_id, member_level: 'view' }).expect(201);
    const { assistant_message, run } = await post(client, thread, QUESTION);
    await deltas(follower, assistant_message.msg_id, 3);
    await reader.client.post(`/threads/${thread}/stop`, {}).expect(403);
    await reader.client.post(`/threads/${thread}/stop`, { run_id: run.run_id }).expect(403);
    expect((await messageOf(client, thread, assistant_message.msg_id)).msg_status).toBe('generating');
    await client.post(`/threads/${thread}/stop`, {}).expect(200);
  }, 60_000);

  it('that comes to its end at the same time ends once, in one way', async () => {
    const { thread, follower } = await followed();
    const { assistant_message } = await post(client, thread, 'Hello');
    const answers = await Promise.all([0, 1, 2].map(() => client.post(`/threads/${thread}/stop`, {})));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const heard = await heardOf(follower, assistant_message.msg_id);
    expect(heard.filter(({ data }) => data.op === 'done')).toHaveLength(1);
    expect(isOver(await messageOf(client, thread, assistant_message.msg_id))).toBe(true);
    const holds = await api.sql('SELECT 1 FROM credit_hold WHERE tenant_id = $1 AND hold_settled_at IS NULL', [ours.tenant_id]);
    expect(holds).toEqual([]);
  }, 60_000);
});

describe('two questions at once', () => {
  it('[ai 10] are one and a conflict that names the run that answers', async () => {
    const thread = await newThread(client, { thread_agent: agent });
    const answers = await Promise.all([0, 1].map(() => client.post(`/threads/${thread}/messages`, { msg_text: QUESTION })));
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409]);
    const [won, lost] = [answers.find(({ status }) => status === 202), answers.find(({ status }) => status === 409)];
    expect(lost?.body).toMatchObject({ code: 'invalid_state', detail: expect.stringContaining((won?.body as Asked).run.run_id) });
    expect(((await client.get(`/threads/${thread}/messages?branch=all`).expect(200)).body as { data: Said[] }).data).toHaveLength(2);
    const second = await post(client, thread, 'Hello', { run_options: { on_busy: 'interrupt' } });
    expect(await answerOf(client, thread, second.assistant_message.msg_id)).toMatchObject({ msg_status: 'complete' });
    expect(await messageOf(client, thread, (won?.body as Asked).assistant_message.msg_id)).toMatchObject({
      msg_status: 'stopped',
      msg_finish: 'stopped',
    });
  }, 120_000);

  it('of which the second interrupts keep the words of the first', async () => {
    const { thread, follower } = await followed();
    const first = await post(client, thread, QUESTION);
    await deltas(follower, first.assistant_message.msg_id, 5);
    const second = await post(client, thread, QUESTION, { run_options: { on_busy: 'interrupt' } });
    const kept = await messageOf(client, thread, first.assistant_message.msg_id);
    expect(kept.msg_status).toBe('stopped');
    expect(kept.msg_text.length).toBeGreaterThan(0);
    expect((await answerOf(client, thread, second.assistant_message.msg_id)).msg_status).toBe('complete');
    expect(second.user_message.msg_parent).toBe(first.assistant_message.msg_id);
  }, 120_000);

  it('that are six and all interrupt are all asked, and the last of them is answered', async () => {
    const thread = await newThread(client, { thread_agent: agent });
    const run_options = { on_busy: 'interrupt' };
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => client.post(`/threads/${thread}/messages`, { msg_text: 'Hello', run_options })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(202));
    const ends = await Promise.all(answers.map(({ body }) => answerOf(client, thread, (body as Asked).assistant_message.msg_id)));
    expect(ends.map(({ msg_status }) => msg_status)).toContain('complete');
    expect(ends.every(isOver)).toBe(true);
  }, 120_000);

  it('with the same Idempotency-Key are one run', async () => {
    const thread = await newThread(client, { thread_agent: agent });
    const keyed = client.with({ 'Idempotency-Key': newId() });
    const first = await keyed.post(`/threads/${thread}/messages`, { msg_text: 'Hello' }).expect(202);
    const again = await keyed.post(`/threads/${thread}/messages`, { msg_text: 'Hello' }).expect(202);
    expect((again.body as Asked).run.run_id).toBe((first.body as Asked).run.run_id);
    expect(await api.sql('SELECT run_id FROM run WHERE tenant_id = $1', [ours.tenant_id])).toHaveLength(1);
  }, 60_000);
});

describe('a thread that is deleted while it is answered', () => {
  it('has its run stopped', async () => {
    const { thread, follower } = await followed();
    const { assistant_message, run } = await post(client, thread, QUESTION);
    await deltas(follower, assistant_message.msg_id, 3);
    await client.delete(`/threads/${thread}`).expect(204);
    const [row] = await api.sql<{ run_status: string; msg_status: string }>(
      'SELECT r.run_status, m.msg_status FROM run r JOIN message m ON m.tenant_id = r.tenant_id AND m.msg_id = r.run_message WHERE r.run_id = $1',
      [run.run_id],
    );
    expect(row).toEqual({ run_status: 'stopped', msg_status: 'stopped' });
    expect((await follower.untilEnd())?.data).toMatchObject({ closed: 'deleted' });
  }, 60_000);
});

describe('runs of one person', () => {
  it('are five at a time; more wait until one has ended', async () => {
    const threads = await Promise.all(Array.from({ length: 7 }, () => newThread(client, { thread_agent: agent })));
    const asked = await Promise.all(threads.map((thread) => post(client, thread, QUESTION)));
    let most = 0;
    const states = async (): Promise<string[]> =>
      Promise.all(asked.map(async ({ run }, at) => (await runOf(client, threads[at] ?? '', run.run_id)).run_status));
    for (let now = await states(); now.some((state) => state !== 'completed'); now = await states())
      most = Math.max(most, now.filter((state) => state === 'running').length);
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(5);
  }, 120_000);
});
