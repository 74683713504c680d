import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Global, Module } from '@nestjs/common';
import { INSPECTION_SCRIPT } from '@atrium/files';
import { migrateQueue } from '@atrium/platform/messaging';
import { drawPicture, eventually, type RunningApi } from '@atrium/platform/testing';
import { WorkerModule } from '../../apps/worker/src/worker.module';
import { startAtrium } from '../support/api';
import { readFile, settled, upload } from './uploading';

@Global()
@Module({ providers: [{ provide: INSPECTION_SCRIPT, useValue: join(__dirname, 'held-inspection.cjs') }], exports: [INSPECTION_SCRIPT] })
class HeldInspection {}

@Module({ imports: [HeldInspection, WorkerModule] })
class WorkerWithHeldInspection {}

let api: RunningApi;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atrium-held-'));
  api = await startAtrium({ MEDIA_PROCESSES: '1', MEDIA_VECTOR_SECONDS: '600', MEDIA_TIMEOUT_SECONDS: '600' });
  await migrateQueue(api.database.ownerUrl);
  await api.startWorker(WorkerWithHeldInspection);
});
afterAll(async () => {
  await writeFile(join(folder, 'go'), '');
  await api.close();
  await rm(folder, { recursive: true, force: true });
});

const drawing = (content: string): Buffer =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="1000" height="1000">${content}</svg>`);

describe('pictures that would take long', () => {
  it('of one workspace do not hold up a picture of another: it is ready while they are still looked into', async () => {
    const [ours, theirs] = [(await api.workspace()).owner.client, (await api.workspace()).owner.client];
    const go = join(folder, 'go');
    const slow = await Promise.all(
      [1, 2, 3].map((n) => upload(theirs, `slow ${n}.svg`, drawing(`<!-- held until ${go} ${n} --><rect width="9" height="9"/>`))),
    );
    await eventually(
      () => api.sql("SELECT 1 FROM file_version WHERE fv_name LIKE 'slow%' AND fv_hash IS NOT NULL", []),
      (read) => read.length === 3,
    );
    const { file_id } = await upload(ours, 'harbour.jpg', await drawPicture({ width: 640, height: 480, format: 'jpeg' }));
    expect(await settled(ours, file_id)).toMatchObject({ file_processing: 'ready', file_replicas: 'small,medium,large' });
    expect(await Promise.all(slow.map(async (file) => (await readFile(theirs, file.file_id)).file_processing))).toEqual([
      'pending',
      'pending',
      'pending',
    ]);

    await writeFile(go, '');
    for (const file of slow)
      expect(await settled(theirs, file.file_id)).toMatchObject({ file_processing: 'ready', file_replicas: 'small,medium,large' });
  }, 120_000);

  it('are refused by what they are made of, say so, and can be downloaded all the same', async () => {
    const { client } = (await api.workspace()).owner;
    const hostile = {
      'filters.svg': drawing(
        '<filter id="f"><feMorphology radius="400"/><feTurbulence numOctaves="99"/></filter><rect width="100%" height="100%" filter="url(#f)"/>',
      ),
      'tower.svg': drawing(
        `<g id="a0"><rect/></g>${Array.from({ length: 12 }, (_, at) => `<g id="a${at + 1}">${`<use href="#a${at}"/>`.repeat(10)}</g>`).join('')}`,
      ),
      'text.svg': drawing(`<text>${'word '.repeat(20_000)}</text>`),
    };
    for (const [name, bytes] of Object.entries(hostile)) {
      const { file_id } = await upload(client, name, bytes);
      const file = await settled(client, file_id);
      expect(file).toMatchObject({ file_processing: 'ready', file_type: 'image/svg+xml', file_replicas: '' });
      expect(file.file_metadata.system).toMatchObject({
        error: 'too_complex',
        no_renditions: { code: 'too_complex', detail: 'The drawing would take too long to draw.' },
      });
      const url = (await client.get(`/files/${file_id}/download-url`).expect(200)).body as string;
      expect(Buffer.from(await (await fetch(url)).arrayBuffer()).equals(bytes)).toBe(true);
    }
  }, 120_000);
});

describe('a film that came when there were no tools for films', () => {
  it('is looked at again when it comes once more, and only then', async () => {
    const { client } = (await api.workspace()).owner;
    const film = Buffer.concat([Buffer.from('00000018667479706d703432000000006d70343269736f6d', 'hex'), Buffer.alloc(200)]);
    const { file_id } = await upload(client, 'first.mp4', film);
    const first = await settled(client, file_id);
    expect(first.file_type).toBe('video/mp4');
    expect(first.file_metadata.system).not.toHaveProperty('inspector');
    const same = await settled(client, (await upload(client, 'same.mp4', film)).file_id);
    expect(same.file_metadata.system?.['error']).toBe(first.file_metadata.system?.['error']);

    await api.sql(
      `UPDATE file_blob SET blob_system = '{"inspector": "1", "error": "no_video_tools", "codec": "stale"}' WHERE blob_id = (SELECT file_blob FROM file WHERE file_id = $1)`,
      [file_id],
    );
    const again = await settled(client, (await upload(client, 'again.mp4', film)).file_id);
    expect(again.file_metadata.system).not.toHaveProperty('codec', 'stale');
  }, 60_000);
});
