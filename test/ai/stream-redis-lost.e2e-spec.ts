import { eventually, ModelServer, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { Hosts, type Host } from '../faults/hosts';
import { Crediting } from '../governance/crediting';
import { MODELS_ON_LOOPBACK, provideModels } from '../models/providing';
import { BRIEF_LEASES, startAtrium } from '../support/api';
import { OPERATOR_TOKENS } from '../support/operating';
import { REDIS_PROGRAM, RedisServer } from '../support/redis-server';
import { answerOf, newThread, post } from './answering';
import { caughtUp, SteadyClient } from './steady-client';
import { say } from './talking';

const describeRedis = REDIS_PROGRAM ? describe : describe.skip;
const TEXT = Array.from({ length: 100 }, (_, at) => `Berth ${at} of the quay is let to boat ${at * 7}.`).join(' ');

describeRedis('streams on a Redis', () => {
  let redis: RedisServer;
  let arranger: RunningApi;
  let server: ModelServer;
  let ours: TestWorkspace;
  let api: Host;
  const hosts = new Hosts();
  const clients: SteadyClient[] = [];

  beforeAll(async () => {
    [redis, server] = await Promise.all([RedisServer.start(), ModelServer.start()]);
    arranger = await startAtrium({ ...BRIEF_LEASES, ...MODELS_ON_LOOPBACK, OPERATOR_TOKENS, REDIS_URL: redis.url });
    ours = await arranger.workspace();
    await new Crediting(arranger).grant(ours, { grant_credits: 10_000 });
    server.answering = () => ({ stream: { text: TEXT, gapMs: 30 } });
    await provideModels(arranger, ours, server, [{ model: 'slow-1', model_kind: 'text', model_default: true }]);
    api = await hosts.api();
    await hosts.worker();
  }, 120_000);
  afterEach(() => {
    for (const client of clients.splice(0)) client.leave();
  });
  afterAll(async () => {
    await hosts.close();
    await arranger.close();
    await Promise.all([redis.stop(), server.stop()]);
  });

  const follow = async (thread: string): Promise<SteadyClient> => {
    const client = new SteadyClient([api.url], ours.owner.client, thread).start();
    clients.push(client);
    await eventually(() => Promise.resolve(client.heard.length >= 2), Boolean);
    return client;
  };

  it.each([
    ['is flushed', () => redis.flush()],
    ['is away for a moment, and comes back empty', () => redis.crash().then(() => redis.restart())],
  ])(
    'that %s end as what is stored, once, and are charged once',
    async (_, happens) => {
      await hosts.witness(async () => {
        const { client } = ours.owner;
        const thread = await newThread(client);
        const followers = [await follow(thread), await follow(thread)];
        const { assistant_message, run } = await post(client, thread, 'Which berths are let?');
        await eventually(
          () => Promise.resolve(followers.every((one) => one.count(({ data }) => data.op === 'delta') >= 10)),
          Boolean,
          60_000,
        );
        await happens();
        const stored = await answerOf(client, thread, assistant_message.msg_id);
        expect(stored).toMatchObject({ msg_status: 'complete', msg_text: TEXT });
        await eventually(() => Promise.resolve(followers.every((one) => one.hasDone(stored.msg_id))), Boolean, 90_000);
        await caughtUp(followers, client, thread);
        for (const one of followers) {
          // What the events alone make of the answer, whatever its end says.
          expect(one.parts(stored.msg_id)).toEqual(stored.msg_parts);
          expect(one.count(({ data }) => data.op === 'done')).toBe(1);
          // Once, and again to who starts over before anything is kept of the answer.
          expect(one.count(({ data }) => data.op === 'start')).toBeLessThanOrEqual(1 + one.misfits + one.resyncs);
          // What was lost comes again as a whole.
          expect(one.count(({ data }) => data.op === 'snapshot' || data.op === 'reset')).toBeGreaterThan(0);
        }
        const charged = await arranger.sql(
          `SELECT count(*)::integer AS entries FROM usage_entry WHERE tenant_id = $1 AND usage_param = 'ai.output_tokens' AND usage_ref->>'message_id' = $2`,
          [ours.tenant_id, stored.msg_id],
        );
        expect(charged).toEqual([{ entries: 1 }]);
        expect(await arranger.sql('SELECT run_status FROM run WHERE run_id = $1', [run.run_id])).toEqual([{ run_status: 'completed' }]);
      });
    },
    240_000,
  );

  it('that is away keep their connection, are read again when it is back, and go on', async () => {
    await hosts.witness(async () => {
      const { client } = ours.owner;
      const thread = await newThread(client);
      const follower = await follow(thread);
      await redis.crash();
      await say(client, thread, 'Said in the meantime');
      await redis.restart();
      await eventually(
        () => Promise.resolve(follower.resyncs),
        // Once for the outage, and once more for the message whose event was lost in it.
        (count) => count >= 1,
        60_000,
      );
      // The connection of the API that is asked comes back in its own time.
      const said: string[] = [];
      const heard = (): unknown[] =>
        follower.heard.filter(({ event }) => event === 'user_message').map(({ data }) => (data.message as { msg_id: string }).msg_id);
      await eventually(
        async () => {
          said.push((await say(client, thread, 'Said afterwards')).msg_id);
          return heard();
        },
        (ids) => ids.length >= 2,
      );
      await eventually(
        () => Promise.resolve(heard().at(-1)),
        (last) => last === said.at(-1),
      );
      expect(heard()).toEqual(said.slice(-heard().length));
      expect(follower).toMatchObject({ connections: 1, misfits: 0 });
    });
  }, 120_000);
});
