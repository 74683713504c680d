import { SavedSearchUses } from '@atrium/files';
import { newId } from '@atrium/platform/kernel';
import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { sharedAtrium } from '../support/shared-atrium';

let api: RunningApi;
let ours: TestWorkspace;
let theirs: TestWorkspace;

beforeAll(async () => {
  api = await sharedAtrium();
  ours = await api.workspace(['module-documents']);
  theirs = await api.workspace();
});
afterAll(() => api.close());

const IMAGES = { where: { field: 'kind', op: 'eq', value: 'image' } };

const save = async (workspace = ours, body: object = {}): Promise<{ sq_id: string; sq_name: string }> =>
  (await workspace.owner.client.post('/saved-searches', { sq_name: 'Images', sq_scope: 'media', sq_query: IMAGES, ...body }).expect(201))
    .body as { sq_id: string; sq_name: string };

describe('a saved search', () => {
  it('is kept in canonical form and answered with its location and version', async () => {
    const answer = await ours.owner.client
      .post('/saved-searches', {
        sq_name: ' Images ',
        sq_scope: 'media',
        sq_query: { where: { all: [{ value: ['image'], op: 'in', field: 'kind' }] } },
      })
      .expect(201);
    expect(answer.body).toEqual({
      sq_id: expect.any(String) as string,
      sq_name: 'Images',
      sq_scope: 'media',
      sq_query: IMAGES,
      sq_warnings: [],
      sq_used_by: 0,
      sq_created: expect.any(String) as string,
      sq_updated: expect.any(String) as string,
      sq_created_by: ours.owner.user_id,
    });
    expect(answer.headers.location).toBe(`/api/v1/saved-searches/${answer.body.sq_id}`);
    const read = await ours.owner.client.get(`/saved-searches/${answer.body.sq_id}`).expect(200);
    expect(read.body).toEqual(answer.body);
    expect(read.headers.etag).toBe('"1"');
  });

  it('is listed by name and scope, newest first', async () => {
    const token = newId();
    const [first, second, docs] = [
      await save(ours, { sq_name: `${token} a` }),
      await save(ours, { sq_name: `${token} b` }),
      await save(ours, { sq_name: `${token} c`, sq_scope: 'docs', sq_query: {} }),
    ];
    const ids = async (query: string): Promise<string[]> =>
      ((await ours.owner.client.get(`/saved-searches?sq_name=${token}&${query}`).expect(200)).body.data as { sq_id: string }[]).map(
        (row) => row.sq_id,
      );
    expect(await ids('')).toEqual([docs.sq_id, second.sq_id, first.sq_id]);
    expect(await ids('sq_scope=media&sort=sq_name')).toEqual([first.sq_id, second.sq_id]);
    const viewer = await ours.member('viewer', ['media:view']);
    const answer = await viewer.client.get(`/saved-searches?sq_name=${token}`).expect(200);
    expect((answer.body.data as { sq_id: string }[]).map((row) => row.sq_id)).toEqual([second.sq_id, first.sq_id]);
    await viewer.client.get(`/saved-searches/${docs.sq_id}`).expect(404);
  });

  it('changes name and query under If-Match, never its scope', async () => {
    const { sq_id } = await save();
    const answer = await ours.owner.client
      .with({ 'If-Match': '"1"' })
      .patch(`/saved-searches/${sq_id}`, { sq_name: 'Fonts', sq_query: { where: { field: 'kind', op: 'eq', value: 'font' } } })
      .expect(200);
    expect(answer.body).toMatchObject({ sq_name: 'Fonts', sq_query: { where: { value: 'font' } } });
    expect(
      (await ours.owner.client.with({ 'If-Match': '"1"' }).patch(`/saved-searches/${sq_id}`, { sq_name: 'x' }).expect(412)).body.code,
    ).toBe('precondition_failed');
    expect((await ours.owner.client.patch(`/saved-searches/${sq_id}`, { sq_scope: 'docs' }).expect(400)).body.errors[0].path).toBe(
      'sq_scope',
    );
    await ours.owner.client.patch(`/saved-searches/${sq_id}`, {}).expect(400);
    expect(
      (
        await ours.owner.client
          .patch(`/saved-searches/${sq_id}`, { sq_query: { where: { field: 'kind', op: 'eq', value: 'song' } } })
          .expect(400)
      ).body.errors[0].path,
    ).toBe('sq_query.where.value');
  });

  it('refuses users who are none, and reports those who were removed since', async () => {
    const leaf = (value: string): object => ({
      where: { all: [IMAGES.where, { field: 'file_added_by', op: 'in', value: [value, { me: true }] }] },
    });
    const refused = await ours.owner.client
      .post('/saved-searches', { sq_name: 'x', sq_scope: 'media', sq_query: leaf(newId()) })
      .expect(400);
    expect(refused.body.errors[0]).toMatchObject({ path: 'sq_query.where.all[1].value', code: 'reference' });
    const foreign = await ours.owner.client
      .post('/saved-searches', { sq_name: 'x', sq_scope: 'media', sq_query: leaf(theirs.owner.user_id) })
      .expect(400);
    expect(foreign.body.errors[0].code).toBe('reference');
    const leaver = await ours.member('editor');
    const { sq_id } = await save(ours, { sq_query: leaf(leaver.user_id) });
    await api.sql(`UPDATE workspace_user SET user_status = 'removed' WHERE user_id = $1`, [leaver.user_id]);
    const read = await ours.owner.client.get(`/saved-searches/${sq_id}`).expect(200);
    expect(read.body.sq_warnings).toEqual([
      { path: 'where.all[1].value', code: 'reference', message: expect.stringContaining(leaver.user_id) as string },
    ]);
    const preview = await ours.owner.client
      .post('/saved-searches/preview', { sq_scope: 'media', sq_query: leaf(leaver.user_id) })
      .expect(200);
    expect(preview.body.warnings).toHaveLength(1);
  });

  it('stays while something is filled by it', async () => {
    const { sq_id } = await save();
    const used = new Set([sq_id]);
    api.app
      .get(SavedSearchUses, { strict: false })
      .register({ countUses: (ids) => Promise.resolve(new Map(ids.filter((id) => used.has(id)).map((id) => [id, 2]))) });
    expect((await ours.owner.client.get(`/saved-searches/${sq_id}`).expect(200)).body.sq_used_by).toBe(2);
    expect((await ours.owner.client.delete(`/saved-searches/${sq_id}`).expect(409)).body.code).toBe('in_use');
    used.clear();
    await ours.owner.client.delete(`/saved-searches/${sq_id}`).expect(204);
    await ours.owner.client.get(`/saved-searches/${sq_id}`).expect(404);
    await ours.owner.client.delete(`/saved-searches/${sq_id}`).expect(404);
  });

  it('is denied without permission, without licence and to other workspaces', async () => {
    const { sq_id } = await save();
    const viewer = await ours.member('viewer');
    expect(
      (await viewer.client.post('/saved-searches', { sq_name: 'x', sq_scope: 'media', sq_query: {} }).expect(403)).body.detail,
    ).toContain('media:edit');
    expect((await viewer.client.patch(`/saved-searches/${sq_id}`, { sq_name: 'x' }).expect(403)).body.detail).toContain('media:edit');
    await viewer.client.delete(`/saved-searches/${sq_id}`).expect(403);
    const mediaOnly = await ours.member('editor', ['media:view', 'media:edit']);
    expect((await mediaOnly.client.post('/saved-searches', { sq_name: 'x', sq_scope: 'docs', sq_query: {} }).expect(403)).body.code).toBe(
      'permission_denied',
    );
    const nobody = await ours.member('viewer', ['thread:view']);
    expect((await nobody.client.get('/saved-searches').expect(403)).body.detail).toContain('media:view');
    for (const [method, path, body] of [
      ['get', '?sq_scope=docs', undefined],
      ['post', '', { sq_name: 'x', sq_scope: 'docs', sq_query: {} }],
      ['post', '/preview', { sq_scope: 'docs', sq_query: {} }],
    ] as const) {
      expect((await theirs.owner.client[method](`/saved-searches${path}`, body).expect(403)).body.code).toBe('license_required');
    }
    await theirs.owner.client.get(`/saved-searches/${sq_id}`).expect(404);
    await theirs.owner.client.patch(`/saved-searches/${sq_id}`, { sq_name: 'x' }).expect(404);
    await theirs.owner.client.delete(`/saved-searches/${sq_id}`).expect(404);
    expect((await theirs.owner.client.get('/saved-searches').expect(200)).body.data).toEqual([]);
    await api.stranger.get('/saved-searches').expect(401);
  });

  it.each([
    [{ sq_name: '', sq_scope: 'media', sq_query: {} }, 'sq_name'],
    [{ sq_name: 'x', sq_scope: 'attic', sq_query: {} }, 'sq_scope'],
    [{ sq_name: 'x', sq_scope: 'media', sq_query: [] }, 'sq_query'],
    [
      {
        sq_name: 'x',
        sq_scope: 'media',
        sq_query: { where: { field: 'metadata.a', op: 'in', value: Array.from({ length: 100 }, () => 'y'.repeat(400)) } },
      },
      'sq_query',
    ],
    [{ sq_name: 'x', sq_scope: 'media', sq_query: {}, sq_used_by: 0 }, 'sq_used_by'],
  ])('refuses %j', async (body, path) => {
    const answer = await ours.owner.client.post('/saved-searches', body).expect(400);
    expect(answer.body.errors[0].path).toBe(path);
  });

  it('previews at most 50 files', async () => {
    expect(
      (await ours.owner.client.post('/saved-searches/preview', { sq_scope: 'media', sq_query: {}, limit: 51 }).expect(400)).body.errors[0]
        .path,
    ).toBe('limit');
  });
});
