import { newId } from '@atrium/platform/kernel';
import { drawPicture, eventually, type Client, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import sharp from 'sharp';
import { settled, upload, type StoredFile } from '../files/uploading';
import { sharedAtriumWithWorker } from '../support/shared-atrium';

interface Group {
  readonly dup_id: string;
  readonly dup_kind: string;
  readonly dup_state: string;
  readonly dup_suggested_keep: string | null;
  readonly dup_files: readonly {
    readonly file_id: string;
    readonly similarity: number;
    readonly why_better: { pixels: boolean; size: boolean; metadata: boolean };
    readonly file_thumb_url: string | null;
  }[];
}

let api: RunningApi;
let ours: TestWorkspace;
let theirs: TestWorkspace;
let me: Client;
let seed = 100;

const DUPLICATES = '/media-files/duplicates';

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
  [ours, theirs] = [await api.workspace(), await api.workspace()];
  me = ours.owner.client;
}, 60_000);
afterAll(() => api.close());

const add = async (client: Client, name: string, bytes: Buffer, more: Record<string, unknown> = {}): Promise<StoredFile> =>
  settled(client, (await upload(client, name, bytes, more)).file_id);
const picture = (number: number): Promise<Buffer> => drawPicture({ width: 800, height: 600, format: 'jpeg', seed: number });
const groups = async (client = me, query = ''): Promise<Group[]> =>
  (await client.get(`${DUPLICATES}${query}`).expect(200)).body.data as Group[];
const idsOf = (files: readonly { readonly file_id: string }[]): string[] => files.map(({ file_id }) => file_id).sort();
/** The open group that holds exactly these files. */
const groupOf = async (files: readonly { readonly file_id: string }[], client = me): Promise<Group> => {
  const found = await eventually(
    () => groups(client),
    (all) => all.some(({ dup_files }) => idsOf(dup_files).join() === idsOf(files).join()),
  );
  return found.find(({ dup_files }) => idsOf(dup_files).join() === idsOf(files).join()) as Group;
};
const groupWith = async (file: StoredFile): Promise<Group | undefined> =>
  (await groups()).find(({ dup_files }) => dup_files.some(({ file_id }) => file_id === file.file_id));

/** A picture, one with fewer pixels, and one of lower quality; no two tests use the same. */
async function copies(client = me): Promise<[StoredFile, StoredFile, StoredFile]> {
  const original = await picture(++seed);
  return Promise.all([
    add(client, `original-${seed}.jpg`, original),
    add(client, `resized-${seed}.jpg`, await sharp(original).resize(420).jpeg({ quality: 80 }).toBuffer()),
    add(client, `recompressed-${seed}.jpg`, await sharp(original).jpeg({ quality: 40 }).toBuffer()),
  ]);
}

async function scanned(): Promise<void> {
  const { job_id } = (await me.post(`${DUPLICATES}/scan`).expect(202)).body as { job_id: string };
  const job = await eventually(
    async () => (await me.get(`/file-jobs/${job_id}`).expect(200)).body as { status: string; done: number; failed: number },
    ({ status }) => !['queued', 'running'].includes(status),
  );
  expect(job).toMatchObject({ status: 'completed', failed: 0 });
  expect(job.done).toBeGreaterThan(0);
}

const albumOf = async (name: string, file: StoredFile): Promise<string> => {
  const { album_id } = (await me.post('/albums', { album_name: name }).expect(201)).body as { album_id: string };
  await me.post(`/albums/${album_id}/files`, { file_ids: [file.file_id] }).expect(200);
  return album_id;
};
const albumsOf = async (file: StoredFile): Promise<string[]> =>
  ((await me.get(`/albums/memberships?af_file=${file.file_id}`).expect(200)).body.data as { af_album: string }[])
    .map(({ af_album }) => af_album)
    .sort();
const tagsOf = (file: StoredFile): Promise<object[]> =>
  api.sql('SELECT ft_tag FROM file_tag WHERE ft_file = $1 ORDER BY 1', [file.file_id]);
