import { createHash } from 'node:crypto';
import { newId } from '@atrium/platform/kernel';
import { eventually, photograph, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { settled, upload, type StoredFile } from '../files/uploading';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { bytesAt, filesSeen, guest, picture, publicPath, seenByMaker, shareLink, tokenOf, type OwnLink, type PublicFile } from './sharing';

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/;
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

let api: RunningApi;
let ours: TestWorkspace;
let theirs: TestWorkspace;
let files: StoredFile[];

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
  ours = await api.workspace();
  theirs = await api.workspace();
  files = await Promise.all([1, 2, 3].map((seed) => picture(ours, `harbour-${seed}.jpg`, seed)));
}, 120_000);
afterAll(() => api.close());

const ids = (): string[] => files.map(({ file_id }) => file_id);
const filesLink = (more: Record<string, unknown> = {}): Promise<OwnLink> =>
  shareLink(ours.owner.client, { share_type: 'files', share_file_ids: ids(), ...more });
const own = (link: OwnLink): Promise<OwnLink> => seenByMaker(ours, link);

describe('a link to files', () => {
  it('[distribution 1] lists three real photographs without ids and places, hands out their bytes, and counts visits and downloads', async () => {
    const names = ['harbour.jpg', 'phone.jpg', 'upright.jpg'];
    const camera = {
      width: 1200,
      height: 900,
      make: 'Fujifilm',
      model: 'X100V',
      taken: '2024:05:17 08:30:00',
      gps: { lat: 43.7, lng: 7.26 },
    } as const;
    const originals = await Promise.all(names.map((_, at) => photograph({ ...camera, seed: 40 + at, orientation: at === 2 ? 6 : 1 })));
    const stored = await Promise.all(
      names.map(async (name, at) => settled(ours.owner.client, (await upload(ours.owner.client, name, originals[at] as Buffer)).file_id)),
    );
    const link = await shareLink(ours.owner.client, {
      share_type: 'files',
      share_file_ids: stored.map(({ file_id }) => file_id),
      share_options: { show_metadata: true },
    });
    const visitor = guest(api, 'one');
    const seen = await visitor.get(publicPath(link)).expect(200);
    expect(seen.body).toMatchObject({ share_name: 'Harbour', share_type: 'files', locked: false, file_count: 3 });
    await visitor.get(publicPath(link)).expect(200);
    const page = await visitor.get(`${publicPath(link)}/files`).expect(200);
    const data = page.body.data as PublicFile[];
    expect(data.map(({ name }) => name)).toEqual(names);
    const told = JSON.stringify({ ...page.body, data: data.map(({ thumb_url: _, ...rest }) => rest) });
    expect(told).not.toMatch(UUID);
    expect(told).not.toMatch(/"(gps|lat|lng|latitude|longitude|location)"/i);
    expect(data.every(({ thumb_url, metadata }) => thumb_url !== null && metadata !== null)).toBe(true);
    for (const at of [0, 1]) {
      const address = (await visitor.get(`${publicPath(link)}/files/${data[at]?.public_id}/download-url`).expect(200)).body as string;
      expect(sha256(await bytesAt(address))).toBe(sha256(originals[at] as Buffer));
    }
    expect(await own(link)).toMatchObject({ share_view_count: 1, share_download_count: 2 });
  });

  it('returns its address to its creator and reports what was done through it', async () => {
    const link = await filesLink();
    expect(link.share_url).toMatch(/\/s\/[A-Za-z0-9_-]{43}$/);
    const visitor = guest(api, 'two');
    await visitor.get(publicPath(link)).expect(200);
    const [first] = await filesSeen(visitor, link);
    await visitor.get(`${publicPath(link)}/files/${first?.public_id}/download-url`).expect(200);
    const events = await ours.owner.client.get(`/share-links/${link.share_id}/events`).expect(200);
    expect((events.body.data as { se_type: string }[]).map(({ se_type }) => se_type)).toEqual(['download', 'view']);
    expect(events.body.data[0]).toMatchObject({ se_file: files[0]?.file_id, se_agent_kind: 'browser', se_details: { size: 'original' } });
    expect(JSON.stringify(events.body)).not.toContain('127.0.0.1');
    expect((await ours.owner.client.get(`/share-links/${link.share_id}/events?se_type=view`).expect(200)).body.data).toHaveLength(1);
    const references = await ours.owner.client.get(`/files/${files[0]?.file_id}/references`).expect(200);
    expect(references.body.data).toContainEqual(expect.objectContaining({ ref_type: 'share_link', ref_id: link.share_id }));
  });

  it('pages in the order of its files, by cursors that tell no id, and answers 404 for what is not in it', async () => {
    const link = await filesLink();
    const first = await guest(api)
      .get(`${publicPath(link)}/files?limit=2`)
      .expect(200);
    expect((first.body.data as PublicFile[]).map(({ name }) => name)).toEqual(['harbour-1.jpg', 'harbour-2.jpg']);
    expect(Buffer.from(first.body.next_cursor as string, 'base64url').toString()).not.toContain(files[1]?.file_id ?? '-');
    const second = await guest(api)
      .get(`${publicPath(link)}/files?limit=2&cursor=${first.body.next_cursor}`)
      .expect(200);
    expect((second.body.data as PublicFile[]).map(({ name }) => name)).toEqual(['harbour-3.jpg']);
    expect(second.body).toMatchObject({ has_more: false, next_cursor: null });
    const other = await shareLink(ours.owner.client, { share_type: 'files', share_file_ids: [ids()[0]] });
    const [elsewhere] = await filesSeen(guest(api), other);
    await guest(api)
      .get(`${publicPath(link)}/files/${elsewhere?.public_id}`)
      .expect(404);
    await guest(api)
      .get(`${publicPath(link)}/files/${ids()[0]}`)
      .expect(404);
  });

  it('leaves out what is in the trash, and is gone when all of it is, until it comes back', async () => {
    const alone = await picture(ours, 'alone.jpg', 31);
    const link = await shareLink(ours.owner.client, { share_type: 'files', share_file_ids: [alone.file_id, ids()[0]] });
    await ours.owner.client.delete(`/files/${alone.file_id}`).expect(204);
    expect(await filesSeen(guest(api), link)).toHaveLength(1);
    const only = await shareLink(ours.owner.client, { share_type: 'files', share_file_ids: [ids()[0]] });
    await ours.owner.client.delete(`/files/${ids()[0]}`).expect(204);
    const gone = await guest(api).get(publicPath(only)).expect(410);
    expect(gone.body).toMatchObject({ code: 'gone', title: 'The content of this link no longer exists' });
    expect((await own(only)).share_state).toBe('broken');
    await ours.owner.client.post(`/files/${ids()[0]}/restore`).expect(200);
    await guest(api).get(publicPath(only)).expect(200);
    expect((await own(only)).share_state).toBe('live');
  });

  it('takes no stronger right than its maker has: ids of others, of nobody and of unreadable files are refused, each named', async () => {
    const foreign = await picture(theirs, 'theirs.jpg', 41);
    const answer = await ours.owner.client
      .post('/share-links', { share_name: 'x', share_type: 'files', share_file_ids: [ids()[0], foreign.file_id, newId()] })
      .expect(400);
    expect((answer.body.errors as { path: string }[]).map(({ path }) => path)).toEqual(['share_file_ids[1]', 'share_file_ids[2]']);
    const viewer = await ours.member('editor', ['media:view', 'media:share']);
    const refused = await viewer.client.post('/share-links', { share_name: 'x', share_type: 'files', share_file_ids: ids() }).expect(403);
    expect(refused.body.detail).toContain('media:download');
  });

  it('refuses fields of other types, unknown options and days beyond what the workspace allows', async () => {
    const post = (body: object) =>
      ours.owner.client.post('/share-links', { share_name: 'x', share_type: 'files', share_file_ids: ids(), ...body });
    expect((await post({ share_max_files: 3, share_album_id: newId() }).expect(400)).body.errors).toHaveLength(2);
    expect((await post({ share_options: { colour: 'red' } }).expect(400)).body.errors[0].path).toBe('share_options.colour');
    expect((await post({ share_options: { sizes: ['huge'] } }).expect(400)).body.errors[0].path).toBe('share_options.sizes[0]');
    expect((await post({ share_expires_at: '2001-01-01T00:00:00Z' }).expect(400)).body.errors[0]).toMatchObject({
      path: 'share_expires_at',
      code: 'too_early',
    });
    expect((await post({ share_password: 'short' }).expect(400)).body.errors[0].path).toBe('share_password');
    expect(
      (await ours.owner.client.post('/share-links', { share_name: 'x', share_type: 'files' }).expect(400)).body.errors[0],
    ).toMatchObject({ path: 'share_file_ids' });
    const strict = await api.workspace();
    const file = await picture(strict, 'strict.jpg', 5);
    await strict.owner.client
      .patch('/admin/settings', { ws_options: { share_expiry_max_days: 7, share_expiry_default_days: 3, share_password_required: true } })
      .expect(200);
    const wanted = { share_name: 'x', share_type: 'files', share_file_ids: [file.file_id] };
    expect((await strict.owner.client.post('/share-links', wanted).expect(400)).body.errors[0].path).toBe('share_password');
    const late = new Date(Date.now() + 8 * 86_400_000).toISOString();
    expect(
      (await strict.owner.client.post('/share-links', { ...wanted, share_password: 'open sesame', share_expires_at: late }).expect(400))
        .body.errors[0].code,
    ).toBe('too_late');
    const link = (await strict.owner.client.post('/share-links', { ...wanted, share_password: 'open sesame' }).expect(201)).body as {
      share_expires_at: string;
    };
    expect(Math.round((Date.parse(link.share_expires_at) - Date.now()) / 86_400_000)).toBe(3);
  });
});

