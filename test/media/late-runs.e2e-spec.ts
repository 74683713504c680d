import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inWorkspace } from '@atrium/platform/database';
import { newId } from '@atrium/platform/kernel';
import { JobRegistry, ScheduleHost, type JobRun } from '@atrium/platform/messaging';
import { HOME_STORE, type ObjectStore } from '@atrium/platform/storage';
import {
  drawPicture,
  eventually,
  FaceServer,
  faceVector,
  StockServer,
  type RunningApi,
  type TestWorkspace,
} from '@atrium/platform/testing';
import { asBytes, bytesAt, filesSeen, guest, picture, publicPath, shareLink } from '../distribution/sharing';
import { endedJob } from '../files/file-jobs-of';
import { MEDIA, settled } from '../files/uploading';
import { startAtriumWithWorker } from '../support/api';

interface FaceBody {
  readonly face_id: string;
  readonly face_image_url: string;
}

let faces: FaceServer;
let stock: StockServer;
let web: Server;
let api: RunningApi;
let ours: TestWorkspace;

beforeAll(async () => {
  [faces, stock] = await Promise.all([FaceServer.start(), StockServer.start()]);
  faces.seeing = () => ({ faces: [{ box: [40, 40, 140, 160], embedding: faceVector(7) }] });
  const photo = await drawPicture({ width: 320, height: 240, format: 'jpeg', seed: 9 });
  stock.picture = photo;
  web = createServer((_request, response) => response.writeHead(200, { 'content-type': 'image/jpeg' }).end(photo));
  await new Promise<void>((done) => web.listen(0, '127.0.0.1', done));
  api = await startAtriumWithWorker({
    OUTBOUND_ALLOW: '127.0.0.1/32',
    FACES_URL: faces.url,
    FACES_API_KEY: 'face-key',
    UNSPLASH_ACCESS_KEY: 'unsplash-key',
    UNSPLASH_URL: stock.url,
  });
}, 60_000);
beforeEach(async () => {
  ours = await api.workspace();
});
afterEach(() => jest.restoreAllMocks());
afterAll(async () => {
  await api.close();
  web.closeAllConnections();
  web.close();
  await Promise.all([faces.stop(), stock.stop()]);
});

const store = (): ObjectStore => api.worker.get<ObjectStore>(HOME_STORE, { strict: false });

/** Holds the first run that is about to store something at such a path. */
function holdFirst(path: RegExp): { readonly isHeld: () => boolean; readonly release: () => void } {
  const put = store().putObject.bind(store());
  let release: (() => void) | undefined;
  jest.spyOn(store(), 'putObject').mockImplementation(async (key, body, options) => {
    if (release === undefined && path.test(key)) await new Promise<void>((go) => (release = go));
    return put(key, body, options);
  });
  return { isHeld: () => release !== undefined, release: () => release?.() };
}

async function keys(folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { key } of store().list(`t/${ours.tenant_id}/${folder}/`)) found.push(key);
  return found.sort();
}

/** The first run of the job, which is held, has come to its end. */
const over = (name: string): Promise<unknown> =>
  eventually(
    () =>
      api.sql("SELECT 1 FROM outbox WHERE tenant_id = $1 AND ev_kind = 'job' AND ev_name = $2 AND ev_done IS NULL", [ours.tenant_id, name]),
    (left) => left.length === 0,
    30_000,
  );

/** Another run of the same job, as if its lease had passed. */
const again = (name: string, payload: object, job_id = newId()): Promise<unknown> =>
  inWorkspace(ours.tenant_id, async () =>
    api.worker
      .get(JobRegistry, { strict: false })
      .findJob(name)
      ?.handle(payload, {
        job_id,
        attempt: 2,
        lastAttempt: false,
        isFirst: false,
        signal: new AbortController().signal,
        heartbeat: () => Promise.resolve(),
        waitsFor: () => null,
        givesUpOn: () => Promise.resolve(false),
        reportProgress: () => Promise.resolve(),
        isCancelled: () => Promise.resolve(false),
      } satisfies JobRun),
  );

