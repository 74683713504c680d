import { newId } from '@atrium/platform/kernel';
import type { Client, RunningApi, TestWorkspace } from '@atrium/platform/testing';
import request from 'supertest';
import { ADMIN, MINE } from '../governance/asking-for-data';
import { storeFile } from '../files/stored-files';
import { MEDIA, openUpload } from '../files/uploading';
import { guest, publicPath, shareLink } from '../distribution/sharing';
import { bearing, signedInMember, signIn } from '../identity/signing-in';
import { sharedAtrium } from '../support/shared-atrium';

interface Answered {
  readonly headers?: Readonly<Record<string, object>>;
}

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly responses: Readonly<Record<string, Answered>>;
}

type Described = { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> };

/** Operations at the path of a list: they name its members, and what they take away cannot be taken away twice. */
const OF_LISTS = [
  'delete /api/v1/admin/roles/{id}/users', // Takes the named people out of a role; others who were added in the meantime stay.
  'delete /api/v1/albums/{id}/files', // Takes the named files out of an album; others who were added in the meantime stay.
  'delete /api/v1/knowledge-bases/{id}/files', // Takes the named links out of a base; others that were added in the meantime stay.
  'delete /api/v1/me/sessions', // Ends one's own other sessions, those most of all that began since one looked.
  'delete /api/v1/memories', // Forgets all that agents remember of oneself.
  'delete /api/v1/sites/{id}/cms', // Removes the connection of a site as it is; its read shows what the CMS and runs change by themselves.
  'put /api/v1/sites/{id}/cms/automation', // Sets switches, each by itself; what is left out stays.
];

let api: RunningApi;
let ours: TestWorkspace;
let owner: Client;

beforeAll(async () => {
  api = await sharedAtrium();
  ours = await api.workspace();
  owner = ours.owner.client;
});
afterAll(() => api.close());

const etagOf = async (client: Client, path: string): Promise<string> => {
  const { headers } = await client.get(path).expect(200);
  expect(headers.etag).toMatch(/^"\d{1,15}"$/);
  return headers.etag as string;
};

const matching = (client: Client, etag: string): Client => client.with({ 'If-Match': etag });

describe('the description of the service', () => {
  it('gives every resource that can be changed or removed an ETag, and its changes a condition', async () => {
    const { paths } = (await request(api.url).get('/openapi.json').expect(200)).body as Described;
    const changes = Object.entries(paths).flatMap(([path, { get, ...others }]) =>
      get
        ? ['put', 'patch', 'delete'].flatMap((method) =>
            others[method] ? [{ name: `${method} ${path}`, read: get, change: others[method] }] : [],
          )
        : [],
    );
    expect(changes.length).toBeGreaterThan(50);
    const unguarded = changes.filter(({ read, change }) => {
      const takesCondition =
        change.parameters?.some(({ name, in: where }) => name === 'If-Match' && where === 'header') && '412' in change.responses;
      return !takesCondition || !Object.entries(read.responses).some(([status, { headers }]) => status === '200' && headers?.ETag);
    });
    expect(unguarded.map(({ name }) => name).sort()).toEqual(OF_LISTS);
  });
});

