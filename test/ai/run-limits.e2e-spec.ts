import { Database, inWorkspace } from '@atrium/platform/database';
import { ScheduleHost, Signals, tenantChannel } from '@atrium/platform/messaging';
import { eventually, ModelServer, type Client, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { Crediting } from '../governance/crediting';
import { MODELS_ON_LOOPBACK, provideModels } from '../models/providing';
import { startAtriumWithWorker } from '../support/api';
import { OPERATOR_TOKENS } from '../support/operating';
import { sentDuring } from '../support/sent-statements';
import { makeAgent } from './agents';
import { answerOf, ask, foldedParts, heardOf, messageOf, newThread, post, runOf, type Asked, type RunState } from './answering';
import { Follower } from './following';
import { readThread, say } from './talking';

const AT_ONCE = 2;

let api: RunningApi;
let server: ModelServer;
let crediting: Crediting;
let ours: TestWorkspace;
let client: Client;
const open: Follower[] = [];
/** Answers that the test holds back; each question takes one. */
let held: (() => void)[] = [];

beforeAll(async () => {
  server = await ModelServer.start();
  api = await startAtriumWithWorker({ ...MODELS_ON_LOOPBACK, OPERATOR_TOKENS, AI_TENANT_CONCURRENCY: String(AT_ONCE) });
  crediting = new Crediting(api);
}, 120_000);
beforeEach(async () => {
  ours = await api.workspace(['module-documents']);
  client = ours.owner.client;
  await crediting.grant(ours, { grant_credits: 10_000 });
  server.chats.length = server.turns.length = 0;
  server.answering = () => ({ stream: { text: 'Yes.' } });
  held = [];
});
afterEach(() => {
  for (const answer of held.splice(0)) answer();
  for (const follower of open.splice(0)) follower.leave();
});
afterAll(async () => {
  await api.close();
  await server.stop();
});

const expire = (): Promise<void> => api.worker.get(ScheduleHost, { strict: false }).runNow('ai.expire');
const TOOL = { client: true, name: 'gauge', description: 'Reads a gauge.', schema: { type: 'object' } };

/** A thread with a model that the test plays. */
async function played(agent: object = {}, of = ours): Promise<string> {
  await provideModels(api, of, server, [{ model: 'played-1', model_kind: 'text', model_capabilities: ['tools'] }]).catch(() => undefined);
  const { agent_id } = await makeAgent(of.owner.client, { agent_model: 'lab/played-1', agent_tools: [], ...agent });
  return newThread(of.owner.client, { thread_agent: agent_id });
}
const holdBack = (): void => {
  server.answering = () =>
    new Promise((resolve) => {
      held.push(() => resolve({ stream: { text: 'At last.' } }));
    });
};
async function followed(thread: string): Promise<Follower> {
  const follower = await Follower.connect(api, client, thread);
  open.push(follower);
  await follower.until((heard) => heard.length >= 2);
  return follower;
}
const openHolds = (): Promise<object[]> =>
  api.sql('SELECT 1 FROM credit_hold WHERE tenant_id = $1 AND hold_settled_at IS NULL', [ours.tenant_id]);
/** As if the last sign of life were so long ago. */
const silentFor = (run_id: string, interval: string): Promise<object[]> =>
  api.sql('UPDATE run SET run_alive = now() - $2::interval WHERE run_id = $1', [run_id, interval]);

describe('a run that comes to a standstill', () => {
  async function waiting(): Promise<Asked & { thread: string; follower: Follower }> {
    const thread = await newThread(client, { thread_agent: (await makeAgent(client, { agent_tools: [TOOL] })).agent_id });
    const follower = await followed(thread);
    const asked = await post(client, thread, '/gauge {"a":1}');
    expect(await answerOf(client, thread, asked.assistant_message.msg_id)).toMatchObject({ msg_status: 'waiting' });
    return { thread, follower, ...asked };
  }

  it('is ended a day after it began to wait, and not before; the thread is free', async () => {
    const { thread, follower, run, assistant_message } = await waiting();
    await silentFor(run.run_id, '23 hours 59 minutes');
    await expire();
    expect(await runOf(client, thread, run.run_id)).toMatchObject({ run_status: 'waiting' });
    await silentFor(run.run_id, '24 hours 1 minute');
    await expire();
    const failed = await messageOf(client, thread, assistant_message.msg_id);
    expect(failed).toMatchObject({ msg_status: 'failed', msg_finish: 'error', msg_error: { code: 'gone' } });
    expect(failed.msg_parts).toMatchObject([{ kind: 'tool', state: 'denied' }]);
    const heard = await heardOf(follower, failed.msg_id);
    expect(heard.filter(({ data }) => data.op === 'done')).toHaveLength(1);
    expect(heard.filter(({ data }) => data.op === 'done')[0]?.data.message).toMatchObject({ msg_parts: failed.msg_parts });
    expect(foldedParts(heard, failed.msg_id)).toEqual(failed.msg_parts);
    expect(await openHolds()).toEqual([]);
    const late = { results: [{ call_id: 'call_1', output: {} }] };
    expect((await client.post(`/threads/${thread}/runs/${run.run_id}/tool-results`, late).expect(409)).body.code).toBe('invalid_state');
    expect((await ask(client, thread, 'Hello')).msg_status).toBe('complete');
  }, 60_000);

  it('goes on where the answer came since it was found', async () => {
    const { thread, run, assistant_message } = await waiting();
    await silentFor(run.run_id, '25 hours');
    const given = { results: [{ call_id: 'call_1', output: { gauge: 'The gauge reads 7.4 bar.' } }] };
    await client.post(`/threads/${thread}/runs/${run.run_id}/tool-results`, given).expect(200);
    await expire();
    expect(await answerOf(client, thread, assistant_message.msg_id)).toMatchObject({ msg_status: 'complete' });
  }, 60_000);

  it('is ended a quarter of an hour after the last sign of its worker, which can say nothing any more; nothing is billed', async () => {
    holdBack();
    const thread = await played();
    const follower = await followed(thread);
    const { run, assistant_message } = await post(client, thread, 'What is the notice?');
    await eventually(
      () => Promise.resolve(held),
      ({ length }) => length === 1,
    );
    const [{ pending }] = (await eventually(
      () => api.sql<{ pending: number }>('SELECT run_pending_tokens AS pending FROM run WHERE run_id = $1', [run.run_id]),
      ([row]) => (row?.pending ?? 0) > 0,
    )) as [{ pending: number }];
    // The worker keeps giving signs every two seconds: the run is found and ended in one go.
    await eventually(
      async () => {
        await silentFor(run.run_id, '16 minutes');
        await expire();
        return runOf(client, thread, run.run_id);
      },
      ({ run_status }) => run_status === 'failed',
    );
    for (const answer of held.splice(0)) answer();
    const failed = await answerOf(client, thread, assistant_message.msg_id);
    expect(failed).toMatchObject({ msg_status: 'failed', msg_error: { code: 'service_unavailable' }, msg_text: '' });
    expect(foldedParts(await heardOf(follower, failed.msg_id), failed.msg_id)).toEqual(failed.msg_parts);
    const entries = await eventually(
      () =>
        api.sql<{ usage_param: string; units: number; credits: number }>(
          `SELECT usage_param, usage_consumed_units::float8 AS units, usage_consumed_credits::float8 AS credits FROM usage_entry WHERE tenant_id = $1 AND usage_param LIKE 'ai.%'`,
          [ours.tenant_id],
        ),
      ({ length }) => length > 0,
    );
    expect(entries).toEqual([{ usage_param: 'ai.lost_tokens', units: pending, credits: 0 }]);
    expect(await openHolds()).toEqual([]);
    server.answering = () => ({ stream: { text: 'Yes.' } });
    expect((await ask(client, thread, 'Again?')).msg_text).toBe('Yes.');
  }, 60_000);
});

describe('runs of one workspace', () => {
  it('are so many at a time; others wait, and another workspace is served at the same time', async () => {
    holdBack();
    const people = [ours.owner, await ours.member('editor'), await ours.member('editor'), await ours.member('editor')];
    await played();
    const { agent_id } = await makeAgent(client, { agent_model: 'lab/played-1', agent_tools: [] });
    const asked = await Promise.all(
      people.map(async (person) => {
        const thread = await newThread(person.client, { thread_agent: agent_id });
        return { person, thread, ...(await post(person.client, thread, 'What is the notice?')) };
      }),
    );
    await eventually(
      () => Promise.resolve(held),
      ({ length }) => length === AT_ONCE,
    );
    const theirs = await api.workspace(['module-documents']);
    await crediting.grant(theirs, { grant_credits: 10_000 });
    expect((await ask(theirs.owner.client, await newThread(theirs.owner.client), 'Hello')).msg_status).toBe('complete');
    const states = (): Promise<RunState[]> => Promise.all(asked.map(({ person, thread, run }) => runOf(person.client, thread, run.run_id)));
    const count = (runs: readonly RunState[], status: string): number => runs.filter(({ run_status }) => run_status === status).length;
    let runs = await states();
    expect([count(runs, 'running'), count(runs, 'queued')]).toEqual([AT_ONCE, people.length - AT_ONCE]);

    // Those that wait for room are looked after: they do not expire.
    await api.sql(`UPDATE run SET run_alive = now() - interval '14 minutes' WHERE tenant_id = $1 AND run_status = 'queued'`, [
      ours.tenant_id,
    ]);
    await eventually(
      () =>
        api.sql(`SELECT 1 FROM run WHERE tenant_id = $1 AND run_status = 'queued' AND run_alive > now() - interval '1 minute'`, [
          ours.tenant_id,
        ]),
      ({ length }) => length === people.length - AT_ONCE,
    );

    held.shift()?.();
    await eventually(
      async () => (runs = await states()),
      (now) => count(now, 'completed') === 1 && count(now, 'running') === AT_ONCE,
    );
    expect(count(runs, 'queued')).toBe(people.length - AT_ONCE - 1);
    server.answering = () => ({ stream: { text: 'At last.' } });
    for (const answer of held.splice(0)) answer();
    for (const { person, thread, assistant_message } of asked)
      expect(await answerOf(person.client, thread, assistant_message.msg_id)).toMatchObject({
        msg_status: 'complete',
        msg_text: 'At last.',
      });
  }, 90_000);
});

describe('credits that end while an agent answers', () => {
  it('let the step at hand finish, begin no other, and the answer says so', async () => {
    const thread = await played({ agent_tools: [{ tool: 'calculate' }] });
    const follower = await followed(thread);
    server.answering = async () => {
      // Somebody else spends what is left while the model answers.
      const left = await crediting.available(ours);
      await crediting.charge(ours, { units: Math.ceil(left) });
      return { stream: { text: 'I calculate [9].', calls: [{ id: 'c1', name: 'calculate', input: '{"expression":"6 * 7"}' }] } };
    };
    const { assistant_message, run } = await post(client, thread, 'What is 6 * 7?');
    const answer = await answerOf(client, thread, assistant_message.msg_id);
    expect(answer).toMatchObject({
      msg_status: 'complete',
      msg_finish: 'length',
      msg_error: null,
      msg_text: 'I calculate.',
      msg_parts: [
        { kind: 'text' },
        { kind: 'tool', state: 'done', output: { value: '42' } },
        { kind: 'notice', code: 'credits_exhausted' },
      ],
    });
    expect(await runOf(client, thread, run.run_id)).toMatchObject({ run_status: 'completed', run_steps: 1 });
    expect(server.chats).toHaveLength(1);
    expect(foldedParts(await heardOf(follower, answer.msg_id), answer.msg_id)).toEqual(answer.msg_parts);
    expect(await openHolds()).toEqual([]);
    await client.post(`/threads/${thread}/messages`, { msg_text: 'Again?' }).expect(402);
    await crediting.audit(ours);
  }, 60_000);
});

describe('the time of a run', () => {
  const CALL = { stream: { text: 'I calculate.', calls: [{ id: 'c1', name: 'calculate', input: '{"expression":"6 * 7"}' }] } };
  const GAUGE = { stream: { calls: [{ id: 'g1', name: 'gauge', input: '{}' }] } };
  const dueIn = (run_id: string, interval: string): Promise<object[]> =>
    api.sql('UPDATE run SET run_due = now() + $2::interval WHERE run_id = $1', [run_id, interval]);
  const holdsOf = (run_id: string): Promise<object[]> =>
    api.sql(
      'SELECT 1 FROM run r JOIN credit_hold h ON h.tenant_id = r.tenant_id AND h.hold_id::text = r.run_hold::text WHERE r.run_id = $1 AND h.hold_settled_at IS NULL',
      [run_id],
    );
  /** A run that waits for its client, whose time is over by then or goes on a little. */
  async function waitingUntil(interval: string): Promise<Asked & { thread: string; resume: () => Promise<unknown> }> {
    server.turns.push(GAUGE);
    const thread = await played({ agent_tools: [TOOL, { tool: 'calculate' }] });
    const asked = await post(client, thread, 'What is 6 * 7?');
    expect(await answerOf(client, thread, asked.assistant_message.msg_id)).toMatchObject({ msg_status: 'waiting' });
    await dueIn(asked.run.run_id, interval);
    const given = { results: [{ call_id: 'g1', output: { gauge: 7 } }] };
    return { thread, resume: () => client.post(`/threads/${thread}/runs/${asked.run.run_id}/tool-results`, given).expect(200), ...asked };
  }

  /** The same, taken over from a worker that was lost with it: it stays in the queue, since others are at work, until one is. */
  async function lostUntil(interval: string): Promise<Asked & { thread: string }> {
    const { resume, ...asked } = await waitingUntil('1 minute');
    holdBack();
    for (let at = 0; at < AT_ONCE; at++) await post(client, await played(), 'What is the notice?');
    await eventually(
      () => Promise.resolve(held),
      ({ length }) => length === AT_ONCE,
    );
    await resume();
    await api.sql(`UPDATE run SET run_status = 'running', run_due = now() + $2::interval WHERE run_id = $1`, [asked.run.run_id, interval]);
    return asked;
  }

  it('that ended in the queue leaves one step, without tools', async () => {
    server.answering = () => ({ stream: { text: 'It is 42.' } });
    const { thread, assistant_message, resume } = await waitingUntil('-1 hour');
    await resume();
    expect(await answerOf(client, thread, assistant_message.msg_id)).toMatchObject({
      msg_status: 'complete',
      msg_finish: 'stop',
      msg_text: 'It is 42.',
    });
    expect(server.chats.map(({ tools }) => tools !== undefined)).toEqual([true, false]);
  }, 60_000);

  it('that is over ends it with what it has: no model is asked any more', async () => {
    const { thread, run, assistant_message } = await lostUntil('-5 minutes');
    expect(await answerOf(client, thread, assistant_message.msg_id)).toMatchObject({
      msg_status: 'complete',
      msg_finish: 'length',
      msg_parts: [
        { kind: 'tool', state: 'done' },
        { kind: 'notice', code: 'time_is_over' },
      ],
    });
    expect(server.chats).toHaveLength(1 + AT_ONCE);
    expect(await runOf(client, thread, run.run_id)).toMatchObject({ run_status: 'completed', run_steps: 1 });
    expect(await holdsOf(run.run_id)).toEqual([]);
  }, 60_000);

  it('ends a call of the model with it, and what the call took is charged', async () => {
    const { thread, run, assistant_message } = await lostUntil('-232 seconds');
    const ended = await answerOf(client, thread, assistant_message.msg_id);
    expect(ended).toMatchObject({ msg_status: 'complete', msg_finish: 'length', msg_usage: { estimated: true } });
    // What the first step took is a figure of the provider.
    expect(ended.msg_usage?.input_tokens).toBeGreaterThan(120);
    expect(await holdsOf(run.run_id)).toEqual([]);
  }, 60_000);

  it('does not pass while it waits for somebody', async () => {
    server.turns.push(GAUGE, CALL);
    const thread = await played({ agent_tools: [TOOL, { tool: 'calculate' }] });
    const { assistant_message, run } = await post(client, thread, 'What is 6 * 7?');
    await answerOf(client, thread, assistant_message.msg_id);
    await api.sql(`UPDATE run SET run_alive = run_alive - interval '1 hour', run_due = run_due - interval '1 hour' WHERE run_id = $1`, [
      run.run_id,
    ]);
    const given = { results: [{ call_id: 'g1', output: { gauge: 7 } }] };
    await client.post(`/threads/${thread}/runs/${run.run_id}/tool-results`, given).expect(200);
    expect(await answerOf(client, thread, assistant_message.msg_id)).toMatchObject({ msg_status: 'complete', msg_finish: 'stop' });
    expect(server.chats.map(({ tools }) => tools !== undefined)).toEqual([true, true, true]);
  }, 60_000);
});

describe('an answer that is under way', () => {
  async function underWay(): Promise<Asked & { thread: string }> {
    holdBack();
    const thread = await played();
    const asked = await post(client, thread, 'What is the notice?');
    await eventually(
      () => Promise.resolve(held),
      ({ length }) => length === 1,
    );
    return { thread, ...asked };
  }
  const usage = (): Promise<{ param: string; units: number }[]> =>
    api.sql(
      `SELECT usage_param AS param, sum(usage_consumed_units)::float8 AS units FROM usage_entry WHERE tenant_id = $1 AND usage_param LIKE 'ai.%' GROUP BY 1 ORDER BY 1`,
      [ours.tenant_id],
    );

  it('is not interrupted for a question that is refused', async () => {
    const { thread, assistant_message, run } = await underWay();
    const interrupting = (body: object) => client.post(`/threads/${thread}/messages`, { run_options: { on_busy: 'interrupt' }, ...body });
    const unknown = '00000000-0000-4000-8000-000000000001';
    await interrupting({ msg_text: 'Again?', msg_parent: unknown }).expect(400);
    await interrupting({ msg_text: 'Again?', msg_files: [unknown] }).expect(400);
    await interrupting({ msg_text: 'Again?', run_options: { on_busy: 'interrupt', agent_id: unknown } }).expect(400);
    const left = await crediting.available(ours);
    await crediting.charge(ours, { units: Math.ceil(left) });
    await interrupting({ msg_text: 'Again?' }).expect(402);
    await client
      .post(`/threads/${thread}/messages/${assistant_message.msg_id}/regenerate`, { run_options: { on_busy: 'interrupt' } })
      .expect(402);
    expect(await runOf(client, thread, run.run_id)).toMatchObject({ run_status: 'running' });
    for (const answer of held.splice(0)) answer();
    expect(await answerOf(client, thread, assistant_message.msg_id)).toMatchObject({ msg_status: 'complete', msg_text: 'At last.' });
  }, 60_000);

  it('is not taken away: it is stopped first', async () => {
    const { thread, assistant_message, user_message } = await underWay();
    for (const { msg_id } of [assistant_message, user_message]) {
      const refused = await client.patch(`/threads/${thread}/messages/${msg_id}`, { msg_active: false }).expect(409);
      expect(refused.body).toMatchObject({ code: 'invalid_state', detail: 'An answer is being written in this branch. Stop it first.' });
    }
    await client.post(`/threads/${thread}/stop`, {}).expect(200);
    await client.patch(`/threads/${thread}/messages/${user_message.msg_id}`, { msg_active: false }).expect(200);
  }, 60_000);

  it('takes what the provider has read of the question, also when it is stopped before its first word', async () => {
    const { thread, assistant_message } = await underWay();
    await client.post(`/threads/${thread}/stop`, {}).expect(200);
    const { msg_usage: took } = await messageOf(client, thread, assistant_message.msg_id);
    expect(took).toMatchObject({ output_tokens: 0, estimated: true });
    expect(took?.input_tokens).toBeGreaterThan(0);
    expect(took?.credits).toBeGreaterThan(0);
    await eventually(usage, ({ length }) => length > 0);
    expect(await usage()).toEqual([{ param: 'ai.input_tokens', units: took?.input_tokens }]);
    await crediting.audit(ours);
  }, 60_000);

  it('is taken from its worker with its thread: what was read and what was said have each their price', async () => {
    server.turns.push({ stream: { text: 'A long answer. '.repeat(400), gapMs: 20 } });
    const thread = await played();
    const { run } = await post(client, thread, 'What is the notice?');
    let isTold: () => void = () => undefined;
    const told = new Promise<void>((resolve) => (isTold = resolve));
    await inWorkspace(ours.tenant_id, () =>
      api.app.get(Signals, { strict: false }).subscribe(tenantChannel(`run/${run.run_id}`), ({ stop }) => stop === true && isTold()),
    );
    const [pending] = await eventually(
      () =>
        api.sql<{ read: number; said: number }>(
          'SELECT run_pending_tokens - run_pending_output AS read, run_pending_output AS said FROM run WHERE run_id = $1',
          [run.run_id],
        ),
      ([row]) => (row?.said ?? 0) > 0,
      30_000,
    );
    await client.delete(`/threads/${thread}`).expect(204);
    await told;
    expect(await api.sql('SELECT run_status, run_attempt FROM run WHERE run_id = $1', [run.run_id])).toEqual([
      { run_status: 'stopped', run_attempt: 2 },
    ]);
    const [read, said] = await eventually(usage, ({ length }) => length === 2);
    expect(read).toEqual({ param: 'ai.input_tokens', units: pending?.read });
    expect(said?.param).toBe('ai.output_tokens');
    expect(said?.units).toBeGreaterThanOrEqual(pending?.said ?? Infinity);
    expect(await openHolds()).toEqual([]);
    await crediting.audit(ours);
  }, 60_000);
});

describe('a long conversation', () => {
  it('is read from its end, and no more of it than a model could take', async () => {
    const thread = await played();
    const said = 'We moor at the old quay. '.repeat(2_000);
    for (let at = 1; at <= 24; at++) await say(client, thread, `${said}${at}`);
    server.answering = () => ({ stream: { text: 'Yes.' } });
    const sent = await sentDuring(api, () => ask(client, thread, 'Where do we moor?'));
    const branch = sent.find(({ text }) => text.includes('RECURSIVE up') && text.includes('r.msg_parts'));
    const rows = await inWorkspace(ours.tenant_id, () =>
      api.app
        .get(Database, { strict: false })
        .read((tx) => tx.query<{ msg_id: string; msg_text: string }>(branch?.text ?? '', branch?.values ?? [])),
    );
    expect(rows[0]?.msg_text).toBe('Where do we moor?');
    expect(rows[1]?.msg_text.endsWith(' 24')).toBe(true);
    expect(rows.length).toBeGreaterThan(4);
    expect(rows.length).toBeLessThan(14);
    expect(server.chats.at(-1)?.text).toContain(' 24');
    expect(
      await eventually(
        () => readThread(client, thread),
        ({ thread_title }) => thread_title !== null,
      ),
    ).toMatchObject({
      thread_title: 'We moor at the old quay.',
    });
  }, 60_000);
});

describe('titles of threads', () => {
  const titled = (thread: string): Promise<{ thread_title: string | null }> =>
    eventually(
      () => readThread(client, thread),
      ({ thread_title }) => thread_title !== null,
    );

  it('are the beginning of the first question, once it is answered', async () => {
    const thread = await newThread(client);
    await ask(client, thread, 'How long is the notice? I ask for the flat in the harbour.');
    expect(await titled(thread)).toMatchObject({ thread_title: 'How long is the notice?' });
    await ask(client, thread, 'And the deposit?');
    expect(await readThread(client, thread)).toMatchObject({ thread_title: 'How long is the notice?' });
  });

  it('of people are never replaced, and an answer that failed gives none', async () => {
    const named = await newThread(client, { thread_title: 'Lease' });
    await ask(client, named, 'How long is the notice?');
    server.answering = () => ({ status: 401 });
    const failed = await played();
    expect(await ask(client, failed, 'How long is the notice?')).toMatchObject({ msg_status: 'failed' });
    server.answering = () => ({ stream: { text: 'Yes.' } });
    // A later one of the same queue has been named: those two were not forgotten.
    const later = await newThread(client);
    await ask(client, later, 'Hello');
    await titled(later);
    expect(await readThread(client, named)).toMatchObject({ thread_title: 'Lease' });
    expect(await readThread(client, failed)).toMatchObject({ thread_title: null });
  });
});