describe('a link that is locked or over', () => {
  it('[distribution 2] hides names until it is unlocked, is throttled, and ends for everybody when its password, its time or its maker says so', async () => {
    const link = await filesLink({ share_password: 'open sesame' });
    const visitor = guest(api, 'three');
    const locked = await visitor.get(publicPath(link)).expect(200);
    expect(locked.body).toMatchObject({ locked: true, asks: ['password'], share_name: null, file_count: null });
    await visitor.get(`${publicPath(link)}/files`).expect(401);
    for (let wrong = 0; wrong < 5; wrong++) await visitor.post(`${publicPath(link)}/unlock`, { password: `wrong ${wrong}` }).expect(401);
    const refused = await visitor.post(`${publicPath(link)}/unlock`, { password: 'wrong again' }).expect(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    await visitor.post(`${publicPath(link)}/unlock`, { password: 'open sesame' }).expect(429);

    const other = await filesLink({ share_password: 'open sesame' });
    const unlocked = await visitor.post(`${publicPath(other)}/unlock`, { password: 'open sesame' }).expect(200);
    expect(unlocked.body).toMatchObject({ access_token: expect.any(String), expires_in: 3_600 });
    const inside = visitor.with({ Authorization: `Bearer ${unlocked.body.access_token}` });
    expect(await filesSeen(inside, other)).toHaveLength(3);
    expect((await inside.get(publicPath(other)).expect(200)).body).toMatchObject({ locked: false, file_count: 3 });
    await inside.get(`${publicPath(link)}/files`).expect(401);
    await ours.owner.client.patch(`/share-links/${other.share_id}`, { share_password: 'another one' }).expect(200);
    await inside.get(`${publicPath(other)}/files`).expect(401);

    const ending = await filesLink({ share_expires_at: new Date(Date.now() + 1_500).toISOString() });
    await visitor.get(publicPath(ending)).expect(200);
    const expired = await eventually(
      () => visitor.get(publicPath(ending)),
      ({ status }) => status === 410,
    );
    expect(expired.body.title).toBe('This link has expired');
    expect((await own(ending)).share_state).toBe('expired');

    await ours.owner.client.delete(`/share-links/${other.share_id}`).expect(204);
    await visitor.get(publicPath(other)).expect(410);
    expect((await own(other)).share_state).toBe('revoked');
    await ours.owner.client.patch(`/share-links/${other.share_id}`, { share_active: true }).expect(409);
    await visitor.get(`/public/shares/${'A'.repeat(43)}`).expect(404);
    for (const token of ['A'.repeat(42), '..%2F..%2Fetc', tokenOf(link).slice(1)]) await visitor.get(`/public/shares/${token}`).expect(404);
  });

  it('asks for terms and who comes, and takes neither half', async () => {
    const link = await filesLink({ share_options: { terms: 'For review only.', require_name: true } });
    const visitor = guest(api, 'terms');
    expect((await visitor.get(publicPath(link)).expect(200)).body).toMatchObject({
      locked: true,
      asks: ['terms', 'name'],
      terms: 'For review only.',
      share_name: 'Harbour',
    });
    expect((await visitor.post(`${publicPath(link)}/unlock`, {}).expect(400)).body.errors).toHaveLength(2);
    const { body } = await visitor.post(`${publicPath(link)}/unlock`, { accept_terms: true, name: 'Grace' }).expect(200);
    const inside = visitor.with({ Authorization: `Bearer ${body.access_token}` });
    const [first] = await filesSeen(inside, link);
    await inside.get(`${publicPath(link)}/files/${first?.public_id}/download-url`).expect(200);
    const events = (await ours.owner.client.get(`/share-links/${link.share_id}/events`).expect(200)).body.data as {
      se_type: string;
      se_name: string | null;
    }[];
    expect(events.find(({ se_type }) => se_type === 'terms_accepted')?.se_name).toBe('Grace');
    expect(events.find(({ se_type }) => se_type === 'download')?.se_name).toBe('Grace');
    await ours.owner.client.patch(`/share-links/${link.share_id}`, { share_options: { terms: 'Other terms.' } }).expect(200);
    await inside.get(`${publicPath(link)}/files`).expect(401);
  });

  it('gets a new address by rotation and none by being switched off', async () => {
    const link = await filesLink();
    const rotated = (await ours.owner.client.post(`/share-links/${link.share_id}/rotate`).expect(200)).body as OwnLink;
    expect(rotated.share_url).not.toBe(link.share_url);
    expect((await guest(api).get(publicPath(link)).expect(410)).body.title).toContain('replaced');
    await guest(api).get(publicPath(rotated)).expect(200);
    await ours.owner.client.patch(`/share-links/${link.share_id}`, { share_active: false }).expect(200);
    expect((await guest(api).get(publicPath(rotated)).expect(410)).body.title).toBe('This link has been turned off');
    await ours.owner.client.patch(`/share-links/${link.share_id}`, { share_active: true }).expect(200);
    await guest(api).get(publicPath(rotated)).expect(200);
  });

  it('[distribution 8] is gone as long as its maker may not share, and heals', async () => {
    const role = (
      await ours.owner.client
        .post('/admin/roles', { role_name: 'Sharer', role_permissions: ['media:view', 'media:download', 'media:share'] })
        .expect(201)
    ).body as { role_id: string };
    const sharer = await ours.member('viewer');
    await ours.owner.client.patch(`/admin/users/${sharer.user_id}`, { user_roles: [role.role_id] }).expect(200);
    const link = await shareLink(sharer.client, { share_type: 'files', share_file_ids: ids() });
    await guest(api).get(publicPath(link)).expect(200);
    await ours.owner.client.patch(`/admin/roles/${role.role_id}`, { role_permissions: ['media:view', 'media:download'] }).expect(200);
    expect((await guest(api).get(publicPath(link)).expect(410)).body.code).toBe('gone');
    expect(
      (
        await guest(api)
          .get(`${publicPath(link)}/files`)
          .expect(410)
      ).body.code,
    ).toBe('gone');
    await ours.owner.client
      .patch(`/admin/roles/${role.role_id}`, { role_permissions: ['media:view', 'media:download', 'media:share'] })
      .expect(200);
    await guest(api).get(publicPath(link)).expect(200);
  });
});

describe('what visitors think of files', () => {
  it('is asked for where the link says so: approved or rejected, the last word of each counts', async () => {
    const link = await filesLink({ share_options: { ask_approval: true } });
    const [first] = await filesSeen(guest(api), link);
    const path = `${publicPath(link)}/files/${first?.public_id}/verdict`;
    await guest(api, 'a').post(path, { verdict: 'approved' }).expect(200);
    await guest(api, 'b').post(path, { verdict: 'approved', comment: 'Fine' }).expect(200);
    const changed = await guest(api, 'b').post(path, { verdict: 'rejected', comment: 'On second thought' }).expect(200);
    expect(changed.body).toMatchObject({ verdict: 'rejected', approved: 1, rejected: 1 });
    expect(await own(link)).toMatchObject({ share_approved_count: 1, share_rejected_count: 1 });
    await guest(api, 'a').post(path, { verdict: 'maybe' }).expect(400);
    const moving = await filesLink({
      share_options: { ask_approval: true, approved_status: 'approved', rejected_status: 'no such status' },
    });
    const [moved] = await filesSeen(guest(api), moving);
    await guest(api)
      .post(`${publicPath(moving)}/files/${moved?.public_id}/verdict`, { verdict: 'rejected' })
      .expect(200);
    expect((await ours.owner.client.get(`/files/${ids()[0]}`).expect(200)).body.file_status).toBe('active');
    await guest(api)
      .post(`${publicPath(moving)}/files/${moved?.public_id}/verdict`, { verdict: 'approved' })
      .expect(200);
    expect((await ours.owner.client.get(`/files/${ids()[0]}`).expect(200)).body.file_status).toBe('approved');
    const silent = await filesLink();
    const [other] = await filesSeen(guest(api), silent);
    await guest(api)
      .post(`${publicPath(silent)}/files/${other?.public_id}/verdict`, { verdict: 'approved' })
      .expect(403);
  });
});

describe('files that a status keeps in the house', () => {
  it('cannot be shared, and leave the links that show them', async () => {
    const house = await api.workspace();
    const [open, kept] = [await picture(house, 'open.jpg', 51), await picture(house, 'kept.jpg', 52)];
    const file_ids = [open.file_id, kept.file_id];
    const link = await shareLink(house.owner.client, { share_type: 'files', share_file_ids: file_ids });
    expect(await filesSeen(guest(api), link)).toHaveLength(2);
    await api.sql(
      `UPDATE media_status_flow SET msf_states = (SELECT jsonb_agg(CASE WHEN s ->> 'key' = 'archived' THEN s || '{"allows_share": false}' ELSE s END) FROM jsonb_array_elements(msf_states) s) WHERE tenant_id = $1`,
      [house.tenant_id],
    );
    await house.owner.client.post('/files/actions/status', { file_ids: [kept.file_id], file_status: 'archived' }).expect(200);
    expect((await filesSeen(guest(api), link)).map(({ name }) => name)).toEqual(['open.jpg']);
    const refused = await house.owner.client
      .post('/share-links', { share_name: 'x', share_type: 'files', share_file_ids: file_ids })
      .expect(409);
    expect(refused.body).toMatchObject({ code: 'invalid_state', errors: [expect.objectContaining({ path: 'share_file_ids[1]' })] });
  });
});

describe('a link to an album', () => {
  it('shows what the album holds at the time, in its order, and is gone with the album', async () => {
    const album = (await ours.owner.client.post('/albums', { album_name: 'Selection' }).expect(201)).body as { album_id: string };
    await ours.owner.client.post(`/albums/${album.album_id}/files`, { file_ids: [ids()[2], ids()[0]] }).expect(200);
    const link = await shareLink(ours.owner.client, { share_type: 'album', share_album_id: album.album_id });
    expect((await filesSeen(guest(api), link)).map(({ name }) => name)).toEqual(['harbour-3.jpg', 'harbour-1.jpg']);
    await ours.owner.client.post(`/albums/${album.album_id}/files`, { file_ids: [ids()[1]] }).expect(200);
    expect(await filesSeen(guest(api), link)).toHaveLength(3);
    expect((await ours.owner.client.get('/share-links?share_type=album').expect(200)).body.data[0]).toMatchObject({
      share_id: link.share_id,
      share_file_count: 3,
    });
    await ours.owner.client.delete(`/albums/${album.album_id}`).expect(204);
    await guest(api).get(publicPath(link)).expect(410);
    expect((await own(link)).share_state).toBe('broken');
    const foreign = (await theirs.owner.client.post('/albums', { album_name: 'Theirs' }).expect(201)).body as { album_id: string };
    expect(
      (await ours.owner.client.post('/share-links', { share_name: 'x', share_type: 'album', share_album_id: foreign.album_id }).expect(400))
        .body.errors[0].path,
    ).toBe('share_album_id');
  });
});
