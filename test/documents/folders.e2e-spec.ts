import { newId } from '@atrium/platform/kernel';
import { eventually, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { Client as Postgres } from 'pg';
import { storeFile } from '../files/stored-files';
import { makeGroup, note, setTags } from '../media/tagging';
import { sharedAtrium } from '../support/shared-atrium';

interface Folder {
  readonly album_id: string;
  readonly album_name: string;
  readonly album_parent: string;
  readonly album_file_count: number;
}

let api: RunningApi;
let ours: TestWorkspace;
let theirs: TestWorkspace;

beforeAll(async () => {
  api = await sharedAtrium();
  ours = await api.workspace(['module-documents']);
  theirs = await api.workspace(['module-documents']);
});
afterAll(() => api.close());

const folder = async (body: object = {}, { owner }: TestWorkspace = ours): Promise<Folder> =>
  (await owner.client.post('/document-folders', { album_name: 'Contracts', ...body }).expect(201)).body as Folder;
const read = async (id: string, client = ours.owner.client): Promise<Folder & Record<string, unknown>> =>
  (await client.get(`/document-folders/${id}`).expect(200)).body as Folder & Record<string, unknown>;
const listed = async (query: string, client = ours.owner.client): Promise<Folder[]> =>
  (await client.get(`/document-folders?limit=100&${query}`).expect(200)).body.data as Folder[];
const file = (id: string, file_ids: readonly string[], client = ours.owner.client): ReturnType<typeof client.post> =>
  client.post(`/document-folders/${id}/files`, { file_ids });
const closedTo = (reader: { readonly user_id: string }, level: 'none' | 'view' = 'none'): object => ({
  users: { [ours.owner.user_id]: 'owner', ...(level === 'view' ? { [reader.user_id]: 'view' } : {}) },
});

describe('[documents 9] the tree of folders', () => {
  it('is walked from `root`, knows its path, refuses circles, and its children outlive a parent at the top level', async () => {
    const top = await folder({ album_name: 'Top', album_parent: 'root' });
    const middle = await folder({ album_name: 'Middle', album_parent: top.album_id });
    const low = await folder({ album_name: 'Low', album_parent: middle.album_id });
    const document = await note(ours.owner.client, 'docs');
    await file(top.album_id, [document]).expect(200);

    expect(top.album_parent).toBe('root');
    expect(middle.album_parent).toBe(top.album_id);
    expect((await listed('album_parent=root')).map(({ album_id }) => album_id)).toContain(top.album_id);
    expect((await listed('album_parent=root')).map(({ album_id }) => album_id)).not.toContain(middle.album_id);
    expect((await listed(`album_parent=${top.album_id}`)).map(({ album_id }) => album_id)).toEqual([middle.album_id]);
    expect(await read(low.album_id)).toMatchObject({
      album_path: [
        { album_id: top.album_id, album_name: 'Top' },
        { album_id: middle.album_id, album_name: 'Middle' },
      ],
      album_document_count: 0,
    });
    expect(await read(top.album_id)).toMatchObject({
      album_document_count: 1,
      album_file_count: 1,
      album_folder_count: 1,
      album_child_count: 1,
    });

    const refused = await ours.owner.client.patch(`/document-folders/${top.album_id}`, { album_parent: low.album_id }).expect(409);
    expect(refused.body).toMatchObject({ code: 'invalid_move', detail: expect.stringContaining('folder') });

    await ours.owner.client.delete(`/document-folders/${top.album_id}`).expect(204);
    expect((await read(middle.album_id)).album_parent).toBe('root');
    await ours.owner.client.get(`/files/${document}`).expect(200);
  });

  it('refuses a parent that is an album, a foreign folder or none at all', async () => {
    const { album_id: album } = (await ours.owner.client.post('/albums', { album_name: 'Pictures' }).expect(201)).body as Folder;
    for (const album_parent of [album, (await folder({}, theirs)).album_id, newId()]) {
      const answer = await ours.owner.client.post('/document-folders', { album_name: 'x', album_parent }).expect(400);
      expect(answer.body.errors[0]).toMatchObject({
        path: 'album_parent',
        code: 'reference',
        message: 'must be a folder of this workspace',
      });
    }
  });
});

describe('[documents 10] two moves at once', () => {
  it('that would form a circle: exactly one succeeds', async () => {
    const [one, other] = [await folder(), await folder()];
    const [belowOne, belowOther] = [await folder({ album_parent: one.album_id }), await folder({ album_parent: other.album_id })];
    // Both have begun before either may change its folder.
    const holder = new Postgres({ connectionString: api.database.ownerUrl });
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query("SELECT set_config('app.tenant_id', $1, true)", [ours.tenant_id]);
    await holder.query('SELECT FROM album WHERE album_id = ANY($1) FOR UPDATE', [[one.album_id, other.album_id]]);
    const moves = Promise.all([
      ours.owner.client.patch(`/document-folders/${one.album_id}`, { album_parent: belowOther.album_id }),
      ours.owner.client.patch(`/document-folders/${other.album_id}`, { album_parent: belowOne.album_id }),
    ]);
    try {
      await eventually(
        () =>
          api.sql(
            'SELECT FROM pg_locks WHERE NOT granted AND pid IN (SELECT pid FROM pg_stat_activity WHERE datname = current_database())',
          ),
        (waiting) => waiting.length === 2,
      );
    } finally {
      await holder.end();
    }
    const answers = await moves;
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'invalid_move' });
  });
});

