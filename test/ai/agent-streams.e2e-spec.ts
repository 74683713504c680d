import { newId } from '@atrium/platform/kernel';
import { eventually, ModelServer, type Client, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { Crediting } from '../governance/crediting';
import { addText, indexed, makeBase } from '../knowledge/bases';
import { provideModels } from '../models/providing';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { makeAgent } from './agents';
import { Follower } from './following';

let api: RunningApi;
let server: ModelServer;
let ours: TestWorkspace;
let client: Client;
let agent_id: string;
const open: Follower[] = [];

beforeAll(async () => {
  [api, server] = await Promise.all([sharedAtriumWithWorker(), ModelServer.start()]);
}, 120_000);
beforeEach(async () => {
  ours = await api.workspace(['module-documents']);
  client = ours.owner.client;
  await new Crediting(api).grant(ours, { grant_credits: 10_000 });
  await provideModels(api, ours, server, [{ model: 'played-1', model_kind: 'text', model_capabilities: ['tools', 'json'] }]);
  ({ agent_id } = await makeAgent(client, { agent_model: 'lab/played-1', agent_tools: [] }));
  server.chats.length = server.turns.length = 0;
});
afterEach(() => {
  for (const follower of open.splice(0)) follower.leave();
});
afterAll(async () => {
  await api.close();
  await server.stop();
});

async function asked(body: object = { input: 'Hello' }, headers: Record<string, string> = {}, by = client): Promise<Follower> {
  const follower = await Follower.asking(api, by, agent_id, body, headers);
  open.push(follower);
  return follower;
}

/** A question that the model does not answer until the test says so. */
function holdAnswer(): { readonly isAsked: () => Promise<boolean>; readonly answer: (text: string) => void } {
  let answer: (text: string) => void = () => undefined;
  const held = new Promise<string>((resolve) => (answer = resolve));
  server.answering = async () => ({ stream: { text: await held } });
  return { isAsked: () => eventually(() => Promise.resolve(server.chats.length > 0), Boolean), answer };
}

const opsOf = ({ heard }: Follower): unknown[] => heard.map(({ data }) => data.op);
const runOf = async (run_id: unknown): Promise<Record<string, unknown>> =>
  (await client.get(`/agents/${agent_id}/runs/${String(run_id)}`).expect(200)).body as Record<string, unknown>;
const TEXT = 'The ferry leaves at eight, and at nine on Sundays.';

describe('an agent that is asked for a stream', () => {
  it('sends its answer as it is written, in order, and at last the answer as JSON has it', async () => {
    let goOn: () => void = () => undefined;
    const until = new Promise<void>((resolve) => (goOn = resolve));
    server.answering = () => ({ stream: { text: TEXT, hold: { after: 4, until } } });
    const follower = await asked();
    expect(follower.response.status).toBe(200);
    expect(follower.response.headers.get('cache-control')).toBe('no-store');
    // The model has not said all of it.
    await follower.until((heard) => heard.some(({ data }) => data.op === 'delta')).finally(goOn);
    const last = await follower.untilEnd();
    const ops = opsOf(follower);
    expect([ops[0], ops.at(-1)]).toEqual(['start', 'done']);
    const deltas = follower.heard.filter(({ data }) => data.op === 'delta');
    expect(deltas.length).toBeGreaterThan(1);
    expect(ops.slice(1, 1 + deltas.length)).toEqual(deltas.map(() => 'delta'));
    let text = '';
    for (const { data } of deltas) {
      expect(data).toMatchObject({ part: 0, kind: 'text', offset: text.length, attempt: 1 });
      text += String(data.text);
    }
    expect(text).toBe(TEXT);
    const { run_id } = follower.heard[0]?.data ?? {};
    expect(new Set(follower.heard.map(({ event, data }) => `${event} ${String(data.run_id)}`))).toEqual(
      new Set([`assistant_message ${String(run_id)}`]),
    );
    expect(follower.response.headers.get('location')).toBe(`/api/v1/agents/${agent_id}/runs/${String(run_id)}`);

    const json = (await client.post(`/agents/${agent_id}/run`, { input: 'Hello' }).expect(200)).body as { run_id: string };
    expect(last?.data).toMatchObject({ run_status: 'completed', error: null });
    expect(last?.data.answer).toEqual({ ...json, run_id });
  });

  it('shows its tools, steps and citations as threads do', async () => {
    const { ds_id } = await makeBase(client);
    await addText(client, ds_id, 'Ferry', TEXT);
    await indexed(client, ds_id);
    const searching = await makeAgent(client, { agent_model: 'lab/played-1', agent_knowledge: [ds_id] });
    server.turns.push(
      { stream: { calls: [{ id: 'c1', name: 'search_knowledge', input: '{"query":"When does the ferry leave?"}' }] } },
      { stream: { text: 'At eight [1].' } },
    );
    const follower = await Follower.asking(api, client, searching.agent_id, { input: 'When does the ferry leave?' });
    open.push(follower);
    const last = await follower.untilEnd();
    expect(opsOf(follower)).toEqual(expect.arrayContaining(['part', 'step', 'delta', 'citations']));
    const cited = follower.heard.find(({ data }) => data.op === 'citations')?.data.citations as { quote: string }[];
    expect(cited).toHaveLength(1);
    expect((last?.data.answer as { citations: unknown[] }).citations).toEqual(cited);
    expect(follower.heard.find(({ data }) => (data.value as { tool?: string } | undefined)?.tool)?.data.value).toMatchObject({
      kind: 'tool',
      tool: 'search_knowledge',
    });
  }, 60_000);

  it('goes on without its client', async () => {
    const held = holdAnswer();
    const follower = await asked();
    await held.isAsked();
    const [{ data } = { data: {} as Record<string, unknown> }] = await follower.until(({ length }) => length > 0);
    follower.leave();
    held.answer(TEXT);
    const run = await eventually(
      () => runOf(data.run_id),
      ({ run_finished }) => run_finished !== null,
    );
    expect(run).toMatchObject({ run_status: 'completed', run_output: { output: TEXT } });
  });

  it('says at the end why it failed', async () => {
    server.turns.push(...Array<{ status: 401 }>(9).fill({ status: 401 }));
    const last = await (await asked()).untilEnd();
    expect(last?.data).toMatchObject({ op: 'done', run_status: 'failed', answer: null, error: { code: 'upstream_failed' } });
    server.turns.length = 0;
  });

  it('answers with a problem what it refuses before it begins', async () => {
    const refused = async (follower: Follower): Promise<[number, string | null, unknown]> => [
      follower.response.status,
      follower.response.headers.get('content-type')?.split(';')[0] ?? null,
      ((await follower.response.json()) as { code: string }).code,
    ];
    const problem = 'application/problem+json';
    expect(await refused(await asked({}))).toEqual([400, problem, 'validation_failed']);
    expect(await refused(await Follower.asking(api, client, newId(), { input: 'x' }))).toEqual([404, problem, 'not_found']);
    expect(await refused(await asked({ input: 'x' }, {}, (await ours.member('viewer')).client))).toEqual([
      403,
      problem,
      'permission_denied',
    ]);
    expect(await refused(await asked({ input: 'x' }, {}, (await api.workspace()).owner.client))).toEqual([404, problem, 'not_found']);
    expect(await refused(await asked({ input: 'x' }, { 'X-Api-Key': 'atk_nobody_x' }))).toEqual([401, problem, 'unauthenticated']);
    expect(await api.sql('SELECT 1 FROM run WHERE tenant_id = $1', [ours.tenant_id])).toEqual([]);
  });

  it('answers JSON to clients that do not ask for events, and stores none', async () => {
    server.answering = () => ({ stream: { text: TEXT } });
    const answer = await client
      .with({ Accept: 'application/json, text/event-stream;q=0.5' })
      .post(`/agents/${agent_id}/run`, { input: 'x' });
    expect([answer.status, answer.body.output]).toEqual([200, TEXT]);
    const { run_id } = answer.body as { run_id: string };
    expect(await api.sql('SELECT 1 FROM stream_event WHERE tenant_id = $1 AND se_stream = $2', [ours.tenant_id, `run/${run_id}`])).toEqual(
      [],
    );
  });

  it('ends with the rights of its caller, while the run ends by itself', async () => {
    const held = holdAnswer();
    const member = await ours.member('editor');
    const follower = await asked({ input: 'Hello' }, {}, member.client);
    await held.isAsked();
    await ours.owner.client.post(`/admin/users/${member.user_id}/suspend`, {}).expect(200);
    await follower.untilEnd();
    expect(opsOf(follower)).toEqual(['start']);
    held.answer(TEXT);
    const ended = await eventually(
      () =>
        api.sql<{ run_status: string }>('SELECT run_status FROM run WHERE tenant_id = $1 AND run_finished IS NOT NULL', [ours.tenant_id]),
      ({ length }) => length > 0,
    );
    expect(ended).toEqual([{ run_status: 'completed' }]);
  });

  it('is limited to ten streams of a caller and agent', async () => {
    const held = holdAnswer();
    const streams = await Promise.all(Array.from({ length: 10 }, () => asked()));
    expect(streams.map(({ response }) => response.status)).toEqual(Array(10).fill(200));
    const one = await asked();
    expect([one.response.status, one.response.headers.get('retry-after')]).toEqual([429, '5']);
    expect((await asked({ input: 'Hello' }, {}, (await ours.member('editor')).client)).response.status).toBe(200);
    streams[0]?.leave();
    const again = async (): Promise<number> => (await asked()).response.status;
    expect(await eventually(again, (status) => status === 200)).toBe(200);
    held.answer(TEXT);
  }, 60_000);

  it('replays the run, and no events, under the key of the request', async () => {
    server.answering = () => ({ stream: { text: TEXT } });
    const key = { 'Idempotency-Key': newId() };
    const follower = await asked({ input: 'Hello' }, key);
    await follower.untilEnd();
    const replayed = await asked({ input: 'Hello' }, key);
    expect([replayed.response.status, replayed.response.headers.get('idempotent-replayed')]).toEqual([202, 'true']);
    expect(((await replayed.response.json()) as { run_id: string }).run_id).toBe(follower.heard[0]?.data.run_id);
    expect(await api.sql('SELECT 1 FROM run WHERE tenant_id = $1', [ours.tenant_id])).toHaveLength(1);
  });
});
