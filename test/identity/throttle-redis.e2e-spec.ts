import { Client, TEST_PASSWORD, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import type { Response } from 'supertest';
import { REDIS_PROGRAM, RedisServer } from '../support/redis-server';
import { startAtrium } from '../support/api';

jest.setTimeout(120_000);

let redis: RedisServer;
let api: RunningApi;
let workspace: TestWorkspace;

const login = (address: string, password: string): PromiseLike<Response> =>
  new Client(api.url, { 'X-Forwarded-For': address }).post('/auth/login', { email: workspace.owner.email, password });
const wrongTimes = async (count: number, address: string): Promise<number[]> => {
  const statuses: number[] = [];
  for (let i = 0; i < count; i++) statuses.push((await login(address, 'not the right password')).status);
  return statuses;
};

(REDIS_PROGRAM ? describe : describe.skip)('guessing where Redis counts', () => {
  beforeAll(async () => {
    redis = await RedisServer.start();
    api = await startAtrium({ REDIS_URL: redis.url, TRUSTED_PROXIES: '127.0.0.1' });
    workspace = await api.workspace();
  });
  afterAll(async () => {
    await api.close();
    await redis.stop();
  });

  it('is stopped by the sixth attempt; the right password still works from elsewhere, and nothing is counted in the database', async () => {
    expect(await wrongTimes(6, '198.51.100.1')).toEqual([401, 401, 401, 401, 401, 429]);
    expect((await login('198.51.100.1', TEST_PASSWORD)).status).toBe(429);
    expect((await login('198.51.100.2', TEST_PASSWORD)).status).toBe(200);
    expect(await api.sql('SELECT 1 FROM sign_in_throttle')).toEqual([]);
  });

  it('is forgotten with a right password', async () => {
    for (let round = 0; round < 2; round++) {
      expect(await wrongTimes(4, '198.51.100.3')).toEqual([401, 401, 401, 401]);
      expect((await login('198.51.100.3', TEST_PASSWORD)).status).toBe(200);
    }
  });

  it('is stopped by each process for itself while Redis is away, and people still get in', async () => {
    await redis.crash();
    expect(await wrongTimes(6, '198.51.100.4')).toEqual([401, 401, 401, 401, 401, 429]);
    expect((await login('198.51.100.5', TEST_PASSWORD)).status).toBe(200);
    await redis.restart();
    expect((await login('198.51.100.5', TEST_PASSWORD)).status).toBe(200);
  });
});