describe('[documents 11] filing documents', () => {
  it('skips a media file and an unknown id, and files one document in two folders', async () => {
    const [first, second] = [await folder(), await folder()];
    const [one, two, picture] = await Promise.all([
      note(ours.owner.client, 'docs'),
      note(ours.owner.client, 'docs'),
      note(ours.owner.client, 'media'),
    ]);
    const added = await file(first.album_id, [one, two, picture, newId()]).expect(200);
    expect(added.body).toEqual({ added: 2, skipped: 2, already: 0 });
    expect((await file(second.album_id, [one]).expect(200)).body.added).toBe(1);
    const rows = (await ours.owner.client.get(`/document-folders/memberships?af_file=${one}`).expect(200)).body.data as {
      af_album: string;
    }[];
    expect(rows.map(({ af_album }) => af_album).sort()).toEqual([first.album_id, second.album_id].sort());
    const several = `af_album=${first.album_id}&af_album=${second.album_id}&af_file=${one}&af_file=${two}`;
    const pairs = (await ours.owner.client.get(`/document-folders/memberships?${several}`).expect(200)).body.data as object[];
    expect(pairs).toHaveLength(3);
    const first_two = (
      await ours.owner.client.get(`/document-folders/memberships?af_album=${first.album_id}&af_file=${one}&af_file=${two}`)
    ).body.data as { af_album: string }[];
    expect(first_two.map(({ af_album }) => af_album)).toEqual([first.album_id, first.album_id]);
    expect((await ours.owner.client.get('/albums/memberships').expect(200)).body.data).toEqual([]);

    const removed = await ours.owner.client.delete(`/document-folders/${first.album_id}/files`, { file_ids: [one, newId()] }).expect(200);
    expect(removed.body).toEqual({ removed: 1 });
    expect((await read(first.album_id)).album_file_count).toBe(1);
  });

  it('files a document in as many as 100 folders', async () => {
    const document = await note(ours.owner.client, 'docs');
    await api.sql(
      `WITH made AS (INSERT INTO album (tenant_id, album_id, album_name, album_kind) SELECT $1, gen_random_uuid(), 'Full', 'docs' FROM generate_series(1, 100) RETURNING album_id)
       INSERT INTO album_file (tenant_id, af_album, af_file) SELECT $1, album_id, $2 FROM made`,
      [ours.tenant_id, document],
    );
    expect((await file((await folder()).album_id, [document]).expect(409)).body.code).toBe('limit_reached');
  });

  it('hides documents in trash and shows them again', async () => {
    const { album_id } = await folder();
    const document = await note(ours.owner.client, 'docs');
    await file(album_id, [document]).expect(200);
    await ours.owner.client.delete(`/files/${document}`).expect((answer) => expect([200, 204]).toContain(answer.status));
    expect((await read(album_id)).album_document_count).toBe(0);
    await ours.owner.client.post(`/files/${document}/restore`).expect(200);
    expect((await read(album_id)).album_document_count).toBe(1);
  });
});

