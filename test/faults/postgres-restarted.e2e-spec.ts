import { setTimeout as pause } from 'node:timers/promises';
import { eventually, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { migrateQueue } from '@atrium/platform/messaging';
import { BRIEF_LEASES, startAtrium } from '../support/api';
import { settled, upload } from '../files/uploading';
import { Hosts, type Host } from './hosts';
import { Load, type Answered } from './load';
import { PostgresServer } from './postgres-server';

const OUTAGE_MS = 3_000;
const LONGEST_ANSWER_MS = 10_000;

let postgres: PostgresServer;
let arranger: RunningApi;
let workspace: TestWorkspace;
const hosts = new Hosts({ ...BRIEF_LEASES, LOG_LEVEL: 'info' });
let api: Host;
let worker: Host;

beforeAll(async () => {
  postgres = await PostgresServer.start();
  process.env.TEST_PG_ADMIN_URL = postgres.adminUrl;
  arranger = await startAtrium();
  await migrateQueue(arranger.database.ownerUrl);
  workspace = await arranger.workspace();
  api = await hosts.api();
  worker = await hosts.worker();
}, 120_000);
afterAll(async () => {
  await hosts.close();
  await arranger.close();
  await postgres.stop();
}, 60_000);

const isProblem = ({ headers, body }: Answered): boolean =>
  /^application\/problem\+json/.test(headers['content-type'] ?? '') &&
  (JSON.parse(body) as { code: string }).code === 'service_unavailable';

describe('a database that crashes under load', () => {
  it('is answered for with 503 problems, comes back by itself, and loses nothing that was acknowledged', async () => {
    await hosts.witness(async () => {
      const client = api.client(workspace.owner.client);
      const load = new Load({
        url: api.url,
        headers: client.headers,
        callers: 12,
        next: (count) =>
          count % 2 === 0
            ? { method: 'POST', path: '/api/v1/albums', body: { album_name: `album ${count}` } }
            : { method: 'GET', path: `/api/v1/albums?limit=5` },
      });
      for (let round = 0; round < 2; round++) {
        await eventually(
          () => Promise.resolve(load.answers.filter(({ status }) => status === 201).length),
          (count) => count > 100 * (round + 1),
        );
        await postgres.crash();
        const down = load.answers.length;
        await pause(OUTAGE_MS);
        expect(load.answers.length).toBeGreaterThan(down);
        await postgres.restart();
        const back = load.answers.length;
        await eventually(
          () => Promise.resolve(load.answers.slice(back).filter(({ status }) => status < 300).length),
          (count) => count > 50,
        );
      }
      await load.stop();

      expect(load.failures).toEqual([]);
      const unlike = load.answers.filter(({ status }) => ![200, 201, 503].includes(status));
      expect(unlike).toEqual([]);
      const refused = load.answers.filter(({ status }) => status === 503);
      expect(refused.length).toBeGreaterThan(0);
      expect(refused.filter((answer) => !isProblem(answer) || !answer.headers['retry-after'])).toEqual([]);
      expect(load.answers.filter(({ milliseconds }) => milliseconds > LONGEST_ANSWER_MS)).toEqual([]);

      // No answer is another request's: what was made is what was asked for, and lists are lists.
      for (const { status, body } of load.answers) {
        const answer = JSON.parse(body) as { album_id?: string; album_name?: string; data?: unknown[] };
        if (status === 201) expect(answer.album_name).toMatch(/^album \d+$/);
        if (status === 200) expect(Array.isArray(answer.data)).toBe(true);
      }
      const made = load.answers
        .filter(({ status }) => status === 201)
        .map(({ body }) => JSON.parse(body) as { album_id: string; album_name: string });
      const stored = await arranger.sql<{ album_id: string; album_name: string }>(
        'SELECT album_id, album_name FROM album WHERE tenant_id = $1',
        [workspace.tenant_id],
      );
      const names = new Map(stored.map(({ album_id, album_name }) => [album_id, album_name]));
      expect(made.filter(({ album_id, album_name }) => names.get(album_id) !== album_name)).toEqual([]);
      expect(new Set(made.map(({ album_id }) => album_id)).size).toBe(made.length);

      // The worker has come back too: what is uploaded now is read.
      expect(worker.isRunning).toBe(true);
      const { file_id } = await upload(client, 'after.txt', Buffer.from('after the crash'));
      expect(await settled(client, file_id)).toMatchObject({ file_processing: 'ready' });
      // A queue's trouble is logged now and then, not with every check.
      expect(worker.output.split('\n').length).toBeLessThan(40);
      expect(worker.output).not.toContain('[object Object]');
      for (const { errors } of [api, worker]) expect(errors).not.toMatch(/unhandled|uncaught/i);
    });
  }, 120_000);

  it('keeps no job from being done that was asked for before or while it was away', async () => {
    await hosts.witness(async () => {
      const client = api.client(workspace.owner.client);
      const before = await Promise.all(
        Array.from({ length: 12 }, (_, index) => upload(client, `before-${index}.txt`, Buffer.from(`text ${index}`))),
      );
      await postgres.crash();
      await pause(OUTAGE_MS / 3);
      await postgres.restart();
      for (const { file_id } of before) expect((await settled(client, file_id)).file_processing).toBe('ready');
      expect([api.isRunning, worker.isRunning]).toEqual([true, true]);
      for (const { errors } of [api, worker]) expect(errors).not.toMatch(/unhandled|uncaught/i);
    });
  }, 120_000);

  it('shows in readiness and not in liveness', async () => {
    await postgres.crash();
    const ready = await fetch(`${api.url}/health/ready`);
    expect(ready.status).toBe(503);
    expect((await fetch(`${api.url}/health/live`)).status).toBe(200);
    await postgres.restart();
    await eventually(
      () => fetch(`${api.url}/health/ready`).then(({ status }) => status),
      (status) => status === 200,
    );
  }, 60_000);

  it('does not keep hosts from stopping in order while it is away', async () => {
    await hosts.witness(async () => {
      const load = new Load({
        url: api.url,
        headers: workspace.owner.client.headers,
        callers: 4,
        leavesWhenClosed: true,
        next: () => ({ method: 'GET', path: '/api/v1/albums' }),
      });
      await eventually(
        () => Promise.resolve(load.answers.length),
        (count) => count > 20,
      );
      await postgres.crash();
      const told = performance.now();
      expect(await Promise.all([api.end('SIGTERM'), worker.end('SIGTERM')])).toEqual([
        { code: 0, signal: null },
        { code: 0, signal: null },
      ]);
      expect(performance.now() - told).toBeLessThan(10_000);
      await load.stop();
      await postgres.restart();
    });
  }, 60_000);
});
