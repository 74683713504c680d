import { ToolSources } from '@atrium/ai';
import { migrateQueue } from '@atrium/platform/messaging';
import { eventually, ModelServer, type Client, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { Hosts, type Host } from '../faults/hosts';
import { Crediting } from '../governance/crediting';
import { MeteredHost } from '../governance/metered-host';
import { MODELS_ON_LOOPBACK, provideModels } from '../models/providing';
import { BRIEF_LEASES, startAtrium } from '../support/api';
import { OPERATOR_TOKENS } from '../support/operating';
import { repeated } from '../support/repeated';
import { makeAgent } from './agents';
import { answerOf, foldedParts, heardOf, messageOf, newThread, post, runOf } from './answering';
import { countedTools } from './counted-tools';
import { Follower, type HeardEvent } from './following';

/** How often a worker or a process of the API is killed while somebody is answered. */
const KILLS = repeated('RUN_KILLS', { usual: 1, deep: 8 });
const TEXT = Array.from({ length: 50 }, (_, at) => `Berth ${at} of the quay is let to boat ${at * 7}.`).join(' ');

let api: RunningApi;
let server: ModelServer;
let crediting: Crediting;
let ours: TestWorkspace;
let client: Client;
const hosts = new Hosts();
const others: MeteredHost[] = [];
const open: Follower[] = [];

beforeAll(async () => {
  [server, api] = [await ModelServer.start(), await startAtrium({ ...BRIEF_LEASES, ...MODELS_ON_LOOPBACK, OPERATOR_TOKENS })];
  crediting = new Crediting(api);
  api.app.get(ToolSources, { strict: false }).register(countedTools(() => Promise.reject(new Error('It is called by workers.'))));
  await migrateQueue(api.database.ownerUrl);
}, 120_000);
beforeEach(async () => {
  ours = await api.workspace(['module-documents']);
  client = ours.owner.client;
  await crediting.grant(ours, { grant_credits: 10_000 });
  server.turns.length = 0;
  server.answering = () => ({ stream: { text: TEXT, gapMs: 30 } });
});
afterEach(async () => {
  for (const follower of open.splice(0)) follower.leave();
  await hosts.close();
  for (const host of others.splice(0)) await host.kill();
});
afterAll(async () => {
  await api.close();
  await server.stop();
});

async function followedThread(body: object = {}): Promise<{ thread: string; follower: Follower }> {
  const thread = await newThread(client, body);
  const follower = await Follower.connect(api, client, thread);
  open.push(follower);
  await follower.until((heard) => heard.length >= 2);
  return { thread, follower };
}
const deltas = (follower: Follower, count: number, attempt: number): Promise<unknown> =>
  follower.until((heard) => heard.filter(({ data }) => data.op === 'delta' && data.attempt === attempt).length >= count, 60_000);
const used = async (): Promise<Record<string, { units: number; credits: number; entries: number }>> => {
  const rows = await api.sql<{ param: string; units: number; credits: number; entries: number }>(
    `SELECT usage_param AS param, sum(usage_consumed_units)::float8 AS units, sum(usage_consumed_credits)::float8 AS credits, count(*)::integer AS entries
     FROM usage_entry WHERE tenant_id = $1 AND usage_param LIKE 'ai.%' GROUP BY 1`,
    [ours.tenant_id],
  );
  return Object.fromEntries(rows.map(({ param, ...sum }) => [param, sum]));
};

describe('a worker that is killed while a model answers', () => {
  beforeEach(async () => {
    await provideModels(api, ours, server, [{ model: 'slow-1', model_kind: 'text', model_default: true }]);
  });

  it('[ai 5] leaves the answer to the next one: one message, one end, charged once, and what was lost is shown', async () => {
    await hosts.witness(async () => {
      const killed = await hosts.worker();
      const { thread, follower } = await followedThread();
      const { assistant_message, run } = await post(client, thread, 'Which berths are let?');
      await deltas(follower, 16, 1);
      await killed.end('SIGKILL');
      await hosts.worker();
      const heard = await heardOf(follower, assistant_message.msg_id);
      expect(heard.find(({ data }) => data.op === 'reset')?.data).toMatchObject({ attempt: 2, parts: [], reason: 'worker_lost' });
      expect(heard.filter(({ data }) => data.op === 'done')).toHaveLength(1);
      expect(heard.filter(({ data }) => data.op === 'start')).toHaveLength(1);
      const stored = await messageOf(client, thread, assistant_message.msg_id);
      expect(stored).toMatchObject({ msg_status: 'complete', msg_text: TEXT });
      expect(foldedParts(heard, stored.msg_id)).toEqual(stored.msg_parts);
      const messages = (await client.get(`/threads/${thread}/messages?branch=all`).expect(200)).body as { data: unknown[] };
      expect(messages.data).toHaveLength(2);
      const entries = await used();
      expect(entries['ai.input_tokens']).toMatchObject({ units: 120, entries: 1 });
      expect(entries['ai.output_tokens']).toMatchObject({ units: 20, entries: 1 });
      expect(entries['ai.lost_tokens']).toMatchObject({ entries: 1, credits: 0 });
      expect(entries['ai.lost_tokens']?.units).toBeGreaterThan(0);
      const credits = Object.values(entries).reduce((sum, entry) => sum + entry.credits, 0);
      expect(stored.msg_usage?.credits).toBeCloseTo(credits, 6);
      expect(await api.sql('SELECT 1 FROM credit_hold WHERE tenant_id = $1 AND hold_settled_at IS NULL', [ours.tenant_id])).toEqual([]);
      expect(await api.sql('SELECT run_attempt, run_losses FROM run WHERE run_id = $1', [run.run_id])).toEqual([
        { run_attempt: 2, run_losses: 1 },
      ]);
      await crediting.audit(ours);
    });
  }, 180_000);

  it('three times ends the run; the thread is free, and the question can be asked again', async () => {
    await hosts.witness(async () => {
      const { thread, follower } = await followedThread();
      const { assistant_message, run } = await post(client, thread, 'Which berths are let?');
      for (let attempt = 1; attempt <= 3; attempt++) {
        const worker = await hosts.worker();
        await deltas(follower, 2, attempt);
        await worker.end('SIGKILL');
      }
      await hosts.worker();
      const failed = await answerOf(client, thread, assistant_message.msg_id);
      expect(failed).toMatchObject({ msg_status: 'failed', msg_error: { code: 'service_unavailable' } });
      await heardOf(follower, assistant_message.msg_id);
      // Nobody goes on, and yet the third of them has lost the run to a higher attempt.
      expect(await api.sql('SELECT run_attempt, run_losses FROM run WHERE run_id = $1', [run.run_id])).toEqual([
        { run_attempt: 4, run_losses: 3 },
      ]);
      server.answering = () => ({ stream: { text: 'Berth 1.' } });
      const again = (await client.post(`/threads/${thread}/messages/${assistant_message.msg_id}/regenerate`, {}).expect(202)).body as {
        assistant_message: { msg_id: string };
      };
      expect(await answerOf(client, thread, again.assistant_message.msg_id)).toMatchObject({
        msg_status: 'complete',
        msg_text: 'Berth 1.',
      });
    });
  }, 240_000);
});

describe('a worker that is shut down while a model answers', () => {
  it('hands the answer back: no loss is counted, and the next worker goes on', async () => {
    await provideModels(api, ours, server, [{ model: 'slow-1', model_kind: 'text', model_default: true }]);
    await hosts.witness(async () => {
      const first = await hosts.worker();
      const { thread, follower } = await followedThread();
      const { assistant_message, run } = await post(client, thread, 'Which berths are let?');
      const state = () => api.sql('SELECT run_status, run_attempt, run_losses FROM run WHERE run_id = $1', [run.run_id]);
      await deltas(follower, 16, 1);
      expect(await first.end('SIGTERM')).toMatchObject({ code: 0 });
      expect(await state()).toEqual([{ run_status: 'queued', run_attempt: 1, run_losses: 0 }]);
      await hosts.worker();
      const heard = await heardOf(follower, assistant_message.msg_id);
      const stored = await messageOf(client, thread, assistant_message.msg_id);
      expect(stored).toMatchObject({ msg_status: 'complete', msg_text: TEXT });
      expect(foldedParts(heard, stored.msg_id)).toEqual(stored.msg_parts);
      expect(await state()).toEqual([{ run_status: 'completed', run_attempt: 2, run_losses: 0 }]);
    });
  }, 180_000);
});

describe('a worker that is shut down while an agent is asked for a stream', () => {
  it('hands the answer back: the next attempt begins with a reset, and what is heard is the answer', async () => {
    await provideModels(api, ours, server, [{ model: 'slow-1', model_kind: 'text', model_default: true }]);
    const { agent_id } = await makeAgent(client, { agent_tools: [] });
    await hosts.witness(async () => {
      const first = await hosts.worker();
      const follower = await Follower.asking(api, client, agent_id, { input: 'Which berths are let?' });
      open.push(follower);
      await deltas(follower, 16, 1);
      expect(await first.end('SIGTERM')).toMatchObject({ code: 0 });
      await hosts.worker();
      const last = await follower.untilEnd(90_000);
      const answers = follower.heard.filter(({ data }) => data.attempt === 2 && data.op !== 'done');
      expect(answers[0]?.data).toMatchObject({ op: 'reset', parts: [], reason: 'worker_lost' });
      let text = '';
      for (const { data } of follower.heard) {
        if (data.op === 'reset') text = '';
        if (data.op !== 'delta') continue;
        expect(data.offset).toBe(text.length);
        text += String(data.text);
      }
      expect(last?.data).toMatchObject({ op: 'done', run_status: 'completed', answer: { output: TEXT } });
      expect(text).toBe(TEXT);
    });
  }, 180_000);
});

const KINDS = ['an approval', 'a tool', 'the last token', 'text'] as const;
type Kind = (typeof KINDS)[number];
const ROUNDS = Array.from({ length: KILLS }, (_, at) => ({
  at,
  kind: KINDS[at % KINDS.length] ?? 'an approval',
  victim: (at + Math.floor(at / KINDS.length)) % 2 === 0 ? ('API' as const) : ('worker' as const),
}));
const SHORT = TEXT.slice(0, 1_200);
/** The same number in every run of a round, so that one that fails can be repeated. */
const drawn = (round: number, below: number): number => (Math.imul(round + 1, 2_654_435_761) >>> 8) % below;

describe('a process that is killed at some moment', () => {
  beforeEach(async () => {
    await provideModels(api, ours, server, [{ model: 'slow-1', model_kind: 'text', model_default: true, model_capabilities: ['tools'] }]);
    const call = { id: 'c1', name: 'calculate', input: '{"expression":"6 * 7"}' };
    server.answering = ({ tools, results }) =>
      tools !== undefined && results === 0 ? { stream: { calls: [call], gapMs: 20 } } : { stream: { text: SHORT, gapMs: 20 } };
  });

  /** Everything that a client hears that comes back with the last id it knows. */
  class ReturningClient {
    private before: HeardEvent[] = [];
    private constructor(
      private readonly thread: string,
      private follower: Follower,
    ) {}

    static async connect(host: Host, thread: string): Promise<ReturningClient> {
      const one = new ReturningClient(thread, await Follower.connect(host, host.client(client), thread));
      await one.until((heard) => heard.length >= 2);
      return one;
    }

    get heard(): readonly HeardEvent[] {
      return [...this.before, ...this.follower.heard];
    }

    until(satisfies: (heard: readonly HeardEvent[]) => boolean): Promise<unknown> {
      return eventually(() => Promise.resolve(this.heard), satisfies, 90_000);
    }

    async comesBack(): Promise<void> {
      await this.follower.untilEnd();
      this.before = [...this.heard];
      const last = this.before.findLast(({ id }) => id !== undefined)?.id ?? '';
      this.follower = await Follower.connect(api, client, this.thread, { 'Last-Event-ID': last });
      open.push(this.follower);
    }
  }

  /** Kills at a moment of the kind, and does what the person does. */
  async function killedDuring(
    kind: Kind,
    at: number,
    follower: ReturningClient,
    kill: () => Promise<void>,
    approve: () => Promise<void>,
  ): Promise<void> {
    const ofAnswer = (heard: readonly HeardEvent[]): readonly HeardEvent[] => heard.filter(({ event }) => event === 'assistant_message');
    const waits = (): Promise<unknown> => follower.until((heard) => heard.some(({ data }) => data.op === 'wait'));
    if (kind === 'an approval') {
      const moment = drawn(at, 3);
      if (moment === 0) {
        await follower.until((heard) => ofAnswer(heard).length > 0);
        await kill();
      }
      await waits();
      if (moment === 1) await kill();
      await approve();
      if (moment === 2) await kill();
      return;
    }
    if (kind === 'the last token')
      await follower.until(
        (heard) => ofAnswer(heard).reduce((sum, { data }) => sum + (data.op === 'delta' ? String(data.text).length : 0), 0) >= SHORT.length,
      );
    else await follower.until((heard) => ofAnswer(heard).length > drawn(at, kind === 'text' ? 12 : 18));
    await kill();
  }

  it.each(ROUNDS)(
    'changes nothing but a pause: $kind, $victim ($at)',
    async ({ kind, victim, at }) => {
      await hosts.witness(async () => {
        const [front, first] = [await hosts.api(), await hosts.worker()];
        const agent_tools =
          kind === 'a tool' || kind === 'an approval' ? [{ tool: 'calculate', approval: kind === 'a tool' ? 'never' : 'always' }] : [];
        const { agent_id } = await makeAgent(client, { agent_tools });
        const thread = await newThread(client, { thread_agent: agent_id });
        const follower = await ReturningClient.connect(front, thread);
        const { assistant_message, run } = await post(front.client(client), thread, 'Which berths are let?');
        const { msg_id } = assistant_message;
        const kill = async (): Promise<void> => {
          await (victim === 'worker' ? first : front).end('SIGKILL');
          if (victim === 'worker') await hosts.worker();
          else await follower.comesBack();
        };
        const approve = async (): Promise<void> => {
          // A worker that was killed before it had kept that the run waits leaves that to the next one.
          await eventually(
            () => runOf(client, thread, run.run_id),
            ({ run_status }) => run_status === 'waiting',
            90_000,
          );
          const results = [{ call_id: 'c1', approve: true }];
          await client.post(`/threads/${thread}/runs/${run.run_id}/tool-results`, { results }).expect(200);
        };
        await killedDuring(kind, at, follower, kill, approve);
        await follower.until((heard) => heard.some(({ data }) => data.op === 'done' && data.msg_id === msg_id));

        const stored = await messageOf(client, thread, msg_id);
        expect(stored).toMatchObject({ msg_status: 'complete', msg_text: SHORT });
        expect(follower.heard.filter(({ data }) => data.op === 'done')).toHaveLength(1);
        expect(foldedParts(follower.heard, msg_id)).toEqual(stored.msg_parts);
        const steps = agent_tools.length + 1;
        expect(stored.msg_parts.map(({ kind: part, state }) => state ?? part)).toEqual(steps === 1 ? ['text'] : ['done', 'text']);
        const entries = await used();
        expect(entries['ai.input_tokens']).toMatchObject({ units: 120 * steps, entries: steps });
        expect(entries['ai.output_tokens']).toMatchObject({ units: 20 * steps, entries: steps });
        expect(entries['ai.tool_calls']?.units ?? 0).toBe(steps - 1);
        expect(entries['ai.lost_tokens']?.credits ?? 0).toBe(0);
        expect(await api.sql('SELECT 1 FROM message WHERE tenant_id = $1', [ours.tenant_id])).toHaveLength(2);
        expect(await api.sql('SELECT 1 FROM credit_hold WHERE tenant_id = $1 AND hold_settled_at IS NULL', [ours.tenant_id])).toEqual([]);
        await crediting.audit(ours);
      });
    },
    240_000,
  );
});

describe('a worker that is killed while a tool runs', () => {
  const worker = async (): Promise<MeteredHost> => {
    const host = await MeteredHost.start('../ai/counting-worker.ts');
    others.push(host);
    return host;
  };
  const called = (): string[] => others.flatMap((host) => host.lines('called'));

  it('[ai 8] leaves it unknown, and nobody calls it again', async () => {
    const { agent_id } = await makeAgent(client, { agent_tools: [{ tool: 'counted:order_once', approval: 'never' }] });
    const { thread, follower } = await followedThread({ thread_agent: agent_id });
    const first = await worker();
    const { assistant_message, run } = await post(client, thread, '/order_once {"a":1}');
    await first.line('called');
    await first.kill();
    await worker();
    const answer = await answerOf(client, thread, assistant_message.msg_id);
    expect(called()).toEqual([`called counted:order_once ${run.run_id}:call_1`]);
    expect(answer).toMatchObject({
      msg_status: 'complete',
      msg_parts: [{ kind: 'tool', tool: 'order_once', state: 'unknown' }, { kind: 'text' }],
    });
    expect(answer.msg_text).toContain('The outcome of this call is unknown');
    expect(foldedParts(await heardOf(follower, answer.msg_id), answer.msg_id)).toEqual(answer.msg_parts);
  }, 180_000);

  it('has it called again with the same key where that is safe', async () => {
    const { agent_id } = await makeAgent(client, { agent_tools: [{ tool: 'counted:order_safely', approval: 'never' }] });
    const { thread } = await followedThread({ thread_agent: agent_id });
    const first = await worker();
    const { run } = await post(client, thread, '/order_safely {"a":1}');
    await first.line('called');
    await first.kill();
    const second = await worker();
    await second.line('called');
    expect(called()).toEqual(Array<string>(2).fill(`called counted:order_safely ${run.run_id}:call_1`));
    await eventually(
      () => client.post(`/threads/${thread}/stop`, {}),
      ({ status }) => status === 200,
    );
  }, 180_000);
});
