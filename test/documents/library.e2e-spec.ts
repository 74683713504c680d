import { DocumentsService } from '@atrium/documents';
import { ActingCallers } from '@atrium/identity';
import { RoutePolicies } from '@atrium/platform/access';
import { inWorkspace } from '@atrium/platform/database';
import { newId } from '@atrium/platform/kernel';
import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { storeFile } from '../files/stored-files';
import { sharedAtrium } from '../support/shared-atrium';

let api: RunningApi;
let ours: TestWorkspace;

beforeAll(async () => {
  api = await sharedAtrium();
});
beforeEach(async () => {
  ours = await api.workspace(['module-documents']);
});
afterAll(() => api.close());

const document = async (name = 'note.txt', metadata: object = {}): Promise<string> =>
  (await storeFile(api, ours, { repo: 'docs', name, metadata })).file_id;

const listed = async (query = ''): Promise<string[]> =>
  ((await ours.owner.client.get(`/documents${query}`).expect(200)).body as { data: { file_id: string }[] }).data.map(
    ({ file_id }) => file_id,
  );

describe('the document library', () => {
  it('shows a document with its lifecycle, text, tags, links and folders', async () => {
    const id = await document('Terms.txt');
    const answer = await ours.owner.client.get(`/documents/${id}`).expect(200);
    expect(answer.body).toMatchObject({
      file_id: id,
      file_deprecated: false,
      file_deprecated_at: null,
      file_superseded_by: null,
      file_relation_count: 0,
      markdown_ready: false,
      file_text_status: 'pending',
      media_tags: {},
      folders: [],
    });
    expect(answer.body).not.toHaveProperty('row_version');
    expect((await ours.owner.client.get('/documents').expect(200)).body.data).toMatchObject([{ file_id: id, file_text_status: 'pending' }]);
  });

  it('searches name and summary with wildcards taken as they are, and filters by format and lifecycle', async () => {
    const [plain, odd] = [await document('quarter.txt'), await document('50%_off.md')];
    expect(await listed('?search=UARTER')).toEqual([plain]);
    expect(await listed(`?search=${encodeURIComponent('%_')}`)).toEqual([odd]);
    expect(await listed('?file_format=md&file_format=pdf')).toEqual([odd]);
    expect(await listed('?file_text_status=ready')).toEqual([]);
    await ours.owner.client.get('/documents?lifecycle=old').expect(400);
  });

  it('[documents 8] lists formats by count, then name, each usable as a filter', async () => {
    for (const name of ['a.pdf', 'b.pdf', 'c.txt', 'd.md']) await document(name);
    const answer = await ours.owner.client.get('/documents/formats').expect(200);
    expect(answer.body).toEqual({
      data: [
        { format: 'pdf', count: 2 },
        { format: 'md', count: 1 },
        { format: 'txt', count: 1 },
      ],
      has_more: false,
      next_cursor: null,
      counted: true,
    });
    for (const { format, count } of answer.body.data as { format: string; count: number }[])
      expect(await listed(`?file_format=${format}`)).toHaveLength(count);
  });

  it('[documents 8] lists formats without counts beyond as many documents as are counted', async () => {
    for (const name of ['a.pdf', 'b.pdf', 'c.txt', 'd.md', 'none']) await document(name);
    const [documents, callers] = [api.app.get(DocumentsService, { strict: false }), api.app.get(ActingCallers, { strict: false })];
    const formats = (most: number) =>
      inWorkspace(ours.tenant_id, async () =>
        documents.listFormats(await callers.resolvePrincipal({ user_id: ours.owner.user_id, key_id: null }), {}, most),
      );
    expect(await formats(5)).toMatchObject({ counted: true });
    const { data, counted } = await formats(4);
    expect(counted).toBe(false);
    expect(data).toEqual(['', 'md', 'pdf', 'txt'].map((format) => ({ format, count: null })));
  });

  it('filters by as many formats and ids as a request names', async () => {
    const ids = [await document('a.pdf'), await document('b.md')];
    const formats = [...Array.from({ length: 30 }, (_, at) => `x${at}`), 'md'];
    expect(await listed(`?${formats.map((format) => `file_format=${format}`).join('&')}`)).toEqual([ids[1]]);
    const wanted = [...Array.from({ length: 60 }, () => newId()), ...ids];
    expect((await listed(`?${wanted.map((id) => `file_id=${id}`).join('&')}`)).sort()).toEqual([...ids].sort());
  });

  it('finds a value of a tag in one group, or in whatever group', async () => {
    const { client } = ours.owner;
    const [one, two, three] = [await document('one.txt'), await document('two.txt'), await document('three.txt')];
    const tag = (id: string, add: object): PromiseLike<unknown> =>
      client.post('/documents/actions/tag', { file_ids: [id], add }).expect(200);
    await tag(one, { Topic: ['Lease'], Year: ['2024'] });
    await tag(two, { Matter: ['Lease'], Year: ['2025'] });
    await tag(three, { Topic: ['Loan'] });
    const found = async (query: string): Promise<string[]> => (await listed(`?${query}`)).sort();
    expect(await found('tags=lease')).toEqual([one, two].sort());
    expect(await found('tags=Lease&tags=Loan')).toEqual([one, two, three].sort());
    expect(await found('tags=Lease&tags[Year]=2024')).toEqual([one]);
    expect(await found('tags[Year]=2024&tags[Year]=2025&tags=Lease')).toEqual([one, two].sort());
    expect(await found('tags[Topic]=Lease&tags[Year]=2025')).toEqual([]);
    expect(await found('tags=Nothing')).toEqual([]);
    await client.get('/documents?tags=').expect(400);
    expect((await client.get('/documents?tags[Topic]=').expect(400)).body.errors[0].path).toBe('tags[Topic]');
    expect(await listed(`?${Array.from({ length: 30 }, (_, at) => `tags[Topic]=${at}`).join('&')}&tags[Topic]=Loan`)).toEqual([three]);

    // The same name is another tag in the media library.
    const media = (await storeFile(api, ours, { name: 'photo.txt' })).file_id;
    await client.put(`/files/${media}/media-tags`, { media_tags: { Topic: ['Photo'] } }).expect(200);
    expect(await found('tags=Photo')).toEqual([]);
  });

  it('shows nothing of a folder that is not there, of another workspace or no id, in lists; the folder itself is not found', async () => {
    await document();
    const theirs = await api.workspace(['module-documents']);
    const foreign = (await theirs.owner.client.post('/document-folders', { album_name: 'Theirs' }).expect(201)).body.album_id as string;
    for (const folder of [newId(), foreign, 'elsewhere']) {
      expect(await listed(`?folder=${folder}`)).toEqual([]);
      expect((await ours.owner.client.get(`/documents/formats?folder=${folder}`).expect(200)).body.data).toEqual([]);
      await ours.owner.client.get(`/document-folders/${folder}`).expect(404);
    }
    expect(await listed('?folder=none')).toHaveLength(1);
  });

  it('takes no more ids at once than it says', async () => {
    const { client } = ours.owner;
    const { album_id } = (await client.post('/document-folders', { album_name: 'x' }).expect(201)).body as { album_id: string };
    for (const [path, most, more] of [
      ['/documents/actions/tag', 1_000, { add: { Topic: ['x'] } }],
      [`/document-folders/${album_id}/files`, 10_000, {}],
    ] as const) {
      for (const file_ids of [[], Array.from({ length: most + 1 }, newId)])
        expect((await client.post(path, { file_ids, ...more }).expect(400)).body).toMatchObject({
          code: 'validation_failed',
          errors: [{ path: 'file_ids' }],
        });
      await client.post(path, { file_ids: Array.from({ length: most }, newId), ...more }).expect(200);
    }
  });

  it('[documents 7] tags documents, passes over other files, and drops a group with its last value', async () => {
    const [one, two] = [await document('one.txt'), await document('two.txt')];
    const media = (await storeFile(api, ours, { name: 'photo.txt' })).file_id;
    const { client } = ours.owner;
    expect(
      (await client.post('/documents/actions/tag', { file_ids: [one, two, media], add: { Topic: ['Lease'] } }).expect(200)).body,
    ).toEqual({
      changed: 2,
      skipped: [media],
    });
    expect((await client.get(`/documents/${one}`).expect(200)).body.media_tags).toEqual({ Topic: ['Lease'] });
    expect((await client.get(`/media-files/${media}`).expect(200)).body.media_tags).toEqual({});
    const groups = (): Promise<object[]> =>
      api.sql('SELECT mtg_scope FROM media_tag_group WHERE tenant_id = $1 AND mtg_name = $2', [ours.tenant_id, 'Topic']);
    expect(await groups()).toHaveLength(1);
    expect((await listed('?tags[Topic]=Lease')).sort()).toEqual([one, two].sort());
    expect(await listed('?tags[Topic]=Loan')).toEqual([]);
    await client.post('/documents/actions/tag', { file_ids: [one], remove: { Topic: ['Lease'] } }).expect(200);
    expect(await groups()).toHaveLength(1);
    expect(await listed('?tags[Topic]=Lease')).toEqual([two]);
    await client.post('/documents/actions/tag', { file_ids: [two], remove: { Topic: ['Lease'] } }).expect(200);
    expect(await groups()).toEqual([]);
    await client.post('/documents/actions/tag', { file_ids: [], add: { Topic: ['x'] } }).expect(400);
  });
});

