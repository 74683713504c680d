import { newId } from '@atrium/platform/kernel';
import {
  drawPicture,
  eventually,
  FaceServer,
  faceVector,
  type Client,
  type RunningApi,
  type TestWorkspace,
  type ToldFace,
} from '@atrium/platform/testing';
import sharp from 'sharp';
import { settled, upload, type StoredFile } from '../files/uploading';
import { storeFile } from '../files/stored-files';
import { startAtrium, startAtriumWithWorker } from '../support/api';

interface FaceBody {
  readonly face_id: string;
  readonly face_file: string;
  readonly face_person: string | null;
  readonly face_state: string;
  readonly face_source: string;
  readonly face_box: { x: number; y: number; width: number; height: number };
  readonly face_decided_by: string | null;
  readonly face_suggestions: readonly { person_id: string; distance: number }[];
  readonly face_image_url: string | null;
}

interface PersonBody {
  readonly person_id: string;
  readonly person_name: string | null;
  readonly person_face_count: number;
  readonly person_file_count: number;
  readonly person_merged_into: string | null;
  readonly person_favorite: boolean;
  readonly person_cover_preview: { face_id: string; url: string | null } | null;
}

let server: FaceServer;
let api: RunningApi;
let ours: TestWorkspace;
let theirs: TestWorkspace;
let me: Client;
let width = 400;

/** What the server sees, by the width of the picture. */
const scenes = new Map<number, readonly ToldFace[]>();

beforeAll(async () => {
  server = await FaceServer.start();
  server.seeing = async ({ bytes }) => ({ faces: scenes.get((await sharp(bytes).metadata()).width) ?? [] });
  api = await startAtriumWithWorker({
    OUTBOUND_ALLOW: '127.0.0.1',
    FACES_URL: server.url,
    FACES_API_KEY: 'face-key',
    FACES_CLUSTER_SECONDS: '0',
    FACES_TIMEOUT_SECONDS: '2',
  });
  [ours, theirs] = [await api.workspace(), await api.workspace()];
  me = ours.owner.client;
}, 60_000);
afterAll(async () => {
  await api.close();
  await server.stop();
});

const LEFT = [40, 40, 140, 160] as const;
const RIGHT = [220, 60, 320, 180] as const;
const face = (seed: number, turn = 0, box: ToldFace['box'] = LEFT, probability = 0.99): ToldFace => ({
  box,
  probability,
  embedding: faceVector(seed, turn, seed + 5_000 + Math.round(turn * 1_000)),
});

/** A photo on which the server sees these faces. */
async function photo(faces: readonly ToldFace[], client = me, taken?: string): Promise<StoredFile> {
  width += 8;
  scenes.set(width, faces);
  const picture = await drawPicture({ width, height: 300, format: 'jpeg', seed: width, taken });
  return settled(client, (await upload(client, `photo-${width}.jpg`, picture)).file_id);
}

const enable = (workspace: TestWorkspace): Promise<unknown> =>
  workspace.owner.client.patch('/admin/settings', { ws_options: { faces_enabled: true } }).expect(200);
const ended = async (job_id: string, client = me): Promise<{ status: string; done: number; failed: number; errors: { code: string }[] }> =>
  eventually(
    async () =>
      (await client.get(`/file-jobs/${job_id}`).expect(200)).body as {
        status: string;
        done: number;
        failed: number;
        errors: { code: string }[];
      },
    ({ status }) => !['queued', 'running'].includes(status),
    60_000,
  );
async function detect(
  files: readonly StoredFile[],
  client = me,
): Promise<{ status: string; done: number; failed: number; errors: { code: string }[] }> {
  const { job_id } = (await client.post('/files/actions/detect-faces', { file_ids: files.map(({ file_id }) => file_id) }).expect(202))
    .body as { job_id: string };
  return ended(job_id, client);
}
const facesOf = async (file: StoredFile, client = me): Promise<FaceBody[]> =>
  (await client.get(`/faces?face_file=${file.file_id}&sort=face_created`).expect(200)).body.data as FaceBody[];
