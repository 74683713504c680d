import { setTimeout as pause } from 'node:timers/promises';
import { AccessLogWriter } from '@atrium/governance';
import { Metrics } from '@atrium/platform/observability';
import { Client, eventually, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { Redis } from 'ioredis';
import { PostgresServer } from '../faults/postgres-server';
import { REDIS_PROGRAM, RedisServer } from '../support/redis-server';
import { startAtrium } from '../support/api';

const OUTAGE_MS = 5_000;
const LISTS = '{atrium:access-log}:spills';

let postgres: PostgresServer;

beforeAll(async () => {
  postgres = await PostgresServer.start();
  process.env.TEST_PG_ADMIN_URL = postgres.adminUrl;
}, 60_000);
afterAll(() => postgres.stop(), 60_000);

/** Callers that ask one request after the other until they are asked to stop: the answer of each request. */
class Callers {
  readonly answered = new Map<string, number>();
  private stopped = false;
  private readonly running: Promise<unknown>;

  constructor(name: string, workspace: TestWorkspace, count: number) {
    this.running = Promise.all(Array.from({ length: count }, (_, caller) => this.ask(`${name}-${caller}`, workspace)));
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.running;
  }

  private async ask(name: string, { owner }: TestWorkspace): Promise<void> {
    for (let i = 0; !this.stopped; i++) {
      const { status } = await owner.client.with({ 'X-Request-Id': `${name}-${i}` }).get('/albums?limit=1');
      this.answered.set(`${name}-${i}`, status);
      // Thousands of refusals prove no more than hundreds.
      await pause(status === 503 ? 50 : 5);
    }
  }
}

const written = (api: RunningApi, workspace: TestWorkspace): Promise<{ id: string; status: number }[]> =>
  api.sql('SELECT log_request_id AS id, log_status AS status FROM access_log WHERE tenant_id = $1', [workspace.tenant_id]);

/** Every answered request has its row, with the status it was answered with, once. */
async function expectRows(api: RunningApi, workspace: TestWorkspace, answered: ReadonlyMap<string, number>): Promise<void> {
  const rows = await eventually(
    () => written(api, workspace).then((all) => all.filter(({ id }) => answered.has(id))),
    (found) => found.length >= answered.size,
  );
  expect(rows).toHaveLength(answered.size);
  expect(rows.filter(({ id, status }) => answered.get(id) !== status)).toEqual([]);
}

const lost = async (api: RunningApi): Promise<number> => (await api.app.get(Metrics).accessLogLost.get()).values[0]?.value ?? 0;

describe('a database that stops for five seconds under load', () => {
  it('[governance 23] gets the rows of all requests that reached the service in the meantime, and the log slows nobody down', async () => {
    const api = await startAtrium();
    try {
      const workspace = await api.workspace();
      const callers = new Callers('load', workspace, 6);
      await eventually(
        () => Promise.resolve(callers.answered.size),
        (count) => count > 50,
      );
      await postgres.crash();
      const delays: number[] = [];
      for (const until = performance.now() + OUTAGE_MS; performance.now() < until;) {
        const asked = performance.now();
        expect((await fetch(`${api.url}/health/live`)).status).toBe(200);
        delays.push(performance.now() - asked);
        await pause(20);
      }
      await postgres.restart();
      const back = callers.answered.size;
      await eventually(
        () => Promise.resolve(callers.answered.size),
        (count) => count > back + 50,
      );
      await callers.stop();

      const statuses = [...callers.answered.values()];
      expect(statuses.filter((status) => status === 503).length).toBeGreaterThan(20);
      expect(new Set(statuses)).toEqual(new Set([200, 503]));
      await expectRows(api, workspace, callers.answered);
      expect(await lost(api)).toBe(0);
      expect(delays.sort((a, b) => a - b)[Math.floor(delays.length * 0.95)]).toBeLessThan(100);
    } finally {
      await api.close();
    }
  }, 120_000);
});

(REDIS_PROGRAM ? describe : describe.skip)('with Redis beside it', () => {
  let redis: RedisServer;
  let api: RunningApi;
  let workspace: TestWorkspace;

  beforeAll(async () => {
    redis = await RedisServer.start();
    api = await startAtrium({ REDIS_URL: redis.url });
    workspace = await api.workspace();
  }, 60_000);
  afterAll(async () => {
    await api.close();
    await redis.stop();
  }, 60_000);

  async function spilled(): Promise<string[]> {
    const client = new Redis(redis.url);
    try {
      const lists = await client.smembers(LISTS);
      return (await Promise.all(lists.map((list) => client.lrange(list, 0, -1)))).flat();
    } finally {
      client.disconnect();
    }
  }

  it('rows wait there while the database is away, without their secrets, and are written when it is back', async () => {
    const writer = api.app.get(AccessLogWriter, { strict: false });
    await workspace.owner.client.get('/albums').expect(200);
    await postgres.crash();
    const key = workspace.owner.client.headers['X-Api-Key']!;
    const answered = new Map<string, number>();
    for (let i = 0; i < 40; i++) {
      const { status } = await workspace.owner.client
        .with({ 'X-Request-Id': `spill-${i}` })
        .post(`/albums?&album_name=${key}`, { album_name: key });
      answered.set(`spill-${i}`, status);
    }
    const rows = await eventually(spilled, (found) => found.length >= 40);
    expect(writer.backlog).toBe(0);
    expect(rows.join('\n')).toContain('/api/v1/albums');
    expect(rows.join('\n')).not.toContain(key);
    await postgres.restart();
    await workspace.owner.client.get('/albums');
    await expectRows(api, workspace, answered);
    expect(await eventually(spilled, (found) => found.length === 0)).toEqual([]);
    expect(await lost(api)).toBe(0);
  }, 120_000);

  it('what a host leaves that stops while the database is away is written by the next one', async () => {
    const other = await startAtrium({ REDIS_URL: redis.url });
    const { owner } = workspace;
    const client = new Client(other.url, owner.client.headers);
    await client.get('/albums').expect(200);
    await postgres.crash();
    const answered = new Map<string, number>();
    for (let i = 0; i < 10; i++) answered.set(`left-${i}`, (await client.with({ 'X-Request-Id': `left-${i}` }).get('/albums')).status);
    await other.app.close();
    expect((await spilled()).length).toBeGreaterThanOrEqual(10);
    await postgres.restart();
    await expectRows(api, workspace, answered);
  }, 120_000);
});