describe('deprecating a document', () => {
  it('says who, when and why, keeps the document for those who know it, and both changes stand in its history', async () => {
    const id = await document();
    const { client } = ours.owner;
    const answer = await client.post(`/documents/${id}/deprecate`, { file_deprecated_reason: 'out of date' }).expect(200);
    expect(answer.body).toMatchObject({
      file_deprecated: true,
      file_deprecated_reason: 'out of date',
      file_deprecated_by: ours.owner.user_id,
    });
    expect(await listed(`?file_id=${id}`)).toEqual([id]);
    await client.get(`/documents/${id}`).expect(200);
    const restored = await client.post(`/documents/${id}/restore`).expect(200);
    expect(restored.body).toMatchObject({
      file_deprecated: false,
      file_deprecated_at: null,
      file_deprecated_by: null,
      file_deprecated_reason: null,
    });
    const actions = (await client.get(`/files/${id}/history`).expect(200)).body.data.map(
      ({ fh_action }: { fh_action: string }) => fh_action,
    );
    expect(actions).toEqual(expect.arrayContaining(['deprecated', 'reactivated']));
  });

  it('said again replaces the reasons, and restoring an active document changes nothing', async () => {
    const [id, next] = [await document(), await document('next.txt')];
    const { client } = ours.owner;
    const first = (await client.post(`/documents/${id}/deprecate`, { file_deprecated_reason: 'old' }).expect(200)).body;
    const again = (await client.post(`/documents/${id}/deprecate`, { file_superseded_by: next }).expect(200)).body;
    expect(again).toMatchObject({ file_deprecated_at: first.file_deprecated_at, file_deprecated_reason: 'old', file_superseded_by: next });
    const events = async () =>
      (await api.sql(`SELECT 1 FROM outbox WHERE tenant_id = $1 AND ev_name LIKE 'document.%'`, [ours.tenant_id])).length;
    const before = await events();
    await client.post(`/documents/${next}/restore`).expect(200);
    expect(await events()).toBe(before);
  });

  it('refuses a successor that is no document, the document itself, or leads back to it', async () => {
    const [a, b, c] = [await document('a.txt'), await document('b.txt'), await document('c.txt')];
    const { client } = ours.owner;
    const media = (await storeFile(api, ours, {})).file_id;
    for (const file_superseded_by of [newId(), media, a])
      await client.post(`/documents/${a}/deprecate`, { file_superseded_by }).expect(400);
    await client.post(`/documents/${a}/deprecate`, { file_superseded_by: b }).expect(200);
    await client.post(`/documents/${b}/deprecate`, { file_superseded_by: c }).expect(200);
    const refused = await client.post(`/documents/${c}/deprecate`, { file_superseded_by: a }).expect(400);
    expect(refused.body.errors).toMatchObject([{ path: 'file_superseded_by', code: 'cycle' }]);
  });

  it('ends when the document leaves the library', async () => {
    const id = await document();
    await ours.owner.client.post(`/documents/${id}/deprecate`, {}).expect(200);
    await ours.owner.client.post(`/files/${id}/move`, { file_repo: { library: ['media'] } }).expect(200);
    await ours.owner.client.get(`/documents/${id}`).expect(404);
    expect(await api.sql('SELECT file_deprecated FROM file WHERE file_id = $1', [id])).toEqual([{ file_deprecated: false }]);
  });
});

