import { drawPicture, eventually, texturedPicture, type Client, type RunningApi } from '@atrium/platform/testing';
import sharp from 'sharp';
import { settled, upload, type StoredFile } from '../files/uploading';
import { sharedAtriumWithWorker } from '../support/shared-atrium';

interface Group {
  readonly dup_id: string;
  readonly dup_kind: string;
  readonly dup_files: readonly { readonly file_id: string; readonly similarity: number }[];
  readonly dup_suggested_keep: string | null;
}

let api: RunningApi;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
});
afterAll(() => api.close());

const add = async (client: Client, name: string, bytes: Buffer): Promise<StoredFile> =>
  settled(client, (await upload(client, name, bytes)).file_id);
const groups = async (client: Client): Promise<Group[]> => (await client.get('/media-files/duplicates').expect(200)).body.data as Group[];
const found = (client: Client, files: number): Promise<Group[]> =>
  eventually(
    () => groups(client),
    (all) => all[0]?.dup_files.length === files,
    30_000,
  );

describe('duplicates', () => {
  it('suggest to keep the original, neither the copy that was enlarged nor the one that was reduced', async () => {
    const { client } = (await api.workspace()).owner;
    const taken = await drawPicture({
      width: 900,
      height: 700,
      format: 'jpeg',
      seed: 5,
      make: 'Lumen',
      model: 'Field 3',
      taken: '2024:05:17 08:30:00',
    });
    const enlarged = await add(client, 'enlarged.png', await sharp(taken).resize(2000).png().toBuffer());
    const reduced = await add(client, 'reduced.jpg', await sharp(taken).resize(400).keepExif().jpeg().toBuffer());
    const original = await add(client, 'original.jpg', taken);
    const [group] = await found(client, 3);
    expect(group).toMatchObject({ dup_kind: 'visual', dup_suggested_keep: original.file_id });
    expect(group?.dup_files.map(({ file_id }) => file_id).sort()).toEqual(
      [enlarged, reduced, original].map(({ file_id }) => file_id).sort(),
    );
  }, 60_000);

  it('are never files without a byte, wherever duplicates are asked for', async () => {
    const { client } = (await api.workspace()).owner;
    const [one] = [await add(client, 'one.txt', Buffer.alloc(0)), await add(client, 'two.txt', Buffer.alloc(0))];
    const words = [await add(client, 'a.txt', Buffer.from('same')), await add(client, 'b.txt', Buffer.from('same'))];
    const [group, ...others] = await found(client, 2);
    expect(others).toEqual([]);
    expect(group?.dup_files.map(({ file_id }) => file_id).sort()).toEqual(words.map(({ file_id }) => file_id).sort());
    expect((await client.get(`/files/${one?.file_id}/similar?by=bytes`).expect(200)).body.data).toEqual([]);
    const search = await client
      .post('/saved-searches/preview', { sq_scope: 'media', sq_query: { where: { field: 'duplicate', op: 'eq', value: true } } })
      .expect(200);
    expect(search.body).toMatchObject({ count: 2 });
  }, 60_000);

  it('without words are found by no meaning, whatever is sought', async () => {
    const { client } = (await api.workspace()).owner;
    const silent = await add(client, 'IMG_4711.jpg', await drawPicture({ width: 200, height: 150, format: 'jpeg', seed: 1 }));
    const signs = await add(client, '---.txt', Buffer.from('x'));
    const worded = await add(client, 'harbour at night.txt', Buffer.from('y'));
    const seek = async (text: string): Promise<string[]> =>
      (
        (await client.get(`/media-files?embedding_search=${encodeURIComponent(text)}&similarityThreshold=0`).expect(200)).body
          .data as StoredFile[]
      ).map(({ file_id }) => file_id);
    await eventually(
      () => seek('harbour'),
      (ids) => ids.includes(worded.file_id),
      30_000,
    );
    for (const text of ['harbour', 'IMG 4711', 'anything at all'])
      expect(await seek(text)).not.toEqual(expect.arrayContaining([silent.file_id]));
    expect(
      await api.sql("SELECT ve_id FROM vector_entry WHERE ve_kind = 'media-file' AND ve_id = ANY($1)", [[silent.file_id, signs.file_id]]),
    ).toEqual([]);
    await client.put(`/files/${silent.file_id}`, { file_summary: 'Boats in a harbour' }).expect(200);
    await eventually(
      () => seek('boats'),
      (ids) => ids.includes(silent.file_id),
      30_000,
    );
    await client.put(`/files/${silent.file_id}`, { file_summary: null }).expect(200);
    await eventually(
      () => seek('boats'),
      (ids) => !ids.includes(silent.file_id),
      30_000,
    );
  }, 120_000);
});

describe('pictures that were turned, mirrored or cropped', () => {
  it('are duplicates of their original whichever came first, others are not, and no other workspace has a part in it', async () => {
    const [{ owner }, { owner: stranger }] = [await api.workspace(), await api.workspace()];
    const original = await texturedPicture({ width: 900, height: 700, seed: 4 });
    const turned = await sharp(original).rotate(90).jpeg({ quality: 80 }).toBuffer();
    const mirrored = await sharp(original).flop().resize(600).jpeg({ quality: 75 }).toBuffer();
    const cropped = await sharp(original).extract({ left: 90, top: 70, width: 720, height: 560 }).jpeg({ quality: 80 }).toBuffer();
    const corner = await sharp(original)
      .extract({ left: 180, top: 0, width: 720, height: 560 })
      .resize(500)
      .jpeg({ quality: 80 })
      .toBuffer();
    await add(stranger.client, 'theirs.jpg', turned);
    const names = {
      'turned.jpg': turned,
      'cropped.jpg': cropped,
      'original.jpg': original,
      'mirrored.jpg': mirrored,
      'corner.jpg': corner,
    };
    const ids: Record<string, string> = {};
    for (const [name, bytes] of Object.entries(names)) ids[name] = (await add(owner.client, name, bytes)).file_id;
    for (const seed of [21, 22, 23, 24])
      await add(owner.client, `other-${seed}.jpg`, await texturedPicture({ width: 450, height: 350, seed }));
    const [group, ...others] = await found(owner.client, 5);
    expect(others).toEqual([]);
    expect(group?.dup_files.map(({ file_id }) => file_id).sort()).toEqual(Object.values(ids).sort());
    for (const { similarity } of group?.dup_files ?? []) expect(similarity).toBeGreaterThan(0.75);
    expect(group?.dup_suggested_keep).not.toBe(ids['cropped.jpg']);
    expect(await groups(stranger.client)).toEqual([]);
  }, 120_000);
});
