import { migrateQueue } from '@atrium/platform/messaging';
import { eventually, ModelServer, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { Hosts, type Host } from '../faults/hosts';
import { PostgresServer } from '../faults/postgres-server';
import { Crediting } from '../governance/crediting';
import { MODELS_ON_LOOPBACK, provideModels } from '../models/providing';
import { BRIEF_LEASES, startAtrium } from '../support/api';
import { OPERATOR_TOKENS } from '../support/operating';
import { messageOf, newThread, post } from './answering';
import { caughtUp, SteadyClient } from './steady-client';

const TEXT = Array.from({ length: 100 }, (_, at) => `Berth ${at} of the quay is let to boat ${at * 7}.`).join(' ');
const OPEN = ['queued', 'generating'];

let postgres: PostgresServer;
let arranger: RunningApi;
let server: ModelServer;
let ours: TestWorkspace;
let api: Host;
const hosts = new Hosts();
const clients: SteadyClient[] = [];

beforeAll(async () => {
  [postgres, server] = await Promise.all([PostgresServer.start(), ModelServer.start()]);
  process.env['TEST_PG_ADMIN_URL'] = postgres.adminUrl;
  arranger = await startAtrium({ ...BRIEF_LEASES, ...MODELS_ON_LOOPBACK, OPERATOR_TOKENS });
  await migrateQueue(arranger.database.ownerUrl);
  ours = await arranger.workspace();
  await new Crediting(arranger).grant(ours, { grant_credits: 10_000 });
  server.answering = () => ({ stream: { text: TEXT, gapMs: 30 } });
  await provideModels(arranger, ours, server, [{ model: 'slow-1', model_kind: 'text', model_default: true }]);
  api = await hosts.api();
  await hosts.worker();
}, 180_000);
afterAll(async () => {
  for (const client of clients) client.leave();
  await hosts.close();
  await arranger.close();
  await Promise.all([postgres.stop(), server.stop()]);
}, 60_000);

describe('a database that crashes while clients follow an answer', () => {
  it('costs them a moment: the answer ends once, as what is stored, and is charged once', async () => {
    await hosts.witness(async () => {
      const client = api.client(ours.owner.client);
      const thread = await newThread(client);
      const followers = Array.from({ length: 3 }, () => new SteadyClient([api.url], client, thread).start());
      clients.push(...followers);
      await eventually(() => Promise.resolve(followers.every(({ heard }) => heard.length >= 2)), Boolean);
      const { assistant_message, run } = await post(client, thread, 'Which berths are let?');
      await eventually(
        () => Promise.resolve(followers.every((one) => one.count(({ data }) => data.op === 'delta') >= 10)),
        Boolean,
        60_000,
      );
      await postgres.crash();
      await postgres.restart();
      const status = async (): Promise<string> =>
        ((await client.get(`/threads/${thread}/messages/${assistant_message.msg_id}`)).body as { msg_status?: string }).msg_status ??
        'queued';
      await eventually(status, (seen) => !OPEN.includes(seen), 120_000);
      const stored = await messageOf(client, thread, assistant_message.msg_id);
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
      const charged = await eventually(
        () =>
          arranger
            .sql<{ entries: number }>(
              `SELECT count(*)::integer AS entries FROM usage_entry WHERE tenant_id = $1 AND usage_param = 'ai.output_tokens' AND usage_ref->>'message_id' = $2`,
              [ours.tenant_id, stored.msg_id],
            )
            .catch(() => []),
        (rows) => rows.length === 1,
      );
      expect(charged).toEqual([{ entries: 1 }]);
      expect(await arranger.sql('SELECT run_status FROM run WHERE run_id = $1', [run.run_id])).toEqual([{ run_status: 'completed' }]);
    });
  }, 300_000);
});