describe('rights', () => {
  const routes = (id: string): [string, string, object?][] => [
    ['get', `/documents/${id}`],
    ['get', `/documents/${id}/markdown`],
    ['get', `/documents/${id}/passages`],
    ['post', `/documents/${id}/extract`, {}],
    ['post', `/documents/${id}/deprecate`, {}],
    ['post', `/documents/${id}/restore`, {}],
  ];

  it('answers 404 to another workspace and for files of other repositories', async () => {
    const [id, media] = [await document(), (await storeFile(api, ours, {})).file_id];
    const theirs = await api.workspace(['module-documents']);
    for (const [method, path, body] of routes(id))
      await (method === 'get' ? theirs.owner.client.get(path) : theirs.owner.client.post(path, body)).expect(404);
    for (const [method, path, body] of routes(media))
      await (method === 'get' ? ours.owner.client.get(path) : ours.owner.client.post(path, body)).expect(404);
    expect((await theirs.owner.client.get('/documents?lifecycle=all').expect(200)).body.data).toEqual([]);
    expect((await theirs.owner.client.get('/documents/formats').expect(200)).body.data).toEqual([]);
    expect((await theirs.owner.client.post('/documents/actions/tag', { file_ids: [id], add: { T: ['x'] } }).expect(200)).body).toEqual({
      changed: 0,
      skipped: [id],
    });
  });

  it('lets viewers read and refuses them what changes documents', async () => {
    const id = await document();
    const viewer = await ours.member('viewer');
    for (const [method, path, body] of routes(id))
      await (method === 'get' ? viewer.client.get(path).expect(200) : viewer.client.post(path, body).expect(403));
    await viewer.client.post('/documents/actions/tag', { file_ids: [id], add: { T: ['x'] } }).expect(403);
  });

  it('[documents 17] needs the module, on every route', async () => {
    const { client } = (await api.workspace()).owner;
    const guarded = api.app
      .get(RoutePolicies, { strict: false })
      .listRoutes()
      .map(({ method, path }) => ({
        method: method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete',
        path: path.replace(/^\/?(api\/v1)?/, ''),
      }))
      .filter(({ path }) => /^\/(?:documents|document-[a-z-]+)(?:\/|$)/.test(path));
    expect(guarded.length).toBeGreaterThan(25);
    for (const { method, path } of guarded) {
      const { status, body } = await client[method](path.replaceAll(/:[a-z_]+/g, newId()), {});
      expect({ method, path, status, code: (body as { code?: string }).code }).toEqual({
        method,
        path,
        status: 403,
        code: 'license_required',
      });
    }
    await client.post('/retrieval/search', { query: 'anything' }).expect(200);
  });
});
