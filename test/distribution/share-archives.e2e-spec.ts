import { Sweep } from '@atrium/files';
import { drawPicture, eventually, readZip, type RunningApi, type TestWorkspace, type ZipEntry } from '@atrium/platform/testing';
import type { INestApplicationContext } from '@nestjs/common';
import type { Response, Test } from 'supertest';
import { storeAgain, storeFile, storeMany } from '../files/stored-files';
import { settled, upload } from '../files/uploading';
import { assertCounted, consumption } from '../governance/storing';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { asBytes, bytesAt, guest, meanDifference, picture, publicPath, seenByMaker, shareLink, type OwnLink } from './sharing';

let api: RunningApi;
let worker: INestApplicationContext;
let ours: TestWorkspace;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
  worker = api.worker;
  ours = await api.workspace();
}, 120_000);
afterAll(() => api.close());

const own = (link: OwnLink): Promise<OwnLink> => seenByMaker(ours, link);
const archive = (link: OwnLink): Test => asBytes(guest(api).post(`${publicPath(link)}/download`, {}));
const entriesOf = ({ body }: Response): readonly ZipEntry[] => readZip(body as Buffer).entries;

interface ArchiveJob {
  readonly job_id: string;
  readonly status: string;
  readonly file_count: number;
  readonly error: string | null;
  readonly download_url: string | null;
}

/** The archive that a large order comes to, as the visitor fetches it. */
async function packed(link: OwnLink, ordered: Response): Promise<readonly ZipEntry[]> {
  const { job_id } = JSON.parse((ordered.body as Buffer).toString()) as ArchiveJob;
  const job = await eventually(
    async () =>
      (
        await guest(api)
          .get(`${publicPath(link)}/download/${job_id}`)
          .expect(200)
      ).body as ArchiveJob,
    ({ status }) => status !== 'queued' && status !== 'running',
    120_000,
  );
  expect(job).toMatchObject({ status: 'completed', error: null });
  return readZip(await bytesAt(job.download_url ?? '')).entries;
}

