import { drawPicture, eventually, readZip, type Client, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { copied, publicationOf, publish } from '../distribution/publishing';
import { endedJob, readJob, type FileJobAnswer } from '../files/file-jobs-of';
import { readFile, settled, upload, type StoredFile } from '../files/uploading';
import { startAtrium, startWorker } from '../support/api';
import { OPERATOR_TOKENS, operatorOf } from '../support/operating';
import { TroubledStore } from './troubled-store';

interface Download {
  readonly job_id: string;
  readonly status: string;
  readonly waits_for: string | null;
  readonly download_url?: string;
  readonly skipped: readonly unknown[];
}

/** More than any of these jobs has. */
const ATTEMPTS = 7;

let store: TroubledStore;
let api: RunningApi;
let ours: TestWorkspace;
let client: Client;

beforeAll(async () => {
  store = await TroubledStore.start();
  api = await startAtrium({ ...store.environment, OPERATOR_TOKENS, WORKER_OUTAGE_PAUSE_SECONDS: '0.5' });
  ours = await api.workspace(['module-publication']);
  client = ours.owner.client;
}, 60_000);
afterAll(async () => {
  await api.close();
  await store.stop();
});

const waits = async (): Promise<Record<string, number>> => {
  const rows = await api.sql<{ ev_name: string; waits: number }>(
    'SELECT ev_name, min(ev_waits) AS waits FROM outbox WHERE tenant_id = $1 AND ev_waits_for IS NOT NULL AND ev_done IS NULL GROUP BY ev_name',
    [ours.tenant_id],
  );
  return Object.fromEntries(rows.map(({ ev_name, waits: least }) => [ev_name, Number(least)]));
};

describe('storage that is away for longer than all attempts of a job', () => {
  it('fails nothing: files, copies, archives and reindexing wait, say so, and go well once it is back', async () => {
    const published = await upload(client, 'published.txt', Buffer.from('to be published'));
    const seen = await upload(client, 'seen.jpg', await drawPicture({ width: 320, height: 240, format: 'jpeg', seed: 9 }));
    const given = await upload(client, 'given-up.txt', Buffer.from('given up before'));
    const photos: StoredFile[] = [];
    for (const seed of [1, 2, 3])
      photos.push(await upload(client, `${seed}.jpg`, await drawPicture({ width: 320, height: 240, format: 'jpeg', seed })));
    // As an outage left it that was longer than anything waits: never read, and nothing on its way.
    await api.sql(
      "UPDATE outbox SET ev_done = now() WHERE tenant_id = $1 AND ev_name = 'files.ingest' AND (ev_payload ->> 'file_id' = $2 OR ev_payload ->> 'file_id' = ANY ($3))",
      [ours.tenant_id, given.file_id, photos.map(({ file_id }) => file_id)],
    );
    await startWorker(api);
    await settled(client, published.file_id);
    await settled(client, seen.file_id);
    await api.sql(
      'UPDATE file SET file_processing = \'failed\', file_metadata = file_metadata || \'{"system": {"error": "storage_failed"}}\' WHERE tenant_id = $1 AND file_id = $2',
      [ours.tenant_id, given.file_id],
    );

    store.trouble = 'cut';
    await api.sql(
      "UPDATE outbox SET ev_done = NULL, ev_sent = NULL, ev_lease = NULL WHERE tenant_id = $1 AND ev_name = 'files.ingest' AND ev_payload ->> 'file_id' = ANY ($2)",
      [ours.tenant_id, photos.map(({ file_id }) => file_id)],
    );
    await publish(client, published.file_id);
    const download = (await client.post('/download-jobs', { file_ids: [published.file_id] }).expect(202)).body as Download;
    const reindex = (await client.post('/files/actions/reindex', { repo_type: 'media', steps: ['metadata'] }).expect(202))
      .body as FileJobAnswer;
    const jobs = ['distribution.copy', 'files.bulk', 'files.ingest', 'files.zip'];
    const all = async (least: number): Promise<void> => {
      await eventually(waits, (found) => jobs.every((name) => (found[name] ?? 0) >= least), 120_000);
    };
    await all(ATTEMPTS);
    store.trouble = 'denied';
    const before = await waits();
    await all(Math.max(...jobs.map((name) => before[name] ?? 0)) + 2);

    for (const { file_id } of photos)
      expect(await readFile(client, file_id)).toMatchObject({
        file_processing: 'pending',
        file_metadata: { system: { waits_for: 'storage' } },
      });
    expect(await publicationOf(client, published.file_id)).toMatchObject({
      pub_copy_state: 'copying',
      pub_error: expect.stringContaining('as soon as the cause is resolved'),
    });
    const readDownload = async (): Promise<Download> =>
      (await client.get(`/download-jobs/${download.job_id}`).expect(200)).body as Download;
    expect(await eventually(readDownload, ({ waits_for }) => waits_for !== null)).toMatchObject({
      status: 'running',
      waits_for: 'storage',
    });
    expect(
      await eventually(
        () => readJob(client, reindex.job_id),
        ({ waits_for }) => waits_for !== null,
      ),
    ).toMatchObject({ status: 'running', waits_for: 'storage' });
    expect(
      (
        await eventually(
          () => operatorOf(api).get('/health'),
          ({ body }) => body.waiting?.[0]?.jobs > 3,
        )
      ).body.waiting,
    ).toEqual([{ part: 'storage', jobs: expect.any(Number), since: expect.any(String) }]);

    store.trouble = null;
    for (const { file_id } of photos) {
      const file = await settled(client, file_id);
      expect(file).toMatchObject({ file_processing: 'ready', file_replicas: expect.stringContaining('small') });
      expect(file.file_metadata.system).not.toHaveProperty('waits_for');
    }
    expect(await copied(client, published.file_id)).toMatchObject({ pub_copy_state: 'ready', pub_error: null });
    const done = await eventually(readDownload, ({ status }) => status !== 'running', 60_000);
    expect(done).toMatchObject({ status: 'completed', waits_for: null, skipped: [] });
    expect(readZip(Buffer.from(await (await fetch(done.download_url ?? '')).arrayBuffer())).entries).toHaveLength(1);
    expect(await endedJob(client, reindex.job_id)).toMatchObject({ status: 'completed', total: 6 });
    expect(await settled(client, given.file_id)).toMatchObject({
      file_processing: 'ready',
      file_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(await api.sql('SELECT ev_name, ev_error FROM outbox WHERE tenant_id = $1 AND ev_error IS NOT NULL', [ours.tenant_id])).toEqual(
      [],
    );
  }, 300_000);
});