describe('[documents 12] a smart folder', () => {
  it('shows what is tagged now, takes no documents, and changes with its filter', async () => {
    await makeGroup(ours.owner.client, { mtg_name: 'Matter', mtg_scope: 'docs' });
    const [document, later] = [await note(ours.owner.client, 'docs', 'plan.md'), await note(ours.owner.client, 'docs', 'later.md')];
    const inside = async (id: string): Promise<string[]> =>
      ((await ours.owner.client.get(`/documents?folder=${id}`).expect(200)).body.data as { file_id: string }[]).map(
        ({ file_id }) => file_id,
      );
    /** The folder and what is filed in it, as it is stored. */
    const stored = (id: string): Promise<object[]> =>
      api.sql(
        'SELECT a.row_version, a.album_updated, (SELECT count(*)::integer FROM album_file WHERE af_album = a.album_id) AS files FROM album a WHERE album_id = $1',
        [id],
      );
    const query_search = {
      where: {
        all: [
          { field: 'tag', op: 'has_any', value: [{ group: 'Matter', value: 'Harbour' }] },
          { field: 'format', op: 'eq', value: 'md' },
        ],
      },
    };
    const other = await storeFile(api, ours, { name: 'plan.pdf', type: 'application/pdf', repo: 'docs' });
    await setTags(ours.owner.client, other.file_id, { Matter: ['Harbour'] }).expect(200);
    const made = await ours.owner.client.post('/document-folders/smart', { album_name: 'Harbour', query_search }).expect(201);
    const { album_id } = made.body as Folder;
    expect(made.headers.location).toBe(`/api/v1/document-folders/${album_id}`);
    expect(made.body).toMatchObject({ album_smart: true, album_parent: 'root', album_document_count: 0, album_query_search: query_search });
    await setTags(ours.owner.client, document, { Matter: ['Harbour'] }).expect(200);
    expect((await read(album_id)).album_document_count).toBe(1);
    expect((await listed(`album_id=${album_id}`))[0]?.album_file_count).toBe(1);
    expect(await inside(album_id)).toEqual([document]);
    const [before] = await stored(album_id);
    await setTags(ours.owner.client, later, { Matter: ['Harbour'] }).expect(200);
    expect((await inside(album_id)).sort()).toEqual([document, later].sort());
    await setTags(ours.owner.client, document, {}).expect(200);
    expect(await inside(album_id)).toEqual([later]);
    expect(await stored(album_id)).toEqual([before]);
    expect((await file(album_id, [document]).expect(409)).body.code).toBe('invalid_state');
    const changed = await ours.owner.client
      .patch(`/document-folders/${album_id}/smart`, { query_search: { where: { field: 'format', op: 'eq', value: 'docx' } } })
      .expect(200);
    expect(changed.body.album_document_count).toBe(0);
    const curated = await folder();
    expect((await ours.owner.client.patch(`/document-folders/${curated.album_id}/smart`, { album_name: 'x' }).expect(409)).body.code).toBe(
      'invalid_state',
    );
  });

  it('needs a saved search of the document library', async () => {
    const missing = await ours.owner.client.post('/document-folders', { album_name: 'x', album_smart: true }).expect(400);
    expect(missing.body.errors[0]).toMatchObject({ path: 'album_query', code: 'required' });
    const { sq_id } = (await ours.owner.client.post('/saved-searches', { sq_name: 'x', sq_scope: 'media', sq_query: {} }).expect(201))
      .body as {
      sq_id: string;
    };
    const other = await ours.owner.client.post('/document-folders', { album_name: 'x', album_smart: true, album_query: sq_id }).expect(400);
    expect(other.body.errors[0].message).toContain('document library');
  });
});

