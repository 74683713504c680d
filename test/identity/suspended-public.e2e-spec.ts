import { newId } from '@atrium/platform/kernel';
import { eventually, type RunningApi } from '@atrium/platform/testing';
import { copied, published, publish, statusAt } from '../distribution/publishing';
import { storeFile } from '../files/stored-files';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { operatorOf, type OperatorClient } from '../support/operating';

let api: RunningApi;
let operator: OperatorClient;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
  operator = operatorOf(api);
}, 60_000);
afterAll(() => api.close());

describe('a suspended workspace', () => {
  it('[identity 26] is closed to its members and to the public for the time being; what was queued waits, and is done when it is resumed', async () => {
    const workspace = await api.workspace(['module-publication']);
    const { client } = workspace.owner;
    const [shown, waiting] = [await storeFile(api, workspace), await storeFile(api, workspace)];
    const { pub_url } = await published(client, shown.file_id);
    const { share_url } = (
      await client.post('/share-links', { share_name: 'For guests', share_type: 'files', share_file_ids: [shown.file_id] }).expect(201)
    ).body as { share_url: string };
    expect([await statusAt(pub_url), await statusAt(share_url)]).toEqual([200, 200]);

    const { pub_id } = await publish(client, waiting.file_id, {
      distribution: 'worldwide',
      start: new Date(Date.now() + 3_600_000).toISOString(),
    });
    await copied(client, waiting.file_id);
    await operator.post(`/workspaces/${workspace.tenant_id}/suspend`, { reason: 'The invoice of May is open.' }).expect(200);
    const job = newId();
    await api.sql(
      `INSERT INTO outbox (tenant_id, ev_id, ev_kind, ev_name, ev_key, ev_payload, ev_actor, ev_request)
       SELECT $1::uuid, $2::uuid, 'job', 'distribution.windows', $2::text, jsonb_build_object('pub_id', $3::text, 'at', '2026-01-01T00:00:00.000Z'), '{"kind":"system","user_id":null,"key_id":null}', 'test'`,
      [workspace.tenant_id, job, pub_id],
    );
    expect((await client.get('/me').expect(403)).body).toMatchObject({
      code: 'tenant_forbidden',
      detail: expect.stringContaining('The invoice of May is open.'),
    });
    expect(
      await eventually(
        () => statusAt(pub_url),
        (status) => status === 503,
        10_000,
      ),
    ).toBe(503);
    expect(
      await eventually(
        () => statusAt(share_url),
        (status) => status === 503,
        10_000,
      ),
    ).toBe(503);
    const state = async (): Promise<{ ev_done: string | null; ev_parked: string | null } | undefined> =>
      (
        await api.sql<{ ev_done: string | null; ev_parked: string | null }>(
          'SELECT ev_done, ev_parked FROM outbox WHERE tenant_id = $1 AND ev_id = $2',
          [workspace.tenant_id, job],
        )
      )[0];
    expect((await eventually(state, (row) => row?.ev_parked != null))?.ev_done).toBeNull();

    await operator.post(`/workspaces/${workspace.tenant_id}/resume`).expect(200);
    expect((await eventually(state, (row) => row?.ev_done != null, 30_000))?.ev_done).not.toBeNull();
    expect(
      await eventually(
        () => statusAt(pub_url),
        (status) => status === 200,
        10_000,
      ),
    ).toBe(200);
    expect(
      await eventually(
        () => statusAt(share_url),
        (status) => status === 200,
        10_000,
      ),
    ).toBe(200);
    await client.get('/me').expect(200);
  }, 90_000);
});