describe('a resource that is changed', () => {
  const restriction = async (): Promise<string> =>
    (
      (
        await owner
          .post('/distribution/restrictions', { dr_name: `Rule ${newId()}`, dr_kind: 'ip', dr_effect: 'deny', dr_values: ['10.0.0.0/8'] })
          .expect(201)
      ).body as { dr_id: string }
    ).dr_id;

  it.each([
    {
      path: '/admin/credits',
      method: 'patch' as const,
      body: () => ({ credit_low_percent: 30 }),
      again: () => ({ credit_low_percent: 31 }),
    },
    {
      path: '/admin/storage',
      method: 'patch' as const,
      body: () => ({ quota_warn_percent: 70 }),
      again: () => ({ quota_user_bytes: 5_000_000_000 }),
    },
    { path: '/admin/retention', method: 'patch' as const, body: () => ({ trash: 31 }), again: () => ({ exports: 8 }) },
    {
      path: '/distribution/baseline',
      method: 'put' as const,
      body: async () => ({ restriction_ids: [await restriction()] }),
      again: async () => ({ restriction_ids: [await restriction()] }),
    },
  ])('$path is changed under the ETag of its read, not under an old one', async ({ path, method, body, again }) => {
    const first = await etagOf(owner, path);
    const changed = await matching(owner, first)
      [method](path, await body())
      .expect(200);
    expect(changed.headers.etag).not.toBe(first);
    expect(changed.body).not.toHaveProperty('row_version');
    const second = await etagOf(owner, path);
    expect(second).toBe(changed.headers.etag);
    const stale = await matching(owner, first)
      [method](path, await again())
      .expect(412);
    expect(stale.body).toMatchObject({ code: 'precondition_failed' });
    expect(await etagOf(owner, path)).toBe(second);
    await matching(owner, 'yesterday')
      [method](path, await again())
      .expect(412);
    expect(
      (
        await matching(owner, `${first}, ${second}`)
          [method](path, await again())
          .expect(200)
      ).headers.etag,
    ).not.toBe(second);
    await matching(owner, '*')
      [method](path, await body())
      .expect(200);
  });

  it('/me is changed under the ETag of its read, not under an old one', async () => {
    const me = bearing(api, (await signIn(api, ours.owner.email)).access_token, ours.tenant_id);
    const first = await etagOf(me, '/me');
    const changed = await matching(me, first).patch('/me', { user_title: 'Harbour master' }).expect(200);
    expect(changed.body).not.toHaveProperty('row_version');
    expect(await etagOf(me, '/me')).toBe(changed.headers.etag);
    expect(changed.headers.etag).not.toBe(first);
    await matching(me, first).patch('/me', { user_title: 'Pilot' }).expect(412);
    await matching(me, 'W/"1"').patch('/me', { user_title: 'Pilot' }).expect(412);
    expect((await me.get('/me').expect(200)).body).toMatchObject({ user: { user_title: 'Harbour master' } });
  });

  it('is changed by one of several who read the same', async () => {
    const rules = await Promise.all(Array.from({ length: 6 }, restriction));
    const baseline = await etagOf(owner, '/distribution/baseline');
    const retention = await etagOf(owner, '/admin/retention');
    const credits = await etagOf(owner, '/admin/credits');
    const storage = await etagOf(owner, '/admin/storage');
    const won = async (calls: readonly PromiseLike<{ readonly status: number }>[]): Promise<number[]> =>
      (await Promise.all(calls)).map(({ status }) => status).sort();
    const once = [200, 412, 412, 412, 412, 412];
    expect(await won(rules.map((dr_id) => matching(owner, baseline).put('/distribution/baseline', { restriction_ids: [dr_id] })))).toEqual(
      once,
    );
    expect(
      await won(
        rules.map((_, at) => matching(owner, retention).patch('/admin/retention', at % 2 ? { trash: 40 + at } : { exports: 10 + at })),
      ),
    ).toEqual(once);
    expect(await won(rules.map((_, at) => matching(owner, credits).patch('/admin/credits', { credit_low_percent: 50 + at })))).toEqual(
      once,
    );
    expect(await won(rules.map((_, at) => matching(owner, storage).patch('/admin/storage', { quota_warn_percent: 50 + at })))).toEqual(
      once,
    );
  });

  it('keeps its ETag while what it merely shows moves, and is shown in full to who has that ETag', async () => {
    const before = await etagOf(owner, '/admin/storage');
    const { quota_reserved } = (await owner.get('/admin/storage').expect(200)).body as { quota_reserved: number };
    await openUpload(owner, { file_name: 'harbour.bin', file_size: 2_000 });
    const after = await owner.with({ 'If-None-Match': before }).get('/admin/storage').expect(200);
    expect(after.headers.etag).toBe(before);
    expect((after.body as { quota_reserved: number }).quota_reserved).toBe(quota_reserved + 2_000);
  });
});