describe('an archive of a link', () => {
  it('of more than 1 GiB is packed in the background and fetched with the last download of the link, under the names that visitors may know, as long as all in it may be shared', async () => {
    const huge = await storeFile(api, ours, { name: 'huge.txt', claimedSize: 1024 ** 3 + 1, lost: true });
    const large = [...(await storeMany(api, ours, 30, { name: 'plan.txt', bytes: Buffer.from('the plan') })), huge.file_id];
    const link = await shareLink(ours.owner.client, {
      share_type: 'files',
      share_file_ids: large,
      share_options: { max_downloads: 1, show_names: false },
    });
    const ordered = await archive(link).expect(202);
    expect(JSON.parse((ordered.body as Buffer).toString())).toMatchObject({ status: 'queued', file_count: 31, download_url: null });
    await guest(api).get(publicPath(link)).expect(410);
    const other = await shareLink(ours.owner.client, { share_type: 'files', share_file_ids: large.slice(0, 1) });
    await guest(api)
      .get(`${publicPath(other)}/download/${(JSON.parse((ordered.body as Buffer).toString()) as ArchiveJob).job_id}`)
      .expect(404);
    const entries = await packed(link, ordered);
    const note = entries.find(({ name }) => name === '_skipped.txt')?.bytes.toString() ?? '';
    const plans = entries.filter(({ name }) => name !== '_skipped.txt');
    expect(plans).toHaveLength(30);
    expect(plans.every(({ name, bytes }) => /^[\w-]{8}\.txt$/.test(name) && bytes.toString() === 'the plan')).toBe(true);
    expect(note).toMatch(/[\w-]{8}\.txt: could not be read from storage/);
    expect(note).not.toMatch(new RegExp(`huge|plan|${huge.file_id}`));
    expect(await own(link)).toMatchObject({ share_download_count: 1, share_state: 'exhausted' });
    const history = (await ours.owner.client.get(`/files/${large[0]}/history`).expect(200)).body.data as {
      action?: string;
      fh_action?: string;
    }[];
    expect(history.filter(({ action, fh_action }) => (action ?? fh_action) === 'downloaded')).toHaveLength(1);
    expect((await ours.owner.client.get('/download-jobs').expect(200)).body.data).toEqual([]);
    const at = `${publicPath(link)}/download/${(JSON.parse((ordered.body as Buffer).toString()) as ArchiveJob).job_id}`;
    const endRights = (file_id: string): unknown =>
      ours.owner.client.put(`/files/${file_id}`, { file_metadata: { rights: { expires: '2020-01-01T00:00:00Z' } } }).expect(200);
    await endRights(huge.file_id);
    await guest(api).get(at).expect(200);
    await endRights(large[0] ?? '');
    expect((await guest(api).get(at).expect(409)).body.code).toBe('invalid_state');
  }, 180_000);

  it('of marked pictures that are not made yet is counted by what they may take, and never holds an unmarked one', async () => {
    const bytes = await drawPicture({ width: 2_100, height: 2_100, format: 'jpeg', seed: 9 });
    const { file_id } = await upload(ours.owner.client, 'poster.jpg', bytes);
    expect((await settled(ours.owner.client, file_id)).file_processing).toBe('ready');
    const posters = await storeAgain(api, file_id, 89);
    const album = (await ours.owner.client.post('/albums', { album_name: 'Posters' }).expect(201)).body as { album_id: string };
    await ours.owner.client.post(`/albums/${album.album_id}/files`, { file_ids: posters }).expect(200);
    const link = await shareLink(ours.owner.client, {
      share_type: 'album',
      share_album_id: album.album_id,
      share_options: { allow_download: true, sizes: ['large'], watermark: { text: 'ACME review' } },
    });
    const entries = await packed(link, await archive(link).expect(202));
    expect(entries).toHaveLength(90);
    const plain = await asBytes(ours.owner.client.get(`/files/${file_id}/image-data?replica=large`));
    for (const entry of [entries[0], entries[89]])
      expect(await meanDifference(entry?.bytes ?? Buffer.alloc(0), plain.body as Buffer)).toBeGreaterThan(1);
    // Now that they are there they take what they take.
    expect(entriesOf(await archive(link).expect(200))).toHaveLength(90);
    expect((await own(link)).share_download_count).toBe(2);
  }, 180_000);
});

describe('marked pictures', () => {
  it('are counted as what the workspace stores, once for equal bytes, and no more when they are gone', async () => {
    const house = await api.workspace();
    const { client } = house.owner;
    const first = await picture(house, 'first.jpg', 61);
    const [before] = (await consumption(house)).rendition ?? [0];
    await assertCounted(api, house);
    const marked = (): Promise<{ sets: number; bytes: number }[]> =>
      api.sql(
        `SELECT count(DISTINCT m.key)::int AS sets, sum((p.value ->> 'size')::bigint)::int AS bytes FROM file_blob b, jsonb_each(b.blob_marked) m, jsonb_each(m.value) p WHERE b.tenant_id = $1`,
        [house.tenant_id],
      );
    for (const text of ['ACME review', 'ACME press'])
      await shareLink(client, { share_type: 'files', share_file_ids: [first.file_id], share_options: { watermark: { text } } });
    await shareLink(client, {
      share_type: 'files',
      share_file_ids: [first.file_id],
      share_options: { watermark: { text: 'ACME review' } },
    });
    const [row] = await eventually(marked, ([made]) => made?.sets === 2, 60_000);
    await assertCounted(api, house);
    expect(((await consumption(house)).rendition?.[0] ?? 0) - before).toBe(row?.bytes);

    await client.delete(`/files/${first.file_id}`).expect(204);
    await api.sql("UPDATE file SET file_purge_at = now() - interval '1 second' WHERE file_id = $1", [first.file_id]);
    await worker.get(Sweep, { strict: false }).sweepFiles();
    await api.sql("UPDATE file_blob SET blob_orphaned = now() - interval '25 hours' WHERE tenant_id = $1", [house.tenant_id]);
    await worker.get(Sweep, { strict: false }).sweepFiles();
    expect(await consumption(house)).toEqual({});
    await assertCounted(api, house);
  }, 120_000);
});
