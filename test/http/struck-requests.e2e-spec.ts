import { StruckRequests } from '@atrium/platform/http';
import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { startAtrium } from '../support/api';

let api: RunningApi;
let ours: TestWorkspace;
let theirs: TestWorkspace;

beforeAll(async () => {
  api = await startAtrium();
  ours = await api.workspace();
  theirs = await api.workspace();
});
afterAll(() => api.close());

describe('a request that has ended two processes', () => {
  it('is refused by its body, in its workspace alone', async () => {
    const body = { album_name: 'Poison' };
    const struck = api.app.get(StruckRequests, { strict: false });
    const digest = struck.toFingerprint({ method: 'POST', originalUrl: '/api/v1/albums', body, ip: undefined }, ours.tenant_id);
    await api.sql("INSERT INTO request_strike VALUES ($1, 'POST /api/v1/albums', 2, now())", [digest]);
    await struck.readStrikes();
    const refused = await ours.owner.client.post('/albums', body).expect(422);
    expect(refused.body).toMatchObject({
      code: 'unprocessable_content',
      detail: expect.stringContaining('blocked the service twice') as string,
    });
    await ours.owner.client.post('/albums', { album_name: 'Harmless' }).expect(201);
    await theirs.owner.client.post('/albums', body).expect(201);
  });
});