const people = async (query = '', client = me): Promise<PersonBody[]> =>
  (await client.get(`/people?limit=1000${query}`).expect(200)).body.data as PersonBody[];
const person = async (id: string): Promise<PersonBody> => (await me.get(`/people/${id}`).expect(200)).body as PersonBody;
/** Nothing waits to be sorted. */
const sorted = (): Promise<unknown> =>
  eventually(
    () =>
      api.sql<{ left: number }>(
        'SELECT count(*)::int AS left FROM face WHERE NOT face_clustered AND face_embedding IS NOT NULL AND NOT face_decided AND NOT face_hidden',
      ),
    ([row]) => row?.left === 0,
    30_000,
  );
const ownerOf = async (file: StoredFile, at = 0): Promise<string | null> => (await facesOf(file))[at]?.face_person ?? null;
const shows = (files: readonly StoredFile[]): Promise<(string | null)[]> => Promise.all(files.map((file) => ownerOf(file)));

/** Three photos of somebody, recognised. */
async function somebody(seed: number): Promise<{ readonly id: string; readonly files: StoredFile[] }> {
  const files = await Promise.all([0, 0.1, 0.12].map((turn) => photo([face(seed, turn)])));
  await detect(files);
  const [first] = await eventually(
    () => shows(files),
    (ids) => ids[0] !== null && ids.every((id) => id === ids[0]),
    30_000,
  );
  return { id: first as string, files };
}

