import { migrateQueue } from '@atrium/platform/messaging';
import { eventually, ModelServer, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { Hosts } from '../faults/hosts';
import { Crediting } from '../governance/crediting';
import { MODELS_ON_LOOPBACK, provideModels } from '../models/providing';
import { startAtrium } from '../support/api';
import { OPERATOR_TOKENS } from '../support/operating';
import { answerOf, newThread, post } from './answering';
import { SteadyClient } from './steady-client';

const TEXT = Array.from({ length: 150 }, (_, at) => `Berth ${at} of the quay is let to boat ${at * 7}.`).join(' ');

let arranger: RunningApi;
let server: ModelServer;
let ours: TestWorkspace;
const hosts = new Hosts();

beforeAll(async () => {
  [server, arranger] = [await ModelServer.start(), await startAtrium({ ...MODELS_ON_LOOPBACK, OPERATOR_TOKENS })];
  await migrateQueue(arranger.database.ownerUrl);
  ours = await arranger.workspace();
  await new Crediting(arranger).grant(ours, { grant_credits: 10_000 });
  server.answering = () => ({ stream: { text: TEXT, gapMs: 30 } });
  await provideModels(arranger, ours, server, [{ model: 'slow-1', model_kind: 'text', model_default: true }]);
}, 120_000);
afterAll(async () => {
  await hosts.close();
  await arranger.close();
  await server.stop();
});

describe('an API process that is killed while clients follow an answer', () => {
  it('[ai 6] loses them no word: they go on at the other one, which began the run and goes on with it', async () => {
    await hosts.witness(async () => {
      const [killed, other] = [await hosts.api(), await hosts.api()];
      await hosts.worker();
      const beginning = other.client(ours.owner.client);
      const thread = await newThread(beginning);
      const clients = Array.from({ length: 4 }, () => new SteadyClient([killed.url, other.url], ours.owner.client, thread).start());
      await eventually(() => Promise.resolve(clients.every(({ heard }) => heard.length >= 2)), Boolean);
      const { assistant_message, run } = await post(beginning, thread, 'Which berths are let?');
      const words = (client: SteadyClient): number => client.count(({ data }) => data.op === 'delta');
      await eventually(() => Promise.resolve(clients.every((client) => words(client) >= 10)), Boolean);
      await killed.end('SIGKILL');
      expect(clients.some((client) => client.hasDone(assistant_message.msg_id))).toBe(false);
      const stored = await answerOf(beginning, thread, assistant_message.msg_id);
      expect(stored).toMatchObject({ msg_status: 'complete', msg_text: TEXT });
      await eventually(() => Promise.resolve(clients.every((client) => client.hasDone(stored.msg_id))), Boolean);
      for (const client of clients) {
        client.leave();
        expect(client).toMatchObject({ misfits: 0, resyncs: 0 });
        expect(client.connections).toBeGreaterThan(1);
        expect(client.parts(stored.msg_id)).toEqual(stored.msg_parts);
        const texts = client.heard.filter(({ data }) => data.op === 'delta').map(({ data }) => data.text);
        expect(texts.join('')).toBe(TEXT);
        const ids = client.heard.flatMap(({ id }) => id ?? []);
        expect(new Set(ids).size).toBe(ids.length);
        expect(client.count(({ data }) => data.op === 'done')).toBe(1);
      }
      expect(await arranger.sql('SELECT run_attempt, run_status FROM run WHERE run_id = $1', [run.run_id])).toEqual([
        { run_attempt: 1, run_status: 'completed' },
      ]);
    });
  }, 180_000);
});
