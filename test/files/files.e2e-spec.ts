import { newId } from '@atrium/platform/kernel';
import { eventually, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { Client as Postgres } from 'pg';
import { sharedAtrium } from '../support/shared-atrium';
import { storeFile } from './stored-files';

let api: RunningApi;
let ours: TestWorkspace;
let theirs: TestWorkspace;

beforeAll(async () => {
  api = await sharedAtrium();
  ours = await api.workspace(['module-documents']);
  theirs = await api.workspace();
});
afterAll(() => api.close());

interface Row {
  readonly file_id: string;
  readonly file_name: string;
}

const names = (body: unknown): string[] => (body as { data: Row[] }).data.map((row) => row.file_name);
const ids = (body: unknown): string[] => (body as { data: Row[] }).data.map((row) => row.file_id);
const media = { library: ['media'] };

describe('creating a document', () => {
  it('answers an empty markdown file that is ready, with location and version', async () => {
    const answer = await ours.owner.client.post('/files', { file_repo: media, file_name: 'Minutes' }).expect(201);
    expect(answer.body).toMatchObject({
      file_name: 'Minutes.md',
      file_type: 'text/markdown',
      file_size: 0,
      file_processing: 'ready',
      file_version: 1,
      file_repo: media,
      file_pref: { favorite: false },
      file_added_by: ours.owner.user_id,
    });
    expect(answer.headers.location).toBe(`/api/v1/files/${answer.body.file_id}`);
    expect(answer.headers.etag).toBe('"1"');
    for (const hidden of ['tenant_id', 'row_version', 'repo_type', 'file_blob', 'file_deleted', 'file_kind'])
      expect(answer.body).not.toHaveProperty(hidden);
    const read = await ours.owner.client.get(`/files/${answer.body.file_id}`).expect(200);
    expect(read.body).toEqual(answer.body);
  });

  it('keeps a markdown extension that is there', async () => {
    const answer = await ours.owner.client.post('/files', { file_repo: media, file_name: 'readme.MD' }).expect(201);
    expect(answer.body.file_name).toBe('readme.MD');
  });

  it.each([
    [{}, 'file_repo'],
    [{ library: ['media'], thread: newId() }, 'file_repo'],
    [{ library: ['generated'] }, 'file_repo.library'],
    [{ library: ['attic'] }, 'file_repo.library'],
    [{ library: 'media' }, 'file_repo.library'],
    [{ form: newId() }, 'file_repo.form'],
    [{ shelf: newId() }, 'file_repo.shelf'],
    [{ thread: 'x' }, 'file_repo.thread'],
  ])('refuses the repository %j', async (file_repo, path) => {
    const answer = await ours.owner.client.post('/files', { file_repo, file_name: 'x' }).expect(400);
    expect(answer.body.errors[0].path).toBe(path);
  });

  it('does not know an owner that is not there', async () => {
    await ours.owner.client.post('/files', { file_repo: { thread: newId() }, file_name: 'x' }).expect(400);
  });

  it.each(['../../etc/passwd', 'a\\b', 'tab\tname', 'a\u202egnp.exe', '...', ''])('refuses the name %j', async (file_name) => {
    await ours.owner.client.post('/files', { file_repo: media, file_name }).expect(400);
  });

  it('needs the upload permission of that very repository', async () => {
    const viewer = await ours.member('viewer');
    await viewer.client.post('/files', { file_repo: media, file_name: 'x' }).expect(403);
    const documents = await ours.member('editor', ['document:upload', 'document:view']);
    await documents.client.post('/files', { file_repo: { library: ['docs'] }, file_name: 'x' }).expect(201);
    const refused = await documents.client.post('/files', { file_repo: media, file_name: 'x' }).expect(403);
    expect(refused.body).toMatchObject({ code: 'permission_denied', detail: expect.stringContaining('media:upload') });
  });
});

describe('listing files', () => {
  let shelf: TestWorkspace;
  beforeAll(async () => {
    shelf = await api.workspace(['module-documents']);
    const made = (day: number): Date => new Date(Date.UTC(2026, 0, day));
    await storeFile(api, shelf, {
      name: 'Alpha.JPG',
      type: 'image/jpeg',
      kind: 'image',
      bytes: Buffer.alloc(30),
      created: made(1),
      metadata: { project: 'harbour', count: 3, system: { width: 4032, camera: { make: 'X' } } },
    });
    await storeFile(api, shelf, {
      name: 'beta.png',
      type: 'image/png',
      kind: 'image',
      bytes: Buffer.alloc(10),
      created: made(2),
      metadata: { project: 'quay' },
    });
    await storeFile(api, shelf, { name: 'gamma 100%.pdf', type: 'application/pdf', bytes: Buffer.alloc(20), created: made(3) });
    await storeFile(api, shelf, { name: 'delta.mp4', type: 'video/mp4', kind: 'video', bytes: Buffer.alloc(40), created: made(3) });
    await storeFile(api, shelf, { name: 'paper.pdf', type: 'application/pdf', repo: 'docs' });
    await storeFile(api, shelf, { name: 'virus.exe', repo: 'media', processing: 'quarantined', created: made(4) });
  });
  const list = (query: string) => shelf.owner.client.get(`/files?${query}`);

  it('needs a repository, and an id exactly where it has owners', async () => {
    for (const query of ['', `repo_type=media&repo_id=${newId()}`, 'repo_type=thread']) await list(query).expect(400);
    expect((await list('repo_type=attic').expect(400)).body.errors).toMatchObject([{ path: 'repo_type', code: 'choice' }]);
    await list(`repo_type=thread&repo_id=${newId()}`).expect(404);
  });

  it('shows one repository, newest first, and quarantined files to its editors alone', async () => {
    const page = await list('repo_type=media').expect(200);
    expect(names(page.body)[0]).toBe('virus.exe');
    expect(names(page.body).slice(1).sort()).toEqual(['Alpha.JPG', 'beta.png', 'delta.mp4', 'gamma 100%.pdf']);
    expect(names(page.body).at(-1)).toBe('Alpha.JPG');
    const viewer = await shelf.member('viewer');
    const seen = await viewer.client.get('/files?repo_type=media').expect(200);
    expect(names(seen.body)).not.toContain('virus.exe');
    expect(names((await list('repo_type=docs').expect(200)).body)).toEqual(['paper.pdf']);
  });

  it.each([
    ['file_type=image/', ['Alpha.JPG', 'beta.png']],
    ['file_type=image/png', ['beta.png']],
    ['file_type=image', []],
    ['file_name=AM', ['gamma 100%.pdf']],
    ['file_name=100%25', ['gamma 100%.pdf']],
    ['file_name=%25', ['gamma 100%.pdf']],
    ['file_created=2026-01-02&file_created=2026-01-02T12:00:00Z', ['beta.png']],
    ['file_created=2026-01-03', ['delta.mp4', 'gamma 100%.pdf', 'virus.exe']],
    ['file_updated=2026-01-03', ['delta.mp4', 'gamma 100%.pdf', 'virus.exe']],
    ['file_status=active', ['Alpha.JPG', 'beta.png', 'delta.mp4', 'gamma 100%.pdf', 'virus.exe']],
    ['file_status=retired', []],
    ['file_metadata[project]=quay', ['beta.png']],
    ['file_metadata[count]=3', ['Alpha.JPG']],
    ['file_metadata[system][width]=4032&file_metadata[project]=harbour', ['Alpha.JPG']],
    ['file_metadata[system][camera][make]=X', ['Alpha.JPG']],
    ['file_metadata[project]=qua', []],
    [`file_added_by=${newId()}`, []],
    [`file_id=${newId()}`, []],
    [`file_provider_id=${newId()}`, []],
  ])('narrows by %s', async (query, expected) => {
    const page = await list(`repo_type=media&sort=file_name&${query}`).expect(200);
    expect(names(page.body)).toEqual(expected);
  });

  it.each(['file_metadata[a%27b]=x', 'file_metadata[a][b][c][d][e]=x', 'file_metadata[a][]=x', `file_metadata[a]=${'x'.repeat(501)}`])(
    'refuses %s',
    async (query) => {
      await list(`repo_type=media&${query}`).expect(400);
    },
  );

  it.each([
    ['file_name', ['Alpha.JPG', 'beta.png', 'delta.mp4', 'gamma 100%.pdf']],
    ['-file_size', ['delta.mp4', 'Alpha.JPG', 'gamma 100%.pdf', 'beta.png']],
    ['file_type', ['gamma 100%.pdf', 'Alpha.JPG', 'beta.png', 'delta.mp4']],
    ['file_created', ['Alpha.JPG', 'beta.png', 'delta.mp4', 'gamma 100%.pdf']],
  ])('sorts by %s and pages without gap or repeat', async (sort, expected) => {
    const seen: string[] = [];
    for (let cursor = ''; ;) {
      const page = await list(`repo_type=media&limit=1&sort=${sort}${cursor && `&cursor=${cursor}`}`).expect(200);
      seen.push(...names(page.body));
      if (!page.body.has_more) break;
      cursor = page.body.next_cursor as string;
    }
    const listed = seen.filter((name) => name !== 'virus.exe');
    if (sort === 'file_created') listed.splice(2, 2, ...listed.slice(2).sort());
    expect(listed).toEqual(expected);
    expect(seen).toHaveLength(5);
  });

  it('asks for the permission and the license of the repository that is named', async () => {
    const viewer = await shelf.member('viewer', ['media:view']);
    const denied = await viewer.client.get(`/files?repo_type=thread&repo_id=${newId()}`).expect(403);
    expect(denied.body.code).toBe('permission_denied');
    const unlicensed = await theirs.owner.client.get('/files?repo_type=docs').expect(403);
    expect(unlicensed.body.code).toBe('license_required');
  });

  it('exports more rows on one page when asked', async () => {
    await list('repo_type=media&limit_extended=10000').expect(200);
    await list('repo_type=media&limit=5000').expect(200);
  });
});

describe('reading a file', () => {
  it('answers 304 to clients that have it', async () => {
    const { file_id } = await storeFile(api, ours);
    const first = await ours.owner.client.get(`/files/${file_id}`).expect(200);
    await ours.owner.client
      .with({ 'If-None-Match': first.headers.etag as string })
      .get(`/files/${file_id}`)
      .expect(304);
  });

  it('does not know what is no id', async () => {
    await ours.owner.client.get('/files/none').expect(404);
    await ours.owner.client.get(`/files/${newId()}`).expect(404);
  });
});

describe('changing a file', () => {
  it('[files 7] refuses file_repo, replaces the metadata and keeps what the service wrote', async () => {
    const { file_id } = await storeFile(api, ours, { name: 'a.jpg', metadata: { project: 'old', system: { width: 10 } } });
    const refused = await ours.owner.client.put(`/files/${file_id}`, { file_repo: media }).expect(400);
    expect(refused.body.errors[0]).toMatchObject({ path: 'file_repo', code: 'unknown_field' });
    const changed = await ours.owner.client
      .put(`/files/${file_id}`, { file_metadata: { client: 'ACME', system: { width: 99 } }, file_summary: 'By the sea' })
      .expect(200);
    expect(changed.body).toMatchObject({
      file_metadata: { client: 'ACME', system: { width: 10 } },
      file_summary: 'By the sea',
      file_name: 'a.jpg',
    });
    expect(changed.body.file_metadata).not.toHaveProperty('project');
    expect(changed.headers.etag).toBe('"2"');
  });

  it('keeps the extension unless the new name brings one', async () => {
    const { file_id } = await storeFile(api, ours, { name: 'a.jpg' });
    expect((await ours.owner.client.put(`/files/${file_id}`, { file_name: 'harbour' }).expect(200)).body.file_name).toBe('harbour.jpg');
    expect((await ours.owner.client.put(`/files/${file_id}`, { file_name: 'harbour.jpeg' }).expect(200)).body.file_name).toBe(
      'harbour.jpeg',
    );
    await ours.owner.client.put(`/files/${file_id}`, { file_name: '../x' }).expect(400);
    await ours.owner.client.put(`/files/${file_id}`, {}).expect(400);
    await ours.owner.client.put(`/files/${file_id}`, { file_hash: 'x' }).expect(400);
  });

  it('refuses a stale version and lets one of two at once pass', async () => {
    const { file_id } = await storeFile(api, ours);
    const first = ours.owner.client.with({ 'If-Match': '"1"' });
    const answers = await Promise.all(['a', 'b'].map((file_summary) => first.put(`/files/${file_id}`, { file_summary })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
  });

  it('needs the edit permission', async () => {
    const { file_id } = await storeFile(api, ours);
    const viewer = await ours.member('viewer');
    await viewer.client.put(`/files/${file_id}`, { file_name: 'x' }).expect(403);
  });

  it('writes the history, newest first', async () => {
    const created = await ours.owner.client.post('/files', { file_repo: media, file_name: 'story' }).expect(201);
    const { file_id } = created.body as Row;
    await ours.owner.client.put(`/files/${file_id}`, { file_name: 'tale' }).expect(200);
    await ours.owner.client.put(`/files/${file_id}`, { file_summary: 'short' }).expect(200);
    const history = await ours.owner.client.get(`/files/${file_id}/history`).expect(200);
    expect((history.body as { data: { fh_action: string }[] }).data.map((line) => line.fh_action)).toEqual([
      'metadata_changed',
      'renamed',
      'created',
    ]);
    expect(history.body.data[1]).toMatchObject({
      fh_file: file_id,
      fh_details: { from: 'story.md', to: 'tale.md' },
      fh_actor: ours.owner.user_id,
      fh_actor_type: 'key',
    });
    const renames = await ours.owner.client.get(`/files/${file_id}/history?fh_action=renamed&limit=1`).expect(200);
    expect(renames.body.data).toHaveLength(1);
  });
});

describe('a favorite', () => {
  it("is each user's own and shows in lists", async () => {
    const { file_id } = await storeFile(api, ours);
    const viewer = await ours.member('viewer');
    expect((await viewer.client.patch(`/files/${file_id}/favorite`).expect(200)).body).toEqual({ file_id, file_pref: { favorite: true } });
    expect((await viewer.client.get(`/files?repo_type=media&file_id=${file_id}`).expect(200)).body.data[0].file_pref).toEqual({
      favorite: true,
    });
    expect((await ours.owner.client.get(`/files/${file_id}`).expect(200)).body.file_pref).toEqual({ favorite: false });
    expect((await viewer.client.patch(`/files/${file_id}/favorite`).expect(200)).body.file_pref).toEqual({ favorite: false });
  });

  it('[files 13] flips per user; flips at the same time end where parity says', async () => {
    const { file_id } = await storeFile(api, ours);
    const viewer = await ours.member('viewer');
    await ours.owner.client.patch(`/files/${file_id}/favorite`).expect(200);
    // Several have begun before any may write.
    const holder = new Postgres({ connectionString: api.database.ownerUrl });
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query("SELECT set_config('app.tenant_id', $1, true)", [ours.tenant_id]);
    await holder.query('SELECT FROM file_pref WHERE file_id = $1 FOR UPDATE', [file_id]);
    const flips = Promise.all(Array.from({ length: 4 }, () => ours.owner.client.patch(`/files/${file_id}/favorite`).expect(200)));
    try {
      await eventually(
        () =>
          api.sql(
            'SELECT FROM pg_locks WHERE NOT granted AND pid IN (SELECT pid FROM pg_stat_activity WHERE datname = current_database())',
          ),
        (waiting) => waiting.length === 4,
      );
    } finally {
      await holder.end();
    }
    await flips;
    await Promise.all(Array.from({ length: 7 }, () => viewer.client.patch(`/files/${file_id}/favorite`).expect(200)));
    expect((await ours.owner.client.get(`/files/${file_id}`).expect(200)).body.file_pref).toEqual({ favorite: true });
    expect((await viewer.client.get(`/files/${file_id}`).expect(200)).body.file_pref).toEqual({ favorite: true });
  });
});

describe('searching by name', () => {
  it('answers beginnings first, then substrings, then typing errors, across what the caller may see', async () => {
    const library = await api.workspace(['module-documents']);
    for (const name of ['lighthouse.jpg', 'the lighthouse.jpg', 'lighthuose.jpg', 'harbour.jpg'])
      await storeFile(api, library, { name, type: 'image/jpeg', kind: 'image' });
    await storeFile(api, library, { name: 'lighthouse plan.pdf', type: 'application/pdf', repo: 'docs' });
    const found = await library.owner.client.get('/files/search?q=lighthouse').expect(200);
    expect(names(found.body).slice(0, 2).sort()).toEqual(['lighthouse plan.pdf', 'lighthouse.jpg']);
    expect(names(found.body).slice(2)).toEqual(['the lighthouse.jpg', 'lighthuose.jpg']);
    expect(names((await library.owner.client.get('/files/search?q=lighthouse&repo_type=docs').expect(200)).body)).toEqual([
      'lighthouse plan.pdf',
    ]);
    expect(names((await library.owner.client.get('/files/search?q=lighthouse&file_type=image/&limit=1').expect(200)).body)).toEqual([
      'lighthouse.jpg',
    ]);
    const photographer = await library.member('viewer', ['media:view']);
    expect(names((await photographer.client.get('/files/search?q=plan').expect(200)).body)).toEqual([]);
    expect(names((await theirs.owner.client.get('/files/search?q=lighthouse').expect(200)).body)).toEqual([]);
  });

  it('takes signs as they are, however short the text, and no more names than are asked for', async () => {
    const library = await api.workspace();
    for (const name of ['a%b.txt', 'axb.txt', 'x a%b.txt', 'Étude.txt', 'qz-1.txt', 'no qz.txt', 'Pier.txt', 'PIER 2.txt', 'the pier.txt'])
      await storeFile(api, library, { name });
    const found = async (q: string, more = ''): Promise<string[]> =>
      names((await library.owner.client.get(`/files/search?q=${encodeURIComponent(q)}${more}`).expect(200)).body);
    expect(await found('A%b')).toEqual(['a%b.txt', 'x a%b.txt']);
    expect(await found('%b')).toEqual(['a%b.txt', 'x a%b.txt']);
    expect(await found('étude')).toEqual(['Étude.txt']);
    expect(await found('qz')).toEqual(['qz-1.txt', 'no qz.txt']);
    expect(await found('_')).toEqual([]);
    const beginnings = ['PIER 2.txt', 'Pier.txt'];
    expect((await found('pier')).sort()).toEqual([...beginnings, 'the pier.txt']);
    expect((await found('pier', '&limit=2')).sort()).toEqual(beginnings);
    expect(beginnings).toContain((await found('pier', '&limit=1'))[0]);
  });

  it('refuses a search without words, naming them', async () => {
    const refused = await ours.owner.client.get('/files/search').expect(400);
    expect(refused.body).toMatchObject({ code: 'validation_failed', errors: [{ path: 'q', code: 'required' }] });
  });
});

describe('references', () => {
  it('are empty for a file nothing uses', async () => {
    const { file_id } = await storeFile(api, ours);
    const answer = await ours.owner.client.get(`/files/${file_id}/references`).expect(200);
    expect(answer.body).toEqual({ data: [], has_more: false, next_cursor: null, hidden: 0 });
  });
});

describe('from another workspace', () => {
  it('a file does not exist for any operation', async () => {
    const { file_id, fv_id } = await storeFile(api, ours, { name: 'ours-only.txt' });
    const stranger = theirs.owner.client;
    for (const path of ['', '/history', '/references', '/download-url', '/image-data', '/font-data', `/versions/${fv_id}/download-url`])
      await stranger.get(`/files/${file_id}${path}`).expect(404);
    await stranger.put(`/files/${file_id}`, { file_name: 'x' }).expect(404);
    await stranger.patch(`/files/${file_id}/favorite`).expect(404);
    await stranger.delete(`/files/${file_id}`).expect(404);
    await stranger.delete(`/files/${file_id}?dry_run=true`).expect(404);
    await stranger.post(`/files/${file_id}/restore`).expect(404);
    await stranger.post('/files/actions/download', { file_ids: [file_id] }).expect(400);
    await stranger.post('/download-jobs', { file_ids: [file_id] }).expect(400);
    for (const action of ['delete', 'restore', 'purge']) {
      const answer = await stranger.post(`/files/actions/${action}`, { file_ids: [file_id] }).expect(200);
      expect(answer.body.data).toEqual([{ file_id, outcome: 'skipped', code: 'not_found' }]);
    }
    expect(ids((await stranger.get(`/files?repo_type=media&file_id=${file_id}`).expect(200)).body)).toEqual([]);
    expect(ids((await stranger.get('/files/search?q=ours-only').expect(200)).body)).toEqual([]);
    await ours.owner.client.get(`/files/${file_id}`).expect(200);
    const forged = ours.owner.client.with({ 'X-Tenant-Id': theirs.tenant_id });
    await forged.get(`/files/${file_id}`).expect(403);
  });
});