describe('the access list of a folder', () => {
  it('hides the folder and its documents from whom it does not name, in lists, counts, paths and memberships', async () => {
    const reader = await ours.member('editor');
    const closed = await folder({ album_acl: closedTo(reader) });
    const child = await folder({ album_parent: closed.album_id });
    const open = await folder();
    const document = await note(ours.owner.client, 'docs');
    await file(closed.album_id, [document]).expect(200);
    await file(open.album_id, [document]).expect(200);

    await reader.client.get(`/document-folders/${closed.album_id}`).expect(404);
    expect((await listed('album_parent=root', reader.client)).map(({ album_id }) => album_id)).not.toContain(closed.album_id);
    expect(await read(child.album_id, reader.client)).toMatchObject({ album_path: [{ album_id: null, album_name: null }] });
    for (const method of ['post', 'delete'] as const)
      await reader.client[method](`/document-folders/${closed.album_id}/files`, { file_ids: [document] }).expect(404);
    // A caller who may not see a document neither files it elsewhere nor takes it out of a folder they may change.
    expect((await file((await folder()).album_id, [document], reader.client).expect(200)).body).toEqual({
      added: 0,
      skipped: 1,
      already: 0,
    });
    const removed = await reader.client.delete(`/document-folders/${open.album_id}/files`, { file_ids: [document] }).expect(200);
    expect(removed.body).toEqual({ removed: 0 });
  });

  it('keeps its documents from those who may change no document at all: to be made again, or to get a version', async () => {
    const editor = await ours.member('editor');
    const reads = ['document:view', 'media:view', 'media:edit', 'media:upload'];
    const { client } = await api.memberWithKey(ours.tenant_id, editor.user_id, editor.email, reads);
    const closed = await folder({ album_acl: closedTo(editor) });
    const hidden = await note(ours.owner.client, 'docs');
    await file(closed.album_id, [hidden]).expect(200);
    for (const [path, body] of [
      ['/files/actions/reindex', (id: string) => ({ file_ids: [id] })],
      ['/uploads', (id: string) => ({ upl_file: id, file_name: 'a.txt', file_size: 1, file_repo: { library: ['docs'] } })],
    ] as const) {
      const answerOf = async (id: string) => {
        const { status, body: answer } = await client.post(path, body(id));
        return { status, code: answer.code as string, errors: answer.errors as object[] };
      };
      const shown = await note(ours.owner.client, 'docs');
      expect([path, (await answerOf(shown)).status]).toEqual([path, 403]);
      expect([path, await answerOf(hidden)]).toEqual([path, await answerOf(newId())]);
      expect([path, (await answerOf(hidden)).errors]).toEqual([path, [expect.objectContaining({ code: 'reference' })]]);
    }
  });

  it('lets those with view read and nothing more, neither change the folder nor file its documents elsewhere', async () => {
    const reader = await ours.member('editor');
    const shown = await folder({ album_acl: closedTo(reader, 'view') });
    const document = await note(ours.owner.client, 'docs');
    await file(shown.album_id, [document]).expect(200);
    expect(await read(shown.album_id, reader.client)).toMatchObject({ album_access: 'view', album_document_count: 1 });
    await reader.client.patch(`/document-folders/${shown.album_id}`, { album_name: 'x' }).expect(403);
    await file(shown.album_id, [document], reader.client).expect(403);
    expect((await file((await folder()).album_id, [document], reader.client).expect(200)).body).toEqual({
      added: 0,
      skipped: 1,
      already: 0,
    });
  });

  it('is explained, and named in references, as document_folder', async () => {
    const reader = await ours.member('editor');
    const { album_id } = await folder({ album_acl: closedTo(reader, 'view') });
    const document = await note(ours.owner.client, 'docs');
    await file(album_id, [document]).expect(200);
    const references = (await ours.owner.client.get(`/files/${document}/references`).expect(200)).body.data as {
      ref_type: string;
      ref_id: string;
    }[];
    expect(references).toContainEqual(expect.objectContaining({ ref_type: 'document_folder', ref_id: album_id }));
    const explained = await ours.owner.client
      .post('/admin/access/explain', {
        user_id: reader.user_id,
        permission: 'document:edit',
        resource: { type: 'document_folder', id: album_id },
      })
      .expect(200);
    expect(explained.body.steps.at(-1)).toMatchObject({ step: 'acl' });
    const other = (await ours.owner.client.post('/albums', { album_name: 'Pictures' }).expect(201)).body as Folder;
    await ours.owner.client
      .post('/admin/access/explain', {
        user_id: reader.user_id,
        permission: 'document:edit',
        resource: { type: 'document_folder', id: other.album_id },
      })
      .expect(400);
  });
});

