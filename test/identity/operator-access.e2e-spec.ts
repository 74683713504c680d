import { createServer, type AddressInfo } from 'node:net';
import { eventually } from '@atrium/platform/testing';
import request from 'supertest';
import { startAtrium } from '../support/api';
import { OPERATOR_TOKEN, OPERATOR_TOKENS, OperatorClient } from '../support/operating';

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });

describe('the operator API', () => {
  it('is not there when no token is configured: every path under its prefix answers 404', async () => {
    const api = await startAtrium({ OPERATOR_TOKENS: '', OPERATOR_PORT: '0' });
    for (const [method, path] of [
      ['get', '/workspaces'],
      ['post', '/workspaces'],
      ['put', '/workspaces'],
      ['get', '/anything'],
      ['get', ''],
    ] as const) {
      const answer = await request(api.url)[method](`/operator/v1${path}`).set('Authorization', `Bearer ${OPERATOR_TOKEN}`);
      expect([method, path, answer.status, answer.body.code]).toEqual([method, path, 404, 'not_found']);
    }
    await api.close();
  });

  it('answers to a right token alone, on any path, and is no part of the document for customers', async () => {
    const api = await startAtrium({ OPERATOR_TOKENS, TRUSTED_PROXIES: 'loopback' });
    const { owner } = await api.workspace();
    const key = owner.client.headers['X-Api-Key']!;
    const wrong = [
      undefined,
      'Bearer',
      `Bearer ${OPERATOR_TOKEN}x`,
      `Bearer ${OPERATOR_TOKEN.replace('ops', 'spo')}`,
      `Basic ${OPERATOR_TOKEN}`,
      `Bearer ${key}`,
    ];
    for (const [i, authorization] of wrong.entries()) {
      for (const path of ['/workspaces', '/nothing-here']) {
        const call = request(api.url).get(`/operator/v1${path}`).set('X-Forwarded-For', `203.0.113.${i}`);
        const answer = await (authorization ? call.set('Authorization', authorization) : call.set('X-Api-Key', key));
        expect([authorization, answer.status, answer.body.code]).toEqual([authorization, 401, 'unauthenticated']);
      }
    }
    await new OperatorClient(api.url).get('/workspaces').expect(200);
    await new OperatorClient(api.url).get('/nothing-here').expect(404);
    await request(api.url).get('/%6fperator/v1/workspaces').set('Authorization', `Bearer ${OPERATOR_TOKEN}`).expect(404);
    const { body } = await request(api.url).get('/openapi.json').expect(200);
    expect(Object.keys(body.paths as object).filter((path) => path.includes('operator'))).toEqual([]);
    expect(body.tags.map(({ name }: { name: string }) => name)).not.toContain('Operator');
    await api.close();
  });

  it('turns an address away after ten refused tokens in a minute, also with the right one, and nobody else', async () => {
    const api = await startAtrium({ OPERATOR_TOKENS, TRUSTED_PROXIES: 'loopback' });
    const from = (address: string, token: string) =>
      request(api.url)
        .get('/operator/v1/health')
        .set({ 'X-Forwarded-For': address, Authorization: `Bearer ${token}` });
    for (let i = 0; i < 10; i++) await from('198.51.100.7', 'aop_ops_wrong').expect(401);
    const refused = await from('198.51.100.7', 'aop_ops_wrong').expect(429);
    expect(refused.body.code).toBe('rate_limited');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    await from('198.51.100.7', OPERATOR_TOKEN).expect(429);
    await from('198.51.100.8', OPERATOR_TOKEN).expect(200);
    await api.close();
  });

  it('has a listener of its own where OPERATOR_PORT says so, and that one serves nothing else', async () => {
    const port = await freePort();
    const api = await startAtrium({ OPERATOR_TOKENS, OPERATOR_PORT: String(port), HOST: '127.0.0.1' });
    const apart = `http://127.0.0.1:${port}`;
    await new OperatorClient(apart).get('/health').expect(200);
    await new OperatorClient(api.url).get('/health').expect(404);
    await request(apart).get('/health/live').expect(404);
    expect((await fetch(`${apart}/api/v1/me`)).status).toBe(404);
    await request(apart).get('/operator/v1/health').expect(401);
    await api.close();
    await expect(fetch(`${apart}/operator/v1/health`)).rejects.toThrow();
    process.env.OPERATOR_PORT = '0';
  });

  it('keeps every call, those that failed too, and reports on the installation', async () => {
    const api = await startAtrium({ OPERATOR_TOKENS });
    const operator = new OperatorClient(api.url);
    const health = (await operator.get('/health').set('X-Request-Id', 'kept-1').expect(200)).body;
    expect(health).toEqual({
      versions: { api: '1.0.0', node: process.versions.node, postgresql: expect.stringMatching(/^\d+/) },
      migrations: { applied: expect.any(Number), latest: expect.stringMatching(/^\d{4}-/) },
      queues: expect.any(Array),
      waiting: [],
    });
    await operator.post('/workspaces', {}).set('X-Request-Id', 'kept-2').expect(400);
    const kept = await eventually(
      () =>
        api.sql<{ op_actor: string; op_method: string; op_path: string; op_status: number }>(
          'SELECT op_actor, op_method, op_path, op_status FROM operator_call WHERE op_request_id LIKE $1 ORDER BY op_at, op_id',
          ['kept-%'],
        ),
      (rows) => rows.length === 2,
    );
    expect(kept).toEqual([
      { op_actor: 'operator:ops', op_method: 'GET', op_path: '/operator/v1/health', op_status: 200 },
      { op_actor: 'operator:ops', op_method: 'POST', op_path: '/operator/v1/workspaces', op_status: 400 },
    ]);
    await api.close();
  });
});
