import { newId } from '@atrium/platform/kernel';
import { eventually, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { storedFile } from './named-files';
import { signedInMember } from './signing-in';

let api: RunningApi;
let ours: TestWorkspace;
let theirs: TestWorkspace;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
  ours = await api.workspace();
  theirs = await api.workspace();
});
afterAll(() => api.close());

describe('one’s own membership', () => {
  it('is changed in what is present, and shown with it at once', async () => {
    const { client, user_id } = await signedInMember(api, ours, 'viewer');
    const avatar = await storedFile(api, ours.tenant_id, {});
    const changed = await client
      .patch('/me', {
        user_name: 'Ada',
        user_title: 'Editor',
        user_locale: 'PT-br',
        user_timezone: 'Asia/Kathmandu',
        user_avatar_file: avatar,
        user_pref: { theme: 'dark', list: { open: true } },
      })
      .expect(200);
    expect(changed.body).toMatchObject({
      user_id,
      user_name: 'Ada',
      user_title: 'Editor',
      user_locale: 'pt-BR',
      user_timezone: 'Asia/Kathmandu',
      user_avatar_file: avatar,
      user_pref: { theme: 'dark', list: { open: true } },
    });
    expect(
      (
        await client
          .patch('/me', { user_pref: { theme: null, list: { wide: true } }, user_locale: null, user_avatar_file: null })
          .expect(200)
      ).body,
    ).toMatchObject({ user_locale: 'en', user_avatar_file: null, user_pref: { list: { wide: true } } });
    expect((await client.get('/me').expect(200)).body).toMatchObject({ user: { user_name: 'Ada', user_pref: { list: { wide: true } } } });
    const [seen] = (await ours.owner.client.get(`/admin/users?user_id=${user_id}`).expect(200)).body.data as object[];
    expect(seen).not.toHaveProperty('user_pref');
  });

  it('takes no file of another workspace, no file that is no picture, none in trash', async () => {
    const { client } = await signedInMember(api, ours, 'viewer');
    const gone = await storedFile(api, ours.tenant_id, {});
    await api.sql('UPDATE file SET file_deleted = now() WHERE file_id = $1', [gone]);
    for (const file of [
      newId(),
      gone,
      await storedFile(api, theirs.tenant_id, {}),
      await storedFile(api, ours.tenant_id, { type: 'font/woff2', kind: 'font' }),
    ]) {
      expect((await client.patch('/me', { user_avatar_file: file }).expect(400)).body).toMatchObject({
        errors: [{ path: 'user_avatar_file', code: 'reference' }],
      });
    }
  });

  it.each([
    ['an unknown time zone', { user_timezone: 'Mars/Olympus' }],
    ['no language', { user_locale: 'not a language' }],
  ])('refuses %s', async (_, body) => {
    const { client } = await signedInMember(api, ours, 'viewer');
    await client.patch('/me', body).expect(400);
  });

  it('refuses a field that is not one’s own to change, naming it', async () => {
    const { client } = await signedInMember(api, ours, 'viewer');
    const refused = await client.patch('/me', { user_status: 'removed' }).expect(400);
    expect(refused.body).toMatchObject({ code: 'validation_failed', errors: [{ path: 'user_status', code: 'unknown_field' }] });
  });

  it('keeps preferences below 16 KB in all', async () => {
    const { client } = await signedInMember(api, ours, 'viewer');
    await client.patch('/me', { user_pref: { a: 'x'.repeat(10_000) } }).expect(200);
    await client.patch('/me', { user_pref: { b: 'x'.repeat(10_000) } }).expect(400);
    await client.patch('/me', { user_pref: { a: null, b: 'x'.repeat(10_000) } }).expect(200);
  });

  it('is a person’s: a service has none to change or leave', async () => {
    const { body } = await ours.owner.client.post('/admin/users', { user_kind: 'service', user_name: 'Robot' }).expect(201);
    const { user_id } = body as { user_id: string };
    const { key_id, client } = await ours.member('viewer');
    await api.sql('UPDATE api_key SET key_user = $2 WHERE key_id = $1', [key_id, user_id]);
    expect((await client.get('/me').expect(200)).body).toMatchObject({ principal_kind: 'service' });
    await client.patch('/me', { user_name: 'Human' }).expect(403);
    await client.post('/me/leave').expect(403);
  });
});