const expectJob = async <T extends object>(name: string): Promise<T> => {
  const [row] = await eventually(
    () =>
      api.sql<{ ev_payload: T }>("SELECT ev_payload FROM outbox WHERE tenant_id = $1 AND ev_kind = 'job' AND ev_name = $2", [
        ours.tenant_id,
        name,
      ]),
    (rows) => rows.length > 0,
  );
  return (row as { ev_payload: T }).ev_payload;
};

/** Every object of a blob that a row names. */
const namedBytes = async (): Promise<string[]> => {
  const blobs = await api.sql<{
    blob_key: string;
    blob_replicas: Record<string, { key: string }>;
    blob_marked: Record<string, Record<string, { key: string }>>;
  }>('SELECT blob_key, blob_replicas, blob_marked FROM file_blob WHERE tenant_id = $1', [ours.tenant_id]);
  return blobs
    .flatMap(({ blob_key, blob_replicas, blob_marked }) => [
      blob_key,
      ...[blob_replicas, ...Object.values(blob_marked)].flatMap((pictures) => Object.values(pictures).map(({ key }) => key)),
    ])
    .sort();
};
const expectNothingElse = async (): Promise<void> => {
  const named = await namedBytes();
  expect(
    await eventually(
      () => keys('blobs'),
      (found) => found.join() === named.join(),
    ),
  ).toEqual(named);
};