describe('folders and albums', () => {
  it('never meet: neither is read, listed, counted or changed as the other', async () => {
    const { album_id: album } = (await ours.owner.client.post('/albums', { album_name: 'Pictures' }).expect(201)).body as Folder;
    const { album_id } = await folder();
    await ours.owner.client.get(`/albums/${album_id}`).expect(404);
    await ours.owner.client.get(`/document-folders/${album}`).expect(404);
    await ours.owner.client.patch(`/document-folders/${album}`, { album_name: 'x' }).expect(404);
    await ours.owner.client.delete(`/albums/${album_id}`).expect(404);
    expect(await listed(`album_id=${album}`)).toEqual([]);
    const { count } = (await ours.owner.client.get('/document-folders/stats').expect(200)).body as { count: number };
    await ours.owner.client.post('/albums', { album_name: 'More' }).expect(201);
    expect((await ours.owner.client.get('/document-folders/stats').expect(200)).body.count).toBe(count);
  });
});

describe('each operation', () => {
  const operations = (id: string, other: string): readonly [method: 'get' | 'post' | 'patch' | 'delete', path: string, body?: object][] => [
    ['get', `/${id}`],
    ['patch', `/${id}`, { album_name: 'x' }],
    ['delete', `/${id}`],
    ['patch', `/${id}/smart`, { album_name: 'x' }],
    ['post', `/${id}/files`, { file_ids: [other] }],
    ['delete', `/${id}/files`, { file_ids: [other] }],
  ];
  const collection: ReturnType<typeof operations> = [
    ['get', ''],
    ['get', '/stats'],
    ['get', '/memberships'],
    ['post', '', { album_name: 'x' }],
    ['post', '/smart', { album_name: 'x', query_search: {} }],
  ];

  it('knows no folder of another workspace', async () => {
    const { album_id } = await folder();
    for (const [method, path, body] of operations(album_id, newId())) {
      const answer = await theirs.owner.client[method](`/document-folders${path}`, body);
      expect([method, path, answer.status]).toEqual([method, path, 404]);
    }
    expect((await listed(`album_id=${album_id}`, theirs.owner.client)).length).toBe(0);
  });

  it('is denied without its permission', async () => {
    const viewer = await ours.member('viewer');
    const { album_id } = await folder();
    for (const [method, path, body] of [...operations(album_id, newId()), ...collection].filter(([method]) => method !== 'get')) {
      const answer = await viewer.client[method](`/document-folders${path}`, body);
      expect([method, path, answer.status, answer.body.code]).toEqual([method, path, 403, 'permission_denied']);
    }
  });

  it('[documents 17] needs the module', async () => {
    const unlicensed = await api.workspace();
    for (const [method, path, body] of [...operations(newId(), newId()), ...collection]) {
      const answer = await unlicensed.owner.client[method](`/document-folders${path}`, body);
      expect([method, path, answer.status, answer.body.code]).toEqual([method, path, 403, 'license_required']);
    }
  });
});