const read = async (
  file: StoredFile,
): Promise<
  Record<string, never> & { file_pref: { favorite: boolean }; file_metadata: Record<string, unknown>; file_summary: string | null }
> => (await me.get(`/files/${file.file_id}`).expect(200)).body as never;

async function tag(file: StoredFile, value: string, multiple = true): Promise<string> {
  const [group, tagId] = [newId(), newId()];
  await api.sql('INSERT INTO media_tag_group (tenant_id, mtg_id, mtg_name, mtg_multiple) VALUES ($1, $2, $3, $4)', [
    ours.tenant_id,
    group,
    `group of ${value}`,
    multiple,
  ]);
  await api.sql('INSERT INTO media_tag (tenant_id, mt_id, mt_group, mt_value) VALUES ($1, $2, $3, $4)', [
    ours.tenant_id,
    tagId,
    group,
    value,
  ]);
  await api.sql('INSERT INTO file_tag (tenant_id, ft_tag, ft_file, ft_group) VALUES ($1, $2, $3, $4)', [
    ours.tenant_id,
    tagId,
    file.file_id,
    group,
  ]);
  return tagId;
}

describe('duplicates', () => {
  it('[media 8] original, resized and recompressed copy are grouped; resolving keeps one with the union of albums, tags and favorites; a dismissal survives a scan', async () => {
    const [original, resized, recompressed] = await copies();
    const group = await groupOf([original, resized, recompressed]);
    expect(group).toMatchObject({ dup_kind: 'visual', dup_state: 'open', dup_suggested_keep: original.file_id });
    expect(group.dup_files[0]).toMatchObject({
      file_id: original.file_id,
      similarity: 1,
      why_better: { pixels: true, size: true, metadata: false },
      file_thumb_url: expect.any(String),
    });
    for (const { similarity } of group.dup_files) expect(similarity).toBeGreaterThanOrEqual(1 - 6 / 64);

    const albums = [await albumOf('Harbour', original), await albumOf('Boats', resized), await albumOf('Best of', recompressed)];
    const tags = [await tag(original, `sea-${seed}`), await tag(resized, `boat-${seed}`)];
    await me.patch(`/files/${recompressed.file_id}/favorite`).expect(200);
    await me
      .put(`/files/${resized.file_id}`, {
        file_metadata: { project: 'harbour', rights: { expires: '2030-01-01' } },
        file_summary: 'Boats in a harbour.',
      })
      .expect(200);
    await me.put(`/files/${original.file_id}`, { file_metadata: { project: 'sea' } }).expect(200);

    const resolved = (await me.post(`${DUPLICATES}/${group.dup_id}/resolve`, { keep: [original.file_id] }).expect(200)).body as Group & {
      undo_until: string;
    };
    expect(resolved).toMatchObject({ dup_state: 'resolved', dup_files: [{ file_id: original.file_id }] });
    expect(Date.parse(resolved.undo_until) - Date.now()).toBeGreaterThan(6.9 * 86_400_000);
    expect(await albumsOf(original)).toEqual([...albums].sort());
    expect(await tagsOf(original)).toEqual([...tags].sort().map((ft_tag) => ({ ft_tag })));
    expect(await read(original)).toMatchObject({
      file_pref: { favorite: true },
      file_metadata: { project: 'sea', rights: { expires: '2030-01-01' } },
      file_summary: 'Boats in a harbour.',
    });
    for (const gone of [resized, recompressed]) await me.get(`/files/${gone.file_id}`).expect(404);
    const merged = (await me.get(`/files/${original.file_id}/history?fh_action=merged`).expect(200)).body.data as {
      fh_details: { files: string[]; moved: object };
    }[];
    expect(merged).toHaveLength(1);
    expect(merged[0]?.fh_details).toMatchObject({ count: 2, moved: { albums: 2, tags: 1, favorites: 1, metadata: 1, summary: 1 } });
    expect(merged[0]?.fh_details.files.sort()).toEqual(idsOf([resized, recompressed]));
    await me.post(`${DUPLICATES}/${group.dup_id}/resolve`, { keep: [original.file_id] }).expect(409);

    const others = await copies();
    const dismissed = await groupOf(others);
    await me.post(`${DUPLICATES}/${dismissed.dup_id}/dismiss`).expect(200);
    await scanned();
    expect(await groupWith(others[0])).toBeUndefined();
    expect((await groups(me, '?dup_state=dismissed')).map(({ dup_id }) => dup_id)).toContain(dismissed.dup_id);
    await me.post(`${DUPLICATES}/${dismissed.dup_id}/dismiss`).expect(409);
  }, 60_000);

  it('are undone exactly: what moved goes back, what people changed since stays', async () => {
    const [original, resized, recompressed] = await copies();
    const { dup_id } = await groupOf([original, resized, recompressed]);
    const album = await albumOf('Undone', resized);
    await tag(resized, `undone-${seed}`);
    await me.patch(`/files/${resized.file_id}/favorite`).expect(200);
    await me.put(`/files/${resized.file_id}`, { file_metadata: { project: 'p', place: 'here' }, file_summary: 'Words.' }).expect(200);
    await me.post(`${DUPLICATES}/${dup_id}/resolve`, { keep: [original.file_id] }).expect(200);
    const { file_metadata } = await read(original);
    await me.put(`/files/${original.file_id}`, { file_metadata: { ...file_metadata, project: 'changed since' } }).expect(200);

    const undone = (await me.post(`${DUPLICATES}/${dup_id}/undo`).expect(200)).body as Group;
    expect(undone).toMatchObject({ dup_id, dup_state: 'open' });
    expect(idsOf(undone.dup_files)).toEqual(idsOf([original, resized, recompressed]));
    expect(await albumsOf(original)).toEqual([]);
    expect(await tagsOf(original)).toEqual([]);
    expect(await read(original)).toMatchObject({
      file_pref: { favorite: false },
      file_summary: null,
      file_metadata: { project: 'changed since' },
    });
    expect((await read(original)).file_metadata).not.toHaveProperty('place');
    expect(await albumsOf(resized)).toEqual([album]);
    expect(await read(resized)).toMatchObject({ file_pref: { favorite: true }, file_summary: 'Words.' });
    expect(await tagsOf(resized)).toHaveLength(1);
    await me.post(`${DUPLICATES}/${dup_id}/undo`).expect(409);

    await me.post(`${DUPLICATES}/${dup_id}/resolve`, { keep: [original.file_id] }).expect(200);
    await api.sql("UPDATE duplicate_merge SET dm_until = now() - interval '1 second' WHERE dm_group = $1", [dup_id]);
    await me.post(`${DUPLICATES}/${dup_id}/undo`).expect(410);
  }, 60_000);

  it('carry only what is asked for, and one value into a group that takes one', async () => {
    const [original, resized, recompressed] = await copies();
    const { dup_id } = await groupOf([original, resized, recompressed]);
    await albumOf('Left behind', resized);
    const kept = await tag(original, `day-${seed}`, false);
    await api.sql(
      `WITH t AS (INSERT INTO media_tag (tenant_id, mt_id, mt_group, mt_value) SELECT tenant_id, gen_random_uuid(), mt_group, 'night' FROM media_tag WHERE mt_id = $1 RETURNING tenant_id, mt_id, mt_group)
       INSERT INTO file_tag (tenant_id, ft_tag, ft_file, ft_group) SELECT tenant_id, mt_id, $2, mt_group FROM t`,
      [kept, resized.file_id],
    );
    await me.post(`${DUPLICATES}/${dup_id}/resolve`, { keep: [original.file_id], carry: ['tags'] }).expect(200);
    expect(await albumsOf(original)).toEqual([]);
    expect(await tagsOf(original)).toEqual([{ ft_tag: kept }]);
  });

  it('that are all kept are not brought up again', async () => {
    const [original, resized, recompressed] = await copies();
    const { dup_id } = await groupOf([original, resized, recompressed]);
    await me.post(`${DUPLICATES}/${dup_id}/resolve`, { keep: idsOf([original, resized, recompressed]) }).expect(200);
    for (const file of [original, resized, recompressed]) await me.get(`/files/${file.file_id}`).expect(200);
    await scanned();
    expect(await groupWith(original)).toBeUndefined();
  });

  it('of equal bytes are exact, whatever the files are, and follow their life', async () => {
    const bytes = Buffer.from('the same words in two files');
    const [one, two] = [await add(me, 'one.txt', bytes), await add(me, 'two.txt', bytes)];
    const pair = await groupOf([one, two]);
    expect(pair).toMatchObject({
      dup_kind: 'exact',
      dup_files: [{ similarity: 1, why_better: { pixels: false, size: false, metadata: false } }, { similarity: 1 }],
    });
    const third = await add(me, 'three.txt', bytes);
    expect((await groupOf([one, two, third])).dup_id).toBe(pair.dup_id);
    await me.delete(`/files/${third.file_id}`).expect(204);
    await me.delete(`/files/${two.file_id}`).expect(204);
    expect(await groupWith(one)).toBeUndefined();
    await me.post(`/files/${two.file_id}/restore`).expect(200);
    await groupOf([one, two]);
    await me.put(`/files/${two.file_id}/content`, { content: 'other words' }).expect(200);
    await eventually(
      () => groupWith(one),
      (group) => group === undefined,
    );
  }, 30_000);

  it('are not found by pictures of one tone, which all have the same hash', async () => {
    const flat = (background: string): Promise<Buffer> =>
      sharp({ create: { width: 300, height: 200, channels: 3, background } })
        .png()
        .toBuffer();
    const [red, blue] = [await add(me, 'red.png', await flat('#c02020')), await add(me, 'blue.png', await flat('#2020c0'))];
    await scanned();
    expect(await groupWith(red)).toBeUndefined();
    expect(await groupWith(blue)).toBeUndefined();
  });

  it('are resolved by one of two people at the same time', async () => {
    const files = await copies();
    const { dup_id } = await groupOf(files);
    const answers = await Promise.all(files.map(({ file_id }) => me.post(`${DUPLICATES}/${dup_id}/resolve`, { keep: [file_id] })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const left = await Promise.all(files.map(({ file_id }) => me.get(`/files/${file_id}`)));
    expect(left.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('are refused without permission, for strangers and with bad input', async () => {
    const files = await copies();
    const { dup_id } = await groupOf(files);
    const [first] = files;
    const editor = await ours.member('editor', ['media:view', 'media:edit']);
    const viewer = await ours.member('viewer', ['media:view']);
    const denied = await editor.client.post(`${DUPLICATES}/${dup_id}/resolve`, { keep: [first.file_id] }).expect(403);
    expect(denied.body.detail).toContain('media:delete');
    for (const path of [`${dup_id}/dismiss`, 'scan']) await viewer.client.post(`${DUPLICATES}/${path}`).expect(403);
    await viewer.client.get(DUPLICATES).expect(200);

    expect(await groups(theirs.owner.client)).toEqual([]);
    for (const action of ['resolve', 'dismiss', 'undo']) {
      await theirs.owner.client
        .post(`${DUPLICATES}/${dup_id}/${action}`, action === 'resolve' ? { keep: [first.file_id] } : undefined)
        .expect(404);
      await me.post(`${DUPLICATES}/${newId()}/${action}`, action === 'resolve' ? { keep: [first.file_id] } : undefined).expect(404);
    }
    const foreign = await add(theirs.owner.client, 'theirs.txt', Buffer.from('theirs'));
    for (const body of [
      {},
      { keep: [] },
      { keep: [newId()] },
      { keep: [foreign.file_id] },
      { keep: ['x'] },
      { keep: [first.file_id], carry: ['secrets'] },
      { keep: [first.file_id], more: 1 },
    ]) {
      await me.post(`${DUPLICATES}/${dup_id}/resolve`, body).expect(400);
    }
    await me.post(`${DUPLICATES}/${dup_id}/undo`).expect(409);
    expect((await groupOf(files)).dup_state).toBe('open');
    await theirs.owner.client.get(`/files/${foreign.file_id}`).expect(200);
  });
});
