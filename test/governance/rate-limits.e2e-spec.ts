import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createApi } from '@atrium/platform/http';
import { Client, eventually, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { Redis } from 'ioredis';
import type { Response } from 'supertest';
import request from 'supertest';
import { REDIS_PROGRAM, RedisServer } from '../support/redis-server';
import { ApiModule } from '../../apps/api/src/api.module';
import { bearing, signedInMember } from '../identity/signing-in';
import { startAtrium } from '../support/api';

const LIMITS = 'read=1000000,write=5,ai=3,admin-report=1000000,workspace=40,auth=1000000';
const OPERATOR = 'aop_tests_0123456789abcdef';

let api: RunningApi;

const asOperator = (path: string, body: object): request.Test =>
  request(api.url).put(`/operator/v1${path}`).set('Authorization', `Bearer ${OPERATOR}`).send(body);

const album = (client: Client): PromiseLike<Response> => client.post('/albums', { album_name: 'Harbour' });

async function inTurn(times: number, call: () => PromiseLike<Response>): Promise<Response[]> {
  const answers: Response[] = [];
  for (let i = 0; i < times; i++) answers.push(await call());
  return answers;
}

const statuses = (answers: readonly Response[]): number[] => answers.map(({ status }) => status);

/** Begins with a fresh minute when the running one is about to end, so that no count falls into two. */
const withinOneMinute = (): Promise<unknown> =>
  eventually(
    () => Promise.resolve(60 - (Math.floor(Date.now() / 1000) % 60)),
    (left) => left > 12,
    20_000,
  );

const partsOf = (header: string | undefined): RegExpExecArray | null => /^"([a-z-]+)";r=(\d+);t=(\d+)$/.exec(header ?? '');

/** The same behaviour wherever requests are counted. */
function limitsRates(): void {
  let ours: TestWorkspace;
  beforeEach(async () => {
    await withinOneMinute();
    ours = await api.workspace();
  });

  it('reports with every answer what is left, and refuses beyond it until the window ends', async () => {
    const answers = await inTurn(7, () => album(ours.owner.client));
    expect(statuses(answers)).toEqual([201, 201, 201, 201, 201, 429, 429]);
    expect(answers.map(({ headers }) => Number(partsOf(headers.ratelimit)?.[2]))).toEqual([4, 3, 2, 1, 0, 0, 0]);
    expect(answers[0]?.headers['ratelimit-policy']).toBe('"write";q=5;w=60');
    const refused = answers[5] as Response;
    expect(refused.body).toMatchObject({ code: 'rate_limited', status: 429 });
    expect(refused.headers['retry-after']).toBe(partsOf(refused.headers.ratelimit)?.[3]);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
  }, 60_000);

  it('counts each caller, each class and each workspace for itself', async () => {
    const theirs = await api.workspace();
    const colleague = await ours.member('editor');
    expect(statuses(await inTurn(6, () => album(ours.owner.client))).at(-1)).toBe(429);
    expect((await ours.owner.client.get('/albums')).status).toBe(200);
    expect((await album(colleague.client)).status).toBe(201);
    expect((await album(theirs.owner.client)).status).toBe(201);
  }, 60_000);

  it('bounds what all callers of a workspace ask together, and what one of them may take of it', async () => {
    const [colleague, other] = [await ours.member('viewer'), await ours.member('viewer')];
    const answers = await inTurn(22, () => colleague.client.get('/albums'));
    expect(statuses(answers).filter((status) => status === 429).length).toBe(2);
    expect((answers.at(-1) as Response).headers['ratelimit-policy']).toBe('"workspace";q=20;w=60');
    expect(statuses(await inTurn(20, () => other.client.get('/albums')))).not.toContain(429);
    const refused = await ours.owner.client.get('/albums');
    expect([refused.status, refused.headers['ratelimit-policy']]).toEqual([429, '"workspace";q=40;w=60']);
  }, 60_000);

  it('do not let requests that are refused use up what others may ask, by however many keys', async () => {
    const keys = await Promise.all(
      ['one', 'two', 'three'].map((key_name) => ours.owner.client.post('/admin/api-keys', { key_name }).expect(201)),
    );
    const clients = keys.map(
      ({ body }) => new Client(api.url, { 'X-Api-Key': (body as { key_secret: string }).key_secret, 'X-Tenant-Id': ours.tenant_id }),
    );
    for (const client of clients) expect(statuses(await inTurn(25, () => client.get('/albums'))).at(-1)).toBe(429);
    expect(statuses(await inTurn(9, () => album(clients[0] as Client))).at(-1)).toBe(429);
    const colleague = await ours.member('viewer');
    expect(statuses(await inTurn(20, () => colleague.client.get('/albums')))).not.toContain(429);
  }, 60_000);

  it('[governance 32] of one workspace do not touch those of another; a key with a limit of 10 stops at 10, whatever the class', async () => {
    const theirs = await api.workspace();
    const key = await ours.owner.client.post('/admin/api-keys', { key_name: 'slow', key_rate_limit: 10 }).expect(201);
    const slow = new Client(api.url, { 'X-Api-Key': key.body.key_secret as string, 'X-Tenant-Id': ours.tenant_id });
    const answers = await inTurn(12, (): PromiseLike<Response> => slow.get('/albums'));
    expect(statuses(answers)).toEqual([...Array(10).fill(200), 429, 429]);
    expect(answers[0]?.headers.ratelimit).toMatch(/;r=9;/);
    expect((await ours.owner.client.get('/albums')).status).toBe(200);
    expect(statuses(await inTurn(30, () => ours.owner.client.get('/albums'))).at(-1)).toBe(429);
    expect(partsOf((await album(theirs.owner.client)).headers.ratelimit)?.slice(1, 3)).toEqual(['write', '4']);
    expect(partsOf((await theirs.owner.client.get('/albums')).headers.ratelimit)?.slice(1, 3)).toEqual(['workspace', '18']);
  }, 60_000);

  it('[governance 32] of somebody in one workspace do not touch those of the same person in another', async () => {
    const theirs = await api.workspace();
    const { email, tokens, client } = await signedInMember(api, ours, 'editor');
    await api.provisioner.addUser(theirs.tenant_id, { user_email: email, user_name: 'The same' }, ['editor']);
    const there = bearing(api, tokens.access_token, theirs.tenant_id);
    await withinOneMinute();
    expect(statuses(await inTurn(6, () => album(client)))).toEqual([...Array<number>(5).fill(201), 429]);
    expect(statuses(await inTurn(20, () => client.get('/albums'))).at(-1)).toBe(429);
    expect(partsOf((await album(there)).headers.ratelimit)?.slice(1, 3)).toEqual(['write', '4']);
    expect(partsOf((await there.get('/albums')).headers.ratelimit)?.slice(1, 3)).toEqual(['workspace', '18']);
  }, 60_000);
}

async function open(redisUrl: string): Promise<void> {
  const hash = createHash('sha256').update(OPERATOR).digest('hex');
  api = await startAtrium({ RATE_LIMITS: LIMITS, REDIS_URL: redisUrl, OPERATOR_TOKENS: `tests:${hash}` });
}

describe('rate limits counted in the processes and the database', () => {
  beforeAll(() => open(''));
  afterAll(() => api.close());
  limitsRates();

  it('are listed with what is left of them', async () => {
    await withinOneMinute();
    const { owner } = await api.workspace();
    await album(owner.client);
    const { body } = await owner.client.get('/rate-limits').expect(200);
    expect(body.data).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ rl_class: 'write', rl_limit: 5, rl_remaining: 4, rl_scope: 'caller', rl_window_seconds: 60 }),
        expect.objectContaining({ rl_class: 'workspace', rl_limit: 20, rl_remaining: 18, rl_scope: 'caller' }),
        expect.objectContaining({ rl_class: 'workspace', rl_limit: 40, rl_remaining: 38, rl_scope: 'workspace' }),
      ]),
    );
  }, 60_000);

  it('are widened for one workspace by an operator, as a whole, and for no other', async () => {
    await withinOneMinute();
    const ours = await api.workspace();
    const theirs = await api.workspace();
    await asOperator(`/workspaces/${ours.tenant_id}/rate-limits`, { write: 8 }).expect(200);
    expect((await ours.owner.client.get('/rate-limits')).body.data).toContainEqual(
      expect.objectContaining({ rl_class: 'write', rl_limit: 8 }),
    );
    expect((await theirs.owner.client.get('/rate-limits')).body.data).toContainEqual(
      expect.objectContaining({ rl_class: 'write', rl_limit: 5 }),
    );
    expect(statuses(await inTurn(9, () => album(ours.owner.client)))).toEqual([...Array(8).fill(201), 429]);
    await asOperator(`/workspaces/${ours.tenant_id}/rate-limits`, { write: 0 }).expect(400);
    await asOperator('/workspaces/0190b2f4-0000-7000-8000-000000000000/rate-limits', { write: 1 }).expect(404);
  }, 60_000);

  it('hold over all processes that share the database', async () => {
    await withinOneMinute();
    const { owner } = await api.workspace();
    const beside = await createApi(ApiModule);
    await beside.listen(0, '127.0.0.1');
    try {
      const second = new Client(await beside.getUrl(), owner.client.headers);
      await inTurn(3, () => album(owner.client));
      await album(second);
      const left = async (): Promise<number> =>
        (await second.get('/rate-limits')).body.data.find(({ rl_class }: { rl_class: string }) => rl_class === 'write')
          .rl_remaining as number;
      expect(await eventually(left, (remaining) => remaining < 4, 10_000)).toBe(1);
    } finally {
      await beside.close();
    }
  }, 60_000);
});