describe('a run that stores something after another run of the same job has won', () => {
  it('leaves the marked pictures of a share as they were shown, and nothing of its own', async () => {
    const file = await picture(ours, 'harbour.jpg', 3);
    const held = holdFirst(/\/(?:small|medium|large)-[0-9a-f]{16}-/);
    const link = await shareLink(ours.owner.client, {
      share_type: 'files',
      share_file_ids: [file.file_id],
      share_options: { allow_download: false, watermark: { text: 'ACME review' } },
    });
    await filesSeen(guest(api), link);
    await eventually(() => Promise.resolve(held.isHeld()), Boolean, 30_000);
    await again('files.watermark', await expectJob('files.watermark'));
    const [seen] = await filesSeen(guest(api), link);
    const shown = async (): Promise<Buffer> =>
      bytesAt(
        (
          await guest(api)
            .get(`${publicPath(link)}/files/${seen?.public_id}/preview-url?size=large`)
            .expect(200)
        ).body as string,
      );
    const [before, named] = [await shown(), await namedBytes()];
    held.release();
    await over('files.watermark');
    await expectNothingElse();
    expect(await namedBytes()).toEqual(named);
    expect((await shown()).equals(before)).toBe(true);
  }, 120_000);

  it('leaves faces and their cut-outs as another look has found them: none twice, nothing of its own', async () => {
    const { client } = ours.owner;
    await client.patch('/admin/settings', { ws_options: { faces_enabled: true } }).expect(200);
    const held = holdFirst(/\/faces\//);
    const { file_id } = await picture(ours, 'portrait.jpg', 5);
    await eventually(() => Promise.resolve(held.isHeld()), Boolean, 30_000);
    await again('media.faces', { file_id });
    const found = async (): Promise<FaceBody[]> => (await client.get(`/faces?face_file=${file_id}`).expect(200)).body.data as FaceBody[];
    const [face, ...others] = await found();
    expect(others).toEqual([]);
    const [cutOut, stored] = [await bytesAt(face?.face_image_url ?? ''), await keys('faces')];
    held.release();
    await over('media.faces');
    expect(
      await eventually(
        () => keys('faces'),
        (left) => left.length === 1,
      ),
    ).toEqual(stored);
    expect((await found()).map(({ face_id }) => face_id)).toEqual([face?.face_id]);
    expect((await bytesAt((await found())[0]?.face_image_url ?? '')).equals(cutOut)).toBe(true);

    // What a killed run leaves is nobody's; it goes a day later, and what a face has stays.
    const left = `t/${ours.tenant_id}/faces/${newId()}-${newId()}`;
    await store().putObject(left, Buffer.from('left'));
    await api.worker.get(ScheduleHost, { strict: false }).runNow('media.crop-leftovers');
    expect(await keys('faces')).toContain(left);
    const list = store().list.bind(store());
    jest.spyOn(store(), 'list').mockImplementation(async function* (prefix) {
      for await (const object of list(prefix)) yield { ...object, modified: new Date(0) };
    });
    await api.worker.get(ScheduleHost, { strict: false }).runNow('media.crop-leftovers');
    expect(await keys('faces')).toEqual(stored);
  }, 120_000);

  it.each([
    [
      'an address',
      () =>
        ours.owner.client.post('/uploads/import', {
          file_repo: MEDIA,
          source_url: `http://127.0.0.1:${(web.address() as AddressInfo).port}/dawn.jpg`,
        }),
    ],
    ['a stock photo', () => ours.owner.client.post('/stock-photos/unsplash:u1/import', {})],
  ])(
    'leaves the file that was made of %s, and makes no second one, whether the job has ended or not',
    async (_source, ask) => {
      const { client } = ours.owner;
      const held = holdFirst(/\/blobs\//);
      const { job_id } = (await ask().expect(202)).body as { job_id: string };
      await eventually(() => Promise.resolve(held.isHeld()), Boolean, 30_000);
      await again('files.bulk', { job_id }, job_id);
      const { result } = await endedJob(client, job_id);
      await settled(client, result?.file_id ?? '');
      const shown = async (): Promise<Buffer> =>
        (await asBytes(client.get(`/files/${result?.file_id}/image-data?replica=large`)).expect(200)).body as Buffer;
      const before = await shown();
      // As if the other run, of a host that counts no attempts, had made the file and not recorded the end of the job yet.
      await api.sql("UPDATE file_job SET status = 'running', done = 0, job_attempt = 1 WHERE job_id = $1", [job_id]);
      held.release();
      await over('files.bulk');
      expect(await endedJob(client, job_id)).toMatchObject({ status: 'completed', done: 1, failed: 0, result });
      expect(await api.sql('SELECT file_id FROM file WHERE tenant_id = $1', [ours.tenant_id])).toEqual([{ file_id: result?.file_id }]);
      await expectNothingElse();
      expect((await shown()).equals(before)).toBe(true);
      expect(await api.sql('SELECT 1 FROM file_blob WHERE tenant_id = $1', [ours.tenant_id])).toHaveLength(1);
    },
    120_000,
  );
});

describe('what a run has left that was cut off while another one described the same bytes', () => {
  it('is removed a day later, unless a run has won with it in the meantime', async () => {
    await picture(ours, 'harbour.jpg', 3);
    const { file_id } = await picture(ours, 'harbour again.jpg', 3);
    const [first] = await keys('blobs');
    const blob_id = first!.split('/').at(3)!;
    const left = [`t/${ours.tenant_id}/blobs/${blob_id}/small-${newId()}`, `t/${ours.tenant_id}/blobs/${blob_id}/large-${newId()}`];
    for (const key of left) await store().putObject(key, Buffer.from('half'), { size: 4, contentType: 'image/jpeg' });
    const [{ fv_id }] = (await api.sql<{ fv_id: string }>(
      "UPDATE file SET file_processing = 'pending' WHERE tenant_id = $1 AND file_id = $2 RETURNING file_current_version AS fv_id",
      [ours.tenant_id, file_id],
    )) as [{ fv_id: string }];

    await again('files.ingest', { file_id, fv_id });
    expect(await settled(ours.owner.client, file_id)).toMatchObject({ file_processing: 'ready' });
    const [order] = await api.sql<{ ev_payload: { keys: string[]; blob_id: string }; waits: boolean }>(
      `SELECT ev_payload, ev_due > now() + interval '23 hours' AS waits FROM outbox WHERE tenant_id = $1 AND ev_name = 'files.discarded'`,
      [ours.tenant_id],
    );
    expect(order).toEqual({ ev_payload: { keys: [...left].sort(), blob_id }, waits: true });

    const won = left[0]!;
    await api.sql(`UPDATE file_blob SET blob_replicas = jsonb_set(blob_replicas, '{small,key}', to_jsonb($2::text)) WHERE tenant_id = $1`, [
      ours.tenant_id,
      won,
    ]);
    await again('files.discarded', order!.ev_payload);
    const there = await keys('blobs');
    expect(left.map((key) => there.includes(key))).toEqual([true, false]);
    expect(await namedBytes()).toEqual(expect.arrayContaining([won]));
    for (const key of await namedBytes()) expect(there).toContain(key);
  });
});