describe('the directory', () => {
  it('[identity 31] shows a viewer no e-mail address, and the administration of users nothing at all', async () => {
    const viewer = await ours.member('viewer');
    const { body, text } = await viewer.client.get('/users?limit=1000').expect(200);
    expect(text).not.toContain('@');
    const [entry] = (body as { data: Record<string, unknown>[] }).data;
    expect(Object.keys(entry!).sort()).toEqual(['user_avatar_file', 'user_id', 'user_kind', 'user_name', 'user_title']);
    const refused = await viewer.client.get('/admin/users').expect(403);
    expect(refused.body).toMatchObject({ code: 'permission_denied', detail: expect.stringContaining('admin:users') });
    const seen = await ours.owner.client.get('/admin/users').expect(200);
    expect(seen.text).toContain(ours.owner.email);
  });

  it('lists active members of the workspace by name, narrowed by name, id and kind', async () => {
    const workspace = await api.workspace();
    const { client } = workspace.owner;
    for (const user_name of ['Zoe', 'adam 100%', 'Bert', 'bertha'])
      await client.post('/admin/users', { user_kind: 'service', user_name }).expect(201);
    const { body: guest } = await client.post('/admin/users', { user_email: 'guest@people.example', user_name: 'Guest' }).expect(201);
    const names = async (query: string): Promise<string[]> =>
      ((await client.get(`/users${query}`).expect(200)).body as { data: { user_name: string }[] }).data.map(({ user_name }) => user_name);
    expect(await names('')).toEqual(['adam 100%', 'Bert', 'bertha', 'Owner', 'Zoe']);
    expect(await names('?sort=-user_name&limit=2')).toEqual(['Zoe', 'Owner']);
    expect(await names('?user_name=BERT')).toEqual(['Bert', 'bertha']);
    expect(await names('?user_name=%25')).toEqual(['adam 100%']);
    expect(await names('?user_kind=person')).toEqual(['Owner']);
    expect(await names(`?user_id=${workspace.owner.user_id}`)).toEqual(['Owner']);
    expect(await names(`?user_id=${(guest as { user_id: string }).user_id}`)).toEqual([]);
    expect(await names(`?user_id=${ours.owner.user_id}`)).toEqual([]);
    await client.get('/users?user_email=owner').expect(400);
    expect(await names('?sort=user_email')).toEqual(await names(''));
  });

  it('is passed through page by page', async () => {
    const { client } = ours.owner;
    const all: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: { data: { user_id: string }[]; next_cursor: string | null } = (
        await client.get(`/users?limit=3${cursor ? `&cursor=${cursor}` : ''}`).expect(200)
      ).body;
      all.push(...page.data.map(({ user_id }) => user_id));
      cursor = page.next_cursor;
    }
    expect(new Set(all).size).toBe(all.length);
    expect(all).toHaveLength(((await client.get('/users?limit=1000').expect(200)).body as { data: object[] }).data.length);
  });
});

describe('handing over what somebody made', () => {
  interface Job {
    readonly job_id: string;
    readonly status: string;
    readonly result: { readonly moved: Record<string, number> } | null;
  }
  const job = async (id: string): Promise<Job> => {
    const [row] = await api.sql<Job>('SELECT job_id, job_status AS status, job_result AS result FROM background_job WHERE job_id = $1', [
      id,
    ]);
    return row!;
  };

  it('re-owns files and albums in the background, of this member in this workspace alone', async () => {
    const giver = await ours.member('editor');
    const taker = await ours.member('editor');
    const other = await ours.member('editor');
    for (const { client } of [giver, giver, other]) await client.post('/albums', { album_name: 'Mine' }).expect(201);
    const mine = await storedFile(api, ours.tenant_id, {});
    const foreign = await storedFile(api, theirs.tenant_id, {});
    await api.sql('UPDATE file SET file_added_by = $2 WHERE file_id = ANY ($1)', [[mine, foreign], giver.user_id]);
    await ours.owner.client.delete(`/admin/users/${giver.user_id}`).expect(204);
    const started = await ours.owner.client
      .post(`/admin/users/${giver.user_id}/transfer`, { to_user: taker.user_id.toUpperCase() })
      .expect(202);
    const { job_id } = started.body as Job;
    expect(started.headers.location).toBe(`/api/v1/jobs/${job_id}`);
    const done = await eventually(
      () => job(job_id),
      ({ status }) => status === 'completed',
    );
    expect(done.result).toMatchObject({ moved: { files: 1, media: 2 } });
    const owners = await api.sql<{ owner: string; count: number }>(
      'SELECT album_created_by AS owner, count(*)::int FROM album WHERE tenant_id = $1 AND album_created_by = ANY ($2) GROUP BY 1',
      [ours.tenant_id, [giver.user_id, taker.user_id, other.user_id]],
    );
    expect(Object.fromEntries(owners.map(({ owner, count }) => [owner, count]))).toEqual({ [taker.user_id]: 2, [other.user_id]: 1 });
    expect(
      await api.sql('SELECT file_id, file_added_by FROM file WHERE file_id = ANY ($1) ORDER BY file_added_by = $2', [
        [mine, foreign],
        taker.user_id,
      ]),
    ).toEqual([
      { file_id: foreign, file_added_by: giver.user_id },
      { file_id: mine, file_added_by: taker.user_id },
    ]);
    expect(
      await api.sql(`SELECT ev_payload FROM outbox WHERE tenant_id = $1 AND ev_name = 'user.content_transfer'`, [ours.tenant_id]),
    ).toEqual([{ ev_payload: { from: giver.user_id, to: taker.user_id } }]);
  });

  it('goes to another active member only', async () => {
    const giver = await ours.member('editor');
    const { body: guest } = await ours.owner.client.post('/admin/users', { user_email: 'guest@people.example' }).expect(201);
    for (const to_user of [giver.user_id, newId(), theirs.owner.user_id, (guest as { user_id: string }).user_id]) {
      expect((await ours.owner.client.post(`/admin/users/${giver.user_id}/transfer`, { to_user }).expect(400)).body).toMatchObject({
        errors: [{ path: 'to_user' }],
      });
    }
    await ours.owner.client.post(`/admin/users/${giver.user_id}/transfer`, {}).expect(400);
  });

  it('walks through thousands of rows in stretches, and doing it again moves nothing more', async () => {
    const giver = await ours.member('editor');
    const taker = await ours.member('editor');
    await api.sql(
      `INSERT INTO album (tenant_id, album_id, album_name, album_created_by) SELECT $1, gen_random_uuid(), 'Many', CASE WHEN n % 2 = 0 THEN $2::uuid END FROM generate_series(1, 5000) n`,
      [ours.tenant_id, giver.user_id],
    );
    const transfer = async (): Promise<Job> => {
      const { body } = await ours.owner.client.post(`/admin/users/${giver.user_id}/transfer`, { to_user: taker.user_id }).expect(202);
      return eventually(
        () => job((body as Job).job_id),
        ({ status }) => status === 'completed',
      );
    };
    expect((await transfer()).result).toMatchObject({ moved: { media: 2_500 } });
    expect((await transfer()).result).toMatchObject({ moved: { media: 0 } });
  });
});
