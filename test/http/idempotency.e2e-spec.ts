import { newId } from '@atrium/platform/kernel';
import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { startAtrium } from '../support/api';

let api: RunningApi;
let ours: TestWorkspace;

beforeAll(async () => {
  api = await startAtrium();
  ours = await api.workspace();
});
afterAll(() => api.close());

const keyed = (workspace: TestWorkspace, key: string) => workspace.owner.client.with({ 'Idempotency-Key': key });
const albumsNamed = async (workspace: TestWorkspace, name: string): Promise<unknown[]> => (await workspace.owner.client.get(`/albums?album_name=${name}`).expect(200)).body.data as unknown[];

describe('an idempotency key', () => {
  it('replays the first outcome, with its status and headers, and does nothing again', async () => {
    const key = newId();
    const first = await keyed(ours, key).post('/albums', { album_name: 'Once' }).expect(201);
    const again = await keyed(ours, key).post('/albums', { album_name: 'Once' }).expect(201);
    expect(first.headers).not.toHaveProperty('idempotent-replayed');
    expect(again.headers).toMatchObject({ 'idempotent-replayed': 'true', location: first.headers.location, etag: first.headers.etag });
    expect(again.body).toEqual(first.body);
    expect(await albumsNamed(ours, 'Once')).toHaveLength(1);
  });

  it('is refused for another request', async () => {
    const key = newId();
    await keyed(ours, key).post('/albums', { album_name: 'One' }).expect(201);
    const other = await keyed(ours, key).post('/albums', { album_name: 'Another' }).expect(422);
    expect(other.body.code).toBe('idempotency_mismatch');
  });

  it('lets one of many calls at once through', async () => {
    const key = newId();
    const answers = await Promise.all(Array.from({ length: 8 }, () => keyed(ours, key).post('/albums', { album_name: 'Racing' })));
    for (const answer of answers) if (answer.status !== 201) expect(answer.body.code).toBe('idempotency_in_progress');
    expect(answers.some((answer) => answer.status === 201)).toBe(true);
    expect(await albumsNamed(ours, 'Racing')).toHaveLength(1);
  });

  it('keeps a refusal by what is stored, and is free again after one by form', async () => {
    const absent = newId();
    const path = `/albums/${newId()}/files`;
    await keyed(ours, absent).post(path, { file_ids: [newId()] }).expect(404);
    const replayed = await keyed(ours, absent).post(path, { file_ids: [newId()] });
    expect(replayed.body.code).toBe('idempotency_mismatch');
    const file_ids = [newId()];
    const same = newId();
    await keyed(ours, same).post(path, { file_ids }).expect(404);
    const again = await keyed(ours, same).post(path, { file_ids }).expect(404);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.body.code).toBe('not_found');

    const key = newId();
    await keyed(ours, key).post('/albums', { album_name: '' }).expect(400);
    await keyed(ours, key).post('/albums', { album_name: 'Now well-formed' }).expect(201);
  });

  it("is each caller's and each workspace's own", async () => {
    const key = newId();
    const theirs = await api.workspace();
    const editor = await ours.member('editor');
    const ids = [];
    for (const client of [ours.owner.client, editor.client, theirs.owner.client]) ids.push((await client.with({ 'Idempotency-Key': key }).post('/albums', { album_name: 'Own' }).expect(201)).body.album_id);
    expect(new Set(ids).size).toBe(3);
  });
});