describe('faces', () => {
  it('[media 7] are off by default, marked by hand without a provider, sorted to people once a photo, and rejections, merges, undoing and erasing hold', async () => {
    const plain = await api.workspace();
    const file = await photo([], plain.owner.client);
    expect((await plain.owner.client.post('/files/actions/detect-faces', { file_ids: [file.file_id] }).expect(409)).body.code).toBe(
      'invalid_state',
    );
    const bare = await startAtrium({ FACES_URL: '' });
    const alone = await bare.workspace();
    await enable(alone);
    expect((await alone.owner.client.post('/files/actions/detect-faces', { all: true }).expect(501)).body.detail).toContain('FACES_URL');
    const { file_id } = await storeFile(bare, alone);
    await bare.sql("UPDATE file SET file_kind = 'image' WHERE file_id = $1", [file_id]);
    await alone.owner.client.post('/faces', { face_file: file_id, face_box: { x: 0.1, y: 0.1, width: 0.2, height: 0.2 } }).expect(201);
    await bare.close();

    await enable(ours);
    const [anna, ben] = [11, 22];
    const both = [face(anna, 0, LEFT), face(ben, 0, RIGHT)];
    const photos = await Promise.all([
      photo(both),
      photo([face(anna, 0.1, LEFT), face(ben, 0.1, RIGHT)]),
      photo([face(anna, 0.12, LEFT), face(anna, 0.14, RIGHT)]),
      photo([face(ben, 0.12)]),
      photo([face(anna, 0.16)]),
    ]);
    expect(await detect(photos)).toMatchObject({ status: 'completed', done: 5, failed: 0 });
    await eventually(
      people,
      (all) => all.length === 2 && all.reduce((sum, { person_face_count }) => sum + person_face_count, 0) === 7,
      30_000,
    );
    await sorted();
    const known = await people();
    expect(known.map(({ person_face_count }) => person_face_count).sort()).toEqual([3, 4]);
    for (const { person_face_count, person_file_count } of known) expect(person_file_count).toBe(person_face_count);
    const twice = await facesOf(photos[2]);
    expect(twice.filter(({ face_state }) => face_state === 'assigned')).toHaveLength(1);
    for (const one of photos) {
      const ids = (await facesOf(one)).flatMap(({ face_person }) => face_person ?? []);
      expect(new Set(ids).size).toBe(ids.length);
    }
    const annaId = (await ownerOf(photos[4])) as string;
    const benId = known.find(({ person_id }) => person_id !== annaId)?.person_id as string;

    const last = (await facesOf(photos[4]))[0] as FaceBody;
    await me.post(`/people/${annaId}/suggestions`, { reject: [last.face_id] }).expect(200);
    await detect([photos[4]]);
    await sorted();
    const again = (await facesOf(photos[4]))[0] as FaceBody;
    expect(again.face_id).toBe(last.face_id);
    expect(again.face_person).toBeNull();
    expect(again.face_suggestions.map(({ person_id }) => person_id)).not.toContain(annaId);

    const before = await api.sql('SELECT face_id, face_person, face_state, face_decided FROM face WHERE tenant_id = $1 ORDER BY 1', [
      ours.tenant_id,
    ]);
    await me.patch(`/people/${benId}`, { person_name: 'Ben' }).expect(200);
    const merged = (await me.post(`/people/${annaId}/merge`, { person_ids: [benId] }).expect(200)).body as {
      undo_id: string;
      undo_until: string;
      person: PersonBody;
    };
    expect(merged.person).toMatchObject({ person_id: annaId, person_name: 'Ben' });
    expect(await person(benId)).toMatchObject({ person_merged_into: annaId });
    await me.patch(`/people/${benId}`, { person_name: 'Other' }).expect(409);
    await me.post(`/people/${annaId}/split`, { undo_id: merged.undo_id }).expect(200);
    expect(
      await api.sql('SELECT face_id, face_person, face_state, face_decided FROM face WHERE tenant_id = $1 ORDER BY 1', [ours.tenant_id]),
    ).toEqual(before);
    expect(await person(annaId)).toMatchObject({ person_name: null, person_merged_into: null });
    expect(await person(benId)).toMatchObject({ person_name: 'Ben', person_merged_into: null });
    await me.post(`/people/${annaId}/split`, { undo_id: merged.undo_id }).expect(400);

    const erased = (await api.sql<{ face_id: string }>('SELECT face_id FROM face WHERE face_person = $1', [benId])).map(
      ({ face_id }) => face_id,
    );
    await (await ours.member('editor')).client.delete(`/people/${benId}?erase=true`).expect(403);
    await me.delete(`/people/${benId}?erase=true`).expect(204);
    await me.get(`/people/${benId}`).expect(404);
    expect(
      await api.sql(
        'SELECT 1 FROM face WHERE face_id = ANY($1) AND (face_embedding IS NOT NULL OR face_crop IS NOT NULL OR face_person IS NOT NULL)',
        [erased],
      ),
    ).toEqual([]);
    await detect(photos);
    await sorted();
    expect(
      await api.sql('SELECT 1 FROM face WHERE face_id = ANY($1) AND (face_embedding IS NOT NULL OR face_person IS NOT NULL)', [erased]),
    ).toEqual([]);
    expect((await people()).map(({ person_id }) => person_id)).toEqual([annaId]);
  }, 120_000);

  it('are marked, moved, given away, put aside and removed by people, and no machine changes that', async () => {
    await enable(ours);
    const file = await photo([face(31)]);
    await detect([file]);
    const box = { x: 0.6, y: 0.2, width: 0.2, height: 0.3 };
    const { person_id } = (
      await me.post('/people', { person_name: '  Ada   Lovelace ', person_birth_date: '1990-12-31', person_favorite: true }).expect(201)
    ).body as PersonBody;
    expect(await person(person_id)).toMatchObject({ person_name: 'Ada Lovelace', person_favorite: true, person_face_count: 0 });
    const marked = (await me.post('/faces', { face_file: file.file_id, face_box: box, face_person: person_id }).expect(201))
      .body as FaceBody;
    expect(marked).toMatchObject({
      face_source: 'manual',
      face_state: 'assigned',
      face_person: person_id,
      face_decided_by: ours.owner.user_id,
      face_box: box,
    });
    const picture = await fetch((await me.get(`/faces/${marked.face_id}/image`).expect(200)).body as string);
    expect(await sharp(Buffer.from(await picture.arrayBuffer())).metadata()).toMatchObject({ format: 'webp', width: 256, height: 256 });

    const found = (await facesOf(file)).find(({ face_source }) => face_source === 'detected') as FaceBody;
    expect((await me.patch(`/faces/${found.face_id}`, { face_person: person_id }).expect(409)).body.code).toBe('already_exists');
    await me.patch(`/faces/${found.face_id}`, { face_box: box }).expect(409);
    expect((await me.patch(`/faces/${marked.face_id}`, { face_box: { ...box, x: 0.5 } }).expect(200)).body.face_box.x).toBe(0.5);
    await me.delete(`/faces/${found.face_id}`).expect(204);
    await detect([file]);
    expect((await facesOf(file)).find(({ face_id }) => face_id === found.face_id)).toMatchObject({ face_state: 'ignored' });
    expect(await facesOf(file)).toHaveLength(2);

    expect((await me.get(`/media-files?person=${person_id}`).expect(200)).body.data).toHaveLength(1);
    expect((await me.get(`/people/${person_id}/files`).expect(200)).body.data).toMatchObject([{ file_id: file.file_id }]);
    expect((await me.get(`/media-files/${file.file_id}`).expect(200)).body.people).toEqual([
      { person_id, person_name: 'Ada Lovelace', face_id: marked.face_id },
    ]);
    expect((await me.get(`/media-files/facets?facets=person&person=${person_id}`).expect(200)).text).toContain('Ada Lovelace');
    expect((await people('&q=lovel')).map((one) => one.person_id)).toEqual([person_id]);
    await me.patch(`/people/${person_id}`, { person_cover_face: marked.face_id }).expect(200);
    expect((await me.get(`/files/${file.file_id}/references`).expect(200)).text).toContain(person_id);

    await me.delete(`/files/${file.file_id}`).expect((response: { status: number }) => expect(response.status).toBeLessThan(300));
    expect(await person(person_id)).toMatchObject({ person_face_count: 0 });
    await me.patch(`/faces/${marked.face_id}`, { face_person: null }).expect(404);
    await me.delete(`/people/${person_id}`).expect(204);
  }, 60_000);

  it('are suggested where a machine is not sure, never before somebody was born, and never for who refused', async () => {
    await enable(ours);
    const { id } = await somebody(41);
    const near = await photo([face(41, 0.63)]);
    await detect([near]);
    const suggested = await eventually(
      () => facesOf(near),
      ([one]) => one !== undefined && one.face_state !== 'unassigned',
      30_000,
    );
    expect(suggested[0]).toMatchObject({
      face_state: 'suggested',
      face_person: null,
      face_suggestions: [{ person_id: id, distance: expect.any(Number) }],
    });
    const offered = (await me.get(`/people/${id}/suggestions`).expect(200)).body.data as FaceBody[];
    expect(offered.map(({ face_id }) => face_id)).toEqual([suggested[0]?.face_id]);
    expect((await me.post(`/people/${id}/suggestions`, { accept: [suggested[0]?.face_id] }).expect(200)).body).toEqual({
      accepted: 1,
      rejected: 0,
      skipped: 0,
    });
    expect(await ownerOf(near)).toBe(id);

    await me.patch(`/people/${id}`, { person_consent: { status: 'refused', note: 'By mail.' } }).expect(200);
    const refused = await photo([face(41, 0.05)]);
    await detect([refused]);
    await sorted();
    expect(await ownerOf(refused)).toBeNull();
    expect(
      ((await me.get('/media-files?has_consent_issue=true').expect(200)).body.data as StoredFile[]).map(({ file_id }) => file_id),
    ).toContain(near.file_id);
    await me.patch(`/people/${id}`, { person_consent: { status: 'granted', until: '2099-01-01' } }).expect(200);
    await eventually(
      () => ownerOf(refused),
      (owner) => owner === id,
      30_000,
    );
    await me.patch(`/people/${id}`, { person_consent: { status: 'granted', until: '2001-01-01' } }).expect(200);
    expect(
      ((await me.get('/media-files?has_consent_issue=true').expect(200)).body.data as StoredFile[]).map(({ file_id }) => file_id),
    ).toContain(near.file_id);
    await me.patch(`/people/${id}`, { person_consent: { status: 'granted' } }).expect(200);

    await me.patch(`/people/${id}`, { person_birth_date: '2015-06-01' }).expect(200);
    const early = await photo([face(41, 0.06)], me, '2010:01:01 00:00:00');
    await detect([early]);
    await sorted();
    expect(await ownerOf(early)).toBeNull();
  }, 90_000);

  it('merge where two of them are in one photo, and split by faces', async () => {
    await enable(ours);
    const one = await somebody(51);
    const other = await somebody(61);
    const both = await photo([face(51, 0.05, LEFT, 0.99), face(61, 0.05, RIGHT, 0.9)]);
    await detect([both]);
    await eventually(
      () => facesOf(both),
      (all) => all.length === 2 && all.every(({ face_state }) => face_state === 'assigned'),
      30_000,
    );
    const merged = (await me.post(`/people/${one.id}/merge`, { person_ids: [other.id] }).expect(200)).body as {
      undo_id: string;
      person: PersonBody;
    };
    expect(merged.person.person_face_count).toBe(7);
    expect((await facesOf(both)).map(({ face_state }) => face_state).sort()).toEqual(['assigned', 'unassigned']);
    expect((await me.get(`/media-files?person=${other.id}&limit=50`).expect(200)).body.data).toHaveLength(7);
    const [split] = await facesOf(one.files[0] as StoredFile);
    const halves = (await me.post(`/people/${one.id}/split`, { face_ids: [split?.face_id] }).expect(200)).body.people as PersonBody[];
    expect(halves.map(({ person_face_count }) => person_face_count)).toEqual([6, 1]);
    await me.post(`/people/${one.id}/split`, { undo_id: merged.undo_id }).expect(200);
    expect(await ownerOf(one.files[0] as StoredFile)).toBe(halves[1]?.person_id);
    expect(await shows(other.files)).toEqual(other.files.map(() => other.id));
    expect((await facesOf(both)).map(({ face_person }) => face_person).sort()).toEqual([one.id, other.id].sort());
    const late = (await me.post(`/people/${one.id}/merge`, { person_ids: [other.id] }).expect(200)).body as { undo_id: string };
    await api.sql("UPDATE person_merge SET pm_until = now() - interval '1 second' WHERE pm_id = $1", [late.undo_id]);
    await me.post(`/people/${one.id}/split`, { undo_id: late.undo_id }).expect(410);
  }, 90_000);

  it('go over to the file that is kept of duplicates', async () => {
    const original = await drawPicture({ width: 800, height: 600, format: 'jpeg', seed: 7_001 });
    const [kept, copy] = [
      await settled(me, (await upload(me, 'kept.jpg', original)).file_id),
      await settled(me, (await upload(me, 'copy.jpg', await sharp(original).jpeg({ quality: 40 }).toBuffer())).file_id),
    ];
    const { person_id } = (await me.post('/people', { person_name: 'Carried' }).expect(201)).body as PersonBody;
    await me
      .post('/faces', { face_file: copy.file_id, face_box: { x: 0.1, y: 0.1, width: 0.2, height: 0.2 }, face_person: person_id })
      .expect(201);
    const groups = await eventually(
      async () => (await me.get('/media-files/duplicates').expect(200)).body.data as { dup_id: string; dup_files: { file_id: string }[] }[],
      (all) => all.some(({ dup_files }) => dup_files.some(({ file_id }) => file_id === copy.file_id)),
    );
    const dup_id = groups.find(({ dup_files }) => dup_files.some(({ file_id }) => file_id === copy.file_id))?.dup_id;
    await me.post(`/media-files/duplicates/${dup_id}/resolve`, { keep: [kept.file_id] }).expect(200);
    expect((await facesOf(kept)).map(({ face_person }) => face_person)).toEqual([person_id]);
    expect(await person(person_id)).toMatchObject({ person_face_count: 1 });
    await me.post(`/media-files/duplicates/${dup_id}/undo`).expect(200);
    expect(await facesOf(kept)).toEqual([]);
    expect((await facesOf(copy)).map(({ face_person }) => face_person)).toEqual([person_id]);
  }, 60_000);

  it('are looked for in what the provider takes: boxes are cut to the picture, refusals are reported for each file, and a provider that is away is waited for', async () => {
    await enable(ours);
    const outside = await photo([
      { ...face(71), box: [-50, -20, 100, 120] },
      { ...face(72), box: [-80, 10, -20, 90] },
    ]);
    await detect([outside]);
    const found = await facesOf(outside);
    expect(found).toHaveLength(1);
    expect(found[0]?.face_box).toMatchObject({ x: 0, y: 0 });
    expect(server.asked.at(-1)).toMatchObject({ plugins: 'landmarks,calculator', type: 'image/jpeg' });

    const [large, broken] = [await photo([face(73)]), await photo([face(74)])];
    await eventually(
      () => facesOf(broken),
      (all) => all.length === 1,
    );
    server.turns.push({ status: 413 });
    expect(await detect([large])).toMatchObject({
      status: 'failed',
      done: 0,
      failed: 1,
      errors: [expect.objectContaining({ code: 'unprocessable_content' })],
    });
    server.turns.push({ status: 500 }, { status: 503 }, { status: 500 }, { faces: [] });
    expect(await detect([broken])).toMatchObject({ status: 'completed', done: 1, failed: 0 });
    server.turns.push({ say: 'no json' }, { status: 429, retryAfter: '0' }, { faces: [] });
    expect(await detect([broken])).toMatchObject({ done: 1, failed: 0 });
    expect(await facesOf(broken)).toEqual([]);
    expect(await detect([{ ...broken, file_id: newId() }])).toMatchObject({ failed: 1, errors: [{ code: 'not_found' }] });
  }, 60_000);

  it('and people are nobody else’s: other workspaces and people without the permission get nothing', async () => {
    const file = await photo([]);
    const { person_id } = (await me.post('/people', { person_name: 'Ours' }).expect(201)).body as PersonBody;
    const box = { x: 0.1, y: 0.1, width: 0.2, height: 0.2 };
    const { face_id } = (await me.post('/faces', { face_file: file.file_id, face_box: box }).expect(201)).body as FaceBody;
    const counts = (): Promise<object[]> =>
      api.sql(
        'SELECT (SELECT count(*) FROM face WHERE tenant_id = $1) AS faces, (SELECT count(*) FROM person WHERE tenant_id = $1) AS people, (SELECT count(*) FROM face_rejection WHERE tenant_id = $1) AS no',
        [ours.tenant_id],
      );
    const before = await counts();
    const other = theirs.owner.client;
    await enable(theirs);
    const mine = (await other.post('/people', { person_name: 'Theirs' }).expect(201)).body.person_id as string;
    for (const path of [
      `/faces/${face_id}/image`,
      `/people/${person_id}`,
      `/people/${person_id}/files`,
      `/people/${person_id}/suggestions`,
    ])
      await other.get(path).expect(404);
    await other.patch(`/faces/${face_id}`, { face_state: 'ignored' }).expect(404);
    await other.delete(`/faces/${face_id}`).expect(404);
    await other.patch(`/people/${person_id}`, { person_name: 'x' }).expect(404);
    await other.delete(`/people/${person_id}`).expect(404);
    await other.delete(`/people/${person_id}?erase=true`).expect(404);
    await other.post(`/people/${person_id}/merge`, { person_ids: [mine] }).expect(404);
    await other.post(`/people/${mine}/merge`, { person_ids: [person_id] }).expect(400);
    await other.post(`/people/${mine}/split`, { face_ids: [face_id] }).expect(400);
    await other.post(`/people/${mine}/suggestions`, { accept: [face_id] }).expect(400);
    await other.post('/faces', { face_file: file.file_id, face_box: box }).expect(400);
    expect(await detect([file], other)).toMatchObject({ done: 0, failed: 1 });
    expect((await other.get(`/faces?face_file=${file.file_id}`).expect(200)).body.data).toEqual([]);
    expect(await counts()).toEqual(before);

    const viewer = (await ours.member('viewer')).client;
    await viewer.get('/people').expect(200);
    const writes = [
      viewer.post('/people', {}),
      viewer.patch(`/people/${person_id}`, {}),
      viewer.delete(`/people/${person_id}`),
      viewer.post(`/people/${person_id}/merge`, { person_ids: [mine] }),
      viewer.post('/faces', { face_file: file.file_id, face_box: box }),
      viewer.delete(`/faces/${face_id}`),
      viewer.post('/files/actions/detect-faces', { all: true }),
    ];
    for (const write of writes) expect((await write.expect(403)).body.detail).toContain('media:edit');
    expect((await (await ours.member('editor')).client.delete('/admin/faces', { confirm: 'x' }).expect(403)).body.detail).toContain(
      'admin:settings',
    );
  }, 60_000);

  it('refuse what is no face and no person', async () => {
    const file = await photo([]);
    const mark = (face_box: unknown): ReturnType<Client['post']> => me.post('/faces', { face_file: file.file_id, face_box });
    for (const box of [
      { x: -0.1, y: 0, width: 0.2, height: 0.2 },
      { x: 0.9, y: 0, width: 0.2, height: 0.2 },
      { x: 0, y: 0, width: 0.009, height: 0.2 },
      { x: 0, y: 0, width: 0.2 },
      { x: '0', y: 0, width: 1, height: 1 },
    ])
      await mark(box).expect(400);
    await me.post('/faces', { face_file: newId(), face_box: { x: 0, y: 0, width: 1, height: 1 } }).expect(400);
    await me.post('/people', { person_birth_date: '2020-02-31' }).expect(400);
    await me.post('/people', { person_consent: { status: 'perhaps' } }).expect(400);
    await me.post('/people', { person_consent: { status: 'granted', file_id: newId() } }).expect(400);
    const { person_id } = (await me.post('/people', {}).expect(201)).body as PersonBody;
    await me.post(`/people/${person_id}/merge`, { person_ids: [person_id] }).expect(400);
    await me.post(`/people/${person_id}/split`, {}).expect(400);
    await me.post('/files/actions/detect-faces', {}).expect(400);
    await me.patch(`/people/${person_id}`, { person_cover_face: newId() }).expect(400);
    const { face_id } = (await mark({ x: 0.1, y: 0.1, width: 0.1, height: 0.1 }).expect(201)).body as FaceBody;
    await me.patch(`/faces/${face_id}`, { face_person: newId() }).expect(400);
    await me.patch(`/faces/${face_id}`, { face_state: 'suggested' }).expect(400);
    await me.patch(`/faces/${face_id}`, { face_state: 'assigned' }).expect(400);
    await api.sql(
      `INSERT INTO face (tenant_id, face_id, face_file, face_box, face_source) SELECT $1, gen_random_uuid(), $2, '{"x":0,"y":0,"width":1,"height":1}', 'manual' FROM generate_series(1, 199)`,
      [ours.tenant_id, file.file_id],
    );
    expect((await mark({ x: 0.1, y: 0.1, width: 0.1, height: 0.1 }).expect(409)).body.code).toBe('limit_reached');
  }, 60_000);

  it('are erased all at once where the workspace is named', async () => {
    await enable(theirs);
    const other = theirs.owner.client;
    const file = await photo([face(91)], other);
    await detect([file], other);
    expect(await facesOf(file, other)).toHaveLength(1);
    await other.delete('/admin/faces', { confirm: 'something else' }).expect(400);
    const [{ ws_name } = { ws_name: '' }] = await api.sql<{ ws_name: string }>('SELECT ws_name FROM workspace WHERE tenant_id = $1', [
      theirs.tenant_id,
    ]);
    const { job_id } = (await other.delete('/admin/faces', { confirm: ws_name }).expect(202)).body as { job_id: string };
    expect(await ended(job_id, other)).toMatchObject({ status: 'completed' });
    for (const table of ['face', 'person', 'face_scan', 'face_erasure', 'face_suggestion', 'face_rejection'])
      expect(await api.sql(`SELECT 1 FROM ${table} WHERE tenant_id = $1`, [theirs.tenant_id])).toEqual([]);
  }, 60_000);
});