describe('work that is given up', () => {
  it.each([
    {
      what: 'a download job',
      base: '/download-jobs',
      start: async () => ({
        file_ids: [(await storeFile(api, ours, { name: 'a.txt', kind: 'other', type: 'text/plain', bytes: Buffer.from('a') })).file_id],
      }),
      at: '/download-jobs',
      status: 200,
    },
    { what: 'a file job', base: '/file-jobs', start: () => ({ repo_type: 'media' }), at: '/files/actions/reindex', status: 204 },
    {
      what: 'a background job',
      base: '/jobs',
      start: async () => ({ to_user: ours.owner.user_id, from: (await ours.member('editor')).user_id }),
      at: '/admin/users/{from}/transfer',
      status: 200,
    },
  ])('$what is cancelled under its ETag, which changes with its state', async ({ base, start, at, status }) => {
    const { from, ...body } = (await start()) as { from?: string };
    const { job_id } = (await owner.post(at.replace('{from}', from ?? ''), body).expect(202)).body as { job_id: string };
    const path = `${base}/${job_id}`;
    const first = await etagOf(owner, path);
    await matching(owner, '"1"').delete(path).expect(412);
    await matching(owner, 'W/"1"').delete(path).expect(412);
    expect(await etagOf(owner, path)).toBe(first);
    await matching(owner, first).delete(path).expect(status);
    const second = await etagOf(owner, path);
    expect(second).not.toBe(first);
    await matching(owner, first).delete(path).expect(412);
    const ended = await matching(owner, second).delete(path).expect(200);
    expect(ended.body).toMatchObject({ job_id, status: 'cancelled' });
    expect(ended.body).not.toHaveProperty('row_version');
  });

  it('an upload is aborted under its ETag, which changes when it is prolonged', async () => {
    await abortsUnderEtag(owner, '/uploads', { file_repo: MEDIA });
  });

  it('is as if it were not there to others, whatever they send', async () => {
    const { upl_id } = await openUpload(owner, { file_name: 'x.txt', file_size: 1 });
    const { client } = await ours.member('editor');
    await matching(client, '"999"').delete(`/uploads/${upl_id}`).expect(404);
    await matching((await api.workspace()).owner.client, '"999"')
      .delete(`/uploads/${upl_id}`)
      .expect(404);
  });

  it('an upload of a guest is aborted under its ETag, by a link and at a kiosk', async () => {
    const link = await shareLink(owner, { share_type: 'upload' });
    await abortsUnderEtag(guest(api), `${publicPath(link)}/uploads`);
    const kiosk = await shareLink(owner, { share_type: 'upload', share_password: 'open sesame' });
    const path = `/public/kiosk/${kiosk.share_id}`;
    const { device_token } = (await guest(api).post(`${path}/activate`, { password: 'open sesame' }).expect(200)).body as {
      device_token: string;
    };
    await abortsUnderEtag(guest(api).with({ Authorization: `Bearer ${device_token}` }), `${path}/uploads`);
  });

  it('a privacy request is withdrawn under its ETag', async () => {
    const { client: me } = await signedInMember(api, ours, 'editor');
    const { dsr_id } = (await me.post(MINE, { dsr_kind: 'erasure' }).expect(202)).body as { dsr_id: string };
    const first = await etagOf(me, `${MINE}/${dsr_id}`);
    await owner.post(`${ADMIN}/${dsr_id}/approve`).expect(200);
    await matching(me, first).delete(`${MINE}/${dsr_id}`).expect(412);
    await matching(me, 'soon').delete(`${MINE}/${dsr_id}`).expect(412);
    await matching(me, await etagOf(me, `${MINE}/${dsr_id}`))
      .delete(`${MINE}/${dsr_id}`)
      .expect(204);
  });
});

async function abortsUnderEtag(client: Client, base: string, more: object = {}): Promise<void> {
  const opened = await client.post(base, { ...more, file_name: 'large.bin', file_size: 6 * 1024 * 1024, upl_multipart: true }).expect(201);
  const visit = opened.headers['x-visit'];
  const sender = visit ? client.with({ 'X-Visit': visit }) : client;
  const path = `${base}/${(opened.body as { upl_id: string }).upl_id}`;
  const first = await etagOf(sender, path);
  await sender.post(`${path}/parts`, { parts: [1] }).expect(200);
  expect(await etagOf(sender, path)).not.toBe(first);
  await matching(sender, first).delete(path).expect(412);
  await matching(sender, '7').delete(path).expect(412);
  await matching(sender, await etagOf(sender, path))
    .delete(path)
    .expect(204);
  expect((await sender.get(path).expect(200)).body).toMatchObject({ upl_state: 'aborted' });
}
