import { newId } from '@atrium/platform/kernel';
import { drawPicture, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import sharp from 'sharp';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { planOf, seedLooks, shareLookedAt } from './looks';
import { settled, upload, type StoredFile } from './uploading';

interface Similar extends StoredFile {
  readonly similarity: number;
}

let api: RunningApi;
let ours: TestWorkspace;
let theirs: TestWorkspace;
let photo: StoredFile;
let copies: readonly StoredFile[];

const add = async (workspace: TestWorkspace, name: string, bytes: Buffer): Promise<StoredFile> =>
  settled(workspace.owner.client, (await upload(workspace.owner.client, name, bytes)).file_id);
const similarTo = async (file_id: string, query = ''): Promise<Similar[]> =>
  (await ours.owner.client.get(`/files/${file_id}/similar${query}`).expect(200)).body.data as Similar[];
const ids = (files: readonly { readonly file_id: string }[]): string[] => files.map(({ file_id }) => file_id);

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
  [ours, theirs] = [await api.workspace(), await api.workspace()];
  const original = await drawPicture({ width: 900, height: 700, format: 'jpeg', seed: 3 });
  photo = await add(ours, 'photo.jpg', original);
  copies = await Promise.all([
    add(ours, 'smaller.jpg', await sharp(original).resize(400).jpeg({ quality: 60 }).toBuffer()),
    add(ours, 'other-format.png', await sharp(original).resize(500).modulate({ brightness: 1.05 }).png().toBuffer()),
  ]);
  await Promise.all(
    [11, 23, 31].map(async (seed) =>
      add(ours, `unrelated-${seed}.jpg`, await drawPicture({ width: 600, height: 400, format: 'jpeg', seed })),
    ),
  );
  await add(theirs, 'theirs.jpg', original);
}, 60_000);
afterAll(() => api.close());

describe('files that resemble a file', () => {
  it('[files 15] a resized, re-encoded copy of a photo is found with a similarity above 0.9, unrelated photos are not', async () => {
    const found = await similarTo(photo.file_id);
    expect(ids(found).sort()).toEqual(ids(copies).sort());
    for (const { similarity } of found) expect(similarity).toBeGreaterThan(0.9);
    const everything = await similarTo(photo.file_id, '?threshold=0');
    expect(everything.map(({ similarity }) => similarity)).toEqual(everything.map(({ similarity }) => similarity).sort((a, b) => b - a));
    expect(found[0]).toMatchObject({ file_name: expect.any(String), file_pref: { favorite: false } });
    expect(await similarTo(photo.file_id, '?limit=1')).toHaveLength(1);
  });

  it('are those with the same bytes when asked so', async () => {
    const bytes = Buffer.from('the same words');
    const [one, other] = [await add(ours, 'one.txt', bytes), await add(ours, 'other.txt', bytes)];
    await add(theirs, 'theirs.txt', bytes);
    expect(await similarTo(one.file_id, '?by=bytes')).toEqual([expect.objectContaining({ file_id: other.file_id, similarity: 1 })]);
    expect(await similarTo(one.file_id)).toEqual([]);
    expect(await similarTo(photo.file_id, '?by=bytes')).toEqual([]);
  });

  it('follow the life of files: in the trash there is none, a new version looks like itself', async () => {
    const [copy] = copies;
    await ours.owner.client.delete(`/files/${copy?.file_id}`).expect(204);
    expect(ids(await similarTo(photo.file_id))).not.toContain(copy?.file_id);
    await ours.owner.client.post(`/files/${copy?.file_id}/restore`).expect(200);
    expect(ids(await similarTo(photo.file_id))).toContain(copy?.file_id);
    const changing = await add(ours, 'changing.jpg', await drawPicture({ width: 500, height: 380, format: 'jpeg', seed: 47 }));
    await upload(
      ours.owner.client,
      'changing.jpg',
      await sharp(await drawPicture({ width: 900, height: 700, format: 'jpeg', seed: 3 }))
        .resize(300)
        .jpeg()
        .toBuffer(),
      { upl_file: changing.file_id },
    );
    await settled(ours.owner.client, changing.file_id);
    expect(ids(await similarTo(photo.file_id))).toContain(changing.file_id);
    await ours.owner.client.delete(`/files/${changing.file_id}`).expect(204);
    await ours.owner.client.post('/files/actions/purge', { file_ids: [changing.file_id] }).expect(200);
    expect(await api.sql('SELECT 1 FROM file_phash_band WHERE file_id = $1', [changing.file_id])).toEqual([]);
  });

  it('are not shown without permission, across workspaces, or by services that are not configured', async () => {
    const reader = await ours.member('viewer', ['document:view']);
    await reader.client.get(`/files/${photo.file_id}/similar`).expect(403);
    await theirs.owner.client.get(`/files/${photo.file_id}/similar`).expect(404);
    await ours.owner.client.get(`/files/${newId()}/similar`).expect(404);
    for (const query of ['threshold=2', 'threshold=-0.1', 'threshold=x', 'by=smell', 'limit=0', 'colour=red'])
      await ours.owner.client.get(`/files/${photo.file_id}/similar?${query}`).expect(400);
  });

  it('are found by an index: every pair at most 7 bits apart, whatever the bits, and less than one in a hundred of a million is looked at', async () => {
    const { workspace, near, probe } = await seedLooks(api, 100_000);
    const found = (await workspace.owner.client.get(`/files/${probe}/similar?threshold=0.88&limit=1000`).expect(200)).body
      .data as Similar[];
    const similarity = new Map(found.map((file) => [file.file_id, file.similarity]));
    for (const { file_id, distance } of near) expect(similarity.get(file_id)).toBeCloseTo(1 - distance / 64, 3);
    const { looked, plan } = await planOf(api, workspace, probe);
    expect(looked).toBeLessThan(100_000 / 100 + near.length * 4);
    expect(plan).not.toMatch(/Seq Scan/);
    expect(await shareLookedAt(api, 1_000_000)).toBeLessThan(0.01);
  }, 60_000);
});