const withRedis = REDIS_PROGRAM ? describe : describe.skip;

withRedis('rate limits counted in Redis', () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await RedisServer.start();
    await open(redis.url);
  });
  afterAll(async () => {
    await api.close();
    await redis.stop();
  });
  limitsRates();

  it('[governance 31] of the class ai refuse with a time that is right to the second, count down in their headers, and still hold while Redis is away', async () => {
    await withinOneMinute();
    const [ours, later] = [await api.workspace(), await api.workspace()];
    const suggest = (of: TestWorkspace): PromiseLike<Response> =>
      of.owner.client.post('/media-analysis-schemas/suggest', { description: 'Boats in harbours' });
    // No model is there; what is asked of it counts nevertheless.
    const answers = await inTurn(4, () => suggest(ours));
    expect(statuses(answers)).toEqual([501, 501, 501, 429]);
    expect(answers.map(({ headers }) => partsOf(headers.ratelimit)?.slice(1, 3))).toEqual([
      ['ai', '2'],
      ['ai', '1'],
      ['ai', '0'],
      ['ai', '0'],
    ]);

    // The rest of the minute passes in four seconds.
    const inside = new Redis(redis.url);
    const [counter] = await inside.keys(`*${ours.tenant_id}:*:ai`);
    await inside.pexpire(counter ?? '', 4_000);
    inside.disconnect();
    const asked = performance.now();
    const refused = await suggest(ours);
    const answered = performance.now();
    expect(refused.status).toBe(429);
    const seconds = Number(refused.headers['retry-after']);
    expect(seconds).toBeGreaterThan(2);
    expect(seconds).toBeLessThanOrEqual(4);
    await pause(Math.max(0, asked + (seconds - 1) * 1_000 - 400 - performance.now()));
    const early = await suggest(ours);
    if (performance.now() < asked + (seconds - 1) * 1_000) expect(early.status).toBe(429);
    await pause(Math.max(0, answered + seconds * 1_000 - performance.now()));
    expect((await suggest(ours)).status).toBe(501);

    await withinOneMinute();
    await redis.crash();
    expect(statuses(await inTurn(5, () => suggest(later)))).toEqual([501, 501, 501, 429, 429]);
    await redis.restart();
  }, 60_000);

  it('still hold, and requests are still answered, while Redis is away', async () => {
    await withinOneMinute();
    const { owner } = await api.workspace();
    await redis.crash();
    expect(statuses(await inTurn(6, () => album(owner.client)))).toEqual([201, 201, 201, 201, 201, 429]);
  }, 60_000);
});
