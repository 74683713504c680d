import { eventually, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { newId } from '@atrium/platform/kernel';
import { storeFile } from '../files/stored-files';
import { startAtriumWithWorker } from '../support/api';
import { FailingStore } from './failing-store';
import { copied, publicationOf, publish, published, visit } from './publishing';

let store: FailingStore;
let api: RunningApi;
let ours: TestWorkspace;

beforeAll(async () => {
  store = await FailingStore.start('atrium-public');
  api = await startAtriumWithWorker({ ...store.environment, WORKER_OUTAGE_PAUSE_SECONDS: '0.5', WORKER_OUTAGE_HOURS: String(2 / 3_600) });
  ours = await api.workspace(['module-publication']);
}, 60_000);
afterAll(async () => {
  await api.close();
  await store.stop();
});

describe('a public copy that cannot be made', () => {
  it('[distribution 15] is failed with a reason once it has waited long enough, while the old bytes are served on, and ready after another try', async () => {
    const { client } = ours.owner;
    const { file_id } = await storeFile(api, ours, { bytes: Buffer.from('the first words') });
    const { pub_url, pub_id } = await published(client, file_id);
    await client.put(`/files/${file_id}/content`, { content: `other words ${newId()}` }).expect(200);
    await eventually(
      () => client.get(`/files/${file_id}`),
      ({ body }) => body.file_processing === 'ready',
      60_000,
    );

    store.failing = true;
    await publish(client, file_id, { distribution: 'worldwide' }, 200);
    const failed = await copied(client, file_id);
    expect(failed).toMatchObject({
      pub_copy_state: 'failed',
      pub_error: expect.stringMatching(/\w+ \w+/),
      pub_version: 1,
      pub_stale: true,
      pub_state: 'published',
    });
    expect(store.refused).toBeGreaterThan(1);
    expect(await (await visit(pub_url)).text()).toBe('the first words');
    expect((await client.get(`/publications/${pub_id}/history`).expect(200)).body.data[0]).toMatchObject({
      ph_action: 'copy_failed',
      ph_to: { reason: failed.pub_error },
    });
    expect((await client.get('/publications?pub_copy_state=failed').expect(200)).body.data).toMatchObject([{ pub_id }]);

    store.failing = false;
    expect((await client.post(`/files/${file_id}/publication/retry`).expect(200)).body).toMatchObject({
      pub_copy_state: 'pending',
      pub_error: null,
    });
    expect(await copied(client, file_id)).toMatchObject({ pub_copy_state: 'ready', pub_version: 2 });
    expect(
      await eventually(
        async () => (await visit(pub_url)).text(),
        (text) => text.startsWith('other words'),
      ),
    ).toMatch(/^other words/);
    expect(await publicationOf(client, file_id)).toMatchObject({ pub_stale: false, pub_url });
  }, 120_000);

  it('is counted as what the workspace stores while it is there', async () => {
    const { client } = ours.owner;
    const stored = async (): Promise<number> => {
      await api.sql('SELECT storage_roll(0)').catch(() => undefined);
      const [row] = await api.sql<{ bytes: string }>(
        `SELECT (SELECT coalesce(sum(con_bytes), 0) FROM storage_delta WHERE tenant_id = $1 AND con_class = 'publication') + (SELECT coalesce(sum(con_bytes), 0) FROM storage_consumption WHERE tenant_id = $1 AND con_class = 'publication') AS bytes`,
        [ours.tenant_id],
      );
      return Number(row?.bytes);
    };
    const before = await stored();
    const { file_id } = await storeFile(api, ours, { bytes: Buffer.alloc(1_234, 'x') });
    await published(client, file_id);
    expect((await stored()) - before).toBe(1_234);
    await client.delete(`/files/${file_id}/publication`).expect(204);
    expect(await stored()).toBe(before);
  }, 60_000);
});
