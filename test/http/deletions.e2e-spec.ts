import { SystemClock } from '@atrium/platform/kernel';
import { openS3Store } from '@atrium/platform/storage';
import { FaceServer, StoryblokServer, StrictS3Server, type Client, type RunningApi } from '@atrium/platform/testing';
import request from 'supertest';
import { SignedIssuer } from '../identity/signed-issuer';
import { bearing, signIn } from '../identity/signing-in';
import { startAtrium } from '../support/api';
import { OPERATOR_TOKENS } from '../support/operating';
import { CREATIONS, type Ground } from './creating-routes';
import { ENDED_TWICE, GONE_TWICE, type Doomed } from './deletions-made';
import { ASKED_ELSEWHERE, DEACTIVATED, ENDED, GONE, LISTS, type Deactivated } from './deletions-table';

let faces: FaceServer;
let s3: StrictS3Server;
let storyblok: StoryblokServer;
let issuer: SignedIssuer;
let api: RunningApi;
let ground: Ground;
let client: Client;

beforeAll(async () => {
  [faces, s3, issuer, storyblok] = await Promise.all([
    FaceServer.start(),
    new StrictS3Server().start(),
    SignedIssuer.start(),
    StoryblokServer.start(),
  ]);
  api = await startAtrium({
    OPERATOR_TOKENS,
    OUTBOUND_ALLOW: '127.0.0.1',
    FACES_URL: faces.url,
    FACES_API_KEY: 'face-key',
    STORYBLOK_BASE: `${storyblok.url}/v1`,
  });
  const workspace = await api.workspace(['module-publication', 'module-documents', 'module-objects', 'module-social-post']);
  ({ client } = workspace.owner);
  const store = await openS3Store({
    endpoint: s3.endpoint,
    bucket: 'creations',
    pathStyle: true,
    credentials: s3.credentials,
    clock: new SystemClock(),
  });
  await store.prepare({ createBucket: true });
  await client.patch('/admin/settings', { ws_options: { faces_enabled: true } }).expect(200);
  const session = bearing(api, (await signIn(api, workspace.owner.email)).access_token, workspace.tenant_id);
  ground = { api, workspace, s3, issuer, storyblok, session };
}, 60_000);
afterAll(async () => {
  await api.close();
  await Promise.all([faces.stop(), s3.stop(), issuer.stop(), storyblok.stop()]);
});

/** A new resource; the place it is created at is that of the resource without its id. */
async function created(at: string, by: Client = client): Promise<string> {
  const route = at.replace(/\/\{\w+\}$/, '');
  const { ids = [], body } = (await CREATIONS[`POST ${route}`]?.(ground)) ?? {};
  if (!body) throw new Error(`Nothing creates ${at}.`);
  const url = ids.reduce((left, id) => left.replace(/\{\w+\}/, id), route);
  const made = await by.post(url, body);
  expect([201, 202]).toContain(made.status);
  return String(made.headers['location']).replace('/api/v1', '');
}

/** What the outbox and the audit trail say of a resource. */
async function recorded(at: string): Promise<unknown> {
  const id = at.split('/').find((part) => /^[0-9a-f-]{36}$/.test(part) && at.endsWith(part)) ?? at;
  const [counts] = await api.sql(
    `SELECT (SELECT count(*)::int FROM outbox WHERE tenant_id = $1 AND ev_subject::text = $2) AS events,
            (SELECT count(*)::int FROM audit_event WHERE tenant_id = $1 AND aud_target_id::text = $2) AS audited`,
    [ground.workspace.tenant_id, id],
  );
  return counts;
}

/** All that can be seen of a resource, and all that was recorded of it. */
async function seen(by: Client, self: string): Promise<unknown> {
  const { body, headers } = await by.get(self).expect(200);
  return { body: body as unknown, etag: headers['etag'], recorded: await recorded(self) };
}

describe('a resource that is deleted by its flag', () => {
  const resources = Object.entries(DEACTIVATED);

  async function deleted(
    at: string,
    { flag }: Deactivated,
  ): Promise<{ readonly self: string; readonly before: string; readonly etag: string }> {
    const self = await created(at);
    const before = String((await client.get(self).expect(200)).headers['etag']);
    await client.delete(self).expect(204);
    const read = await client.get(self).expect(200);
    expect(read.body).toMatchObject({ [flag]: false });
    return { self, before, etag: String(read.headers['etag']) };
  }

  it.each(resources)('%s is read and listed as deleted', async (at, resource) => {
    const { self } = await deleted(at, resource);
    const [list = '', id] = /^(.*)\/([^/]+)$/.exec(self)?.slice(1) ?? [];
    const listed = async (query: string): Promise<boolean> =>
      JSON.stringify((await client.get(`${list}${query}`).expect(200)).body).includes(String(id));
    expect([await listed(''), await listed(`?${resource.flag}=false`)]).toEqual([false, true]);
  });

  it.each(resources)('%s can be deleted again, which changes nothing', async (at, resource) => {
    const { self, before, etag } = await deleted(at, resource);
    const once = await seen(client, self);
    await client.delete(self).expect(204);
    await client.with({ 'If-Match': etag }).delete(self).expect(204);
    await client.with({ 'If-Match': before }).delete(self).expect(412);
    expect(await seen(client, self)).toEqual(once);
  });

  it.each(resources)('%s is not changed until it is restored', async (at, resource) => {
    const { flag, restored, change } = resource;
    const { self } = await deleted(at, resource);
    const once = await seen(client, self);
    const wishes = restored === 'change' ? [change, { [flag]: false }] : [change];
    for (const wish of wishes) {
      const refused = await client.patch(self, wish).expect(409);
      expect(refused.body).toMatchObject({ code: 'invalid_state', detail: expect.stringContaining('was deleted') as string });
    }
    expect(await seen(client, self)).toEqual(once);
  });

  it.each(resources.flatMap(([at, resource]) => (resource.write ? [[at, resource, resource.write] as const] : [])))(
    '%s takes nothing in until it is restored',
    async (at, resource, write) => {
      const { self } = await deleted(at, resource);
      const refused = await client.post(`${self}/${write.at}`, write.body);
      expect([refused.status, (refused.body as { code: string }).code]).toEqual(
        refused.status === 404 ? [404, 'not_found'] : [409, 'invalid_state'],
      );
    },
  );

  it.each(resources.filter(([, { restored }]) => restored === 'change'))('%s is restored and changed in one', async (at, resource) => {
    const { flag, change } = resource;
    const { self } = await deleted(at, resource);
    const wish = { [flag]: true, ...change };
    expect((await client.patch(self, wish).expect(200)).body).toMatchObject(wish);
    await client.patch(self, change).expect(200);
  });

  it.each(resources.filter(([, { restored }]) => restored === 'action'))(
    '%s is restored by a request of its own, once',
    async (at, resource) => {
      const { self } = await deleted(at, resource);
      expect((await client.post(`${self}/restore`, {}).expect(200)).body).toMatchObject({ [resource.flag]: true });
      expect((await client.post(`${self}/restore`, {}).expect(409)).body).toMatchObject({ code: 'invalid_state' });
    },
  );
});

describe('a change that deletes', () => {
  it('needs the permission that DELETE needs', async () => {
    const { paths } = (await request(api.url).get('/openapi.json').expect(200)).body as {
      readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly 'x-permissions': Permissions }>>>>;
    };
    type Permissions = Readonly<Partial<Record<'any' | 'all', readonly string[]>>>;
    const answers: Record<string, readonly number[]> = {};
    for (const [at, { flag, restored }] of Object.entries(DEACTIVATED)) {
      const { patch, delete: deletion } = paths[`/api/v1${at}`] ?? {};
      const [edit, remove] = [patch, deletion].map((operation) => Object.values(operation?.['x-permissions'] ?? {}).flat());
      if (restored !== 'change' || JSON.stringify(edit) === JSON.stringify(remove)) continue;
      const editor = (await ground.workspace.member('owner', edit)).client;
      const self = await created(at);
      answers[at] = [(await editor.patch(self, { [flag]: false })).status, (await editor.delete(self)).status];
      expect((await client.patch(self, { [flag]: false }).expect(200)).body).toMatchObject({ [flag]: false });
    }
    expect(answers).toEqual({
      '/agents/{id}': [403, 403],
      '/prompts/{id}': [403, 403],
      '/social-posts/{id}': [403, 403],
      '/wildcards/{id}': [403, 403],
    });
  });
});

describe('a resource that ends', () => {
  it.each(Object.entries(ENDED))('%s shows its end, and ending it again changes nothing', async (at, end) => {
    const by = at.startsWith('/me/') ? ground.session : client;
    const self = await created(at, by);
    await by.delete(self).expect(204);
    expect((await by.get(self).expect(200)).body).toMatchObject(end);
    const once = await seen(by, self);
    await by.delete(self).expect(204);
    expect(await seen(by, self)).toEqual(once);
  });

  it.each(Object.entries(ENDED_TWICE))('%s can be ended again, which changes nothing', async (_, make) => {
    const doomed = await make(ground);
    await remove(doomed).expect(204);
    const { by, at, read } = doomed;
    const state = (): Promise<unknown> => (read === undefined ? recorded(at) : seen(by, read));
    const once = await state();
    await remove(doomed).expect(204);
    expect(await state()).toEqual(once);
  });
});

const remove = ({ by, at, body }: Doomed) => by.delete(at, body);

describe('a resource that is gone', () => {
  it.each(GONE.map((at) => [at]))('%s is found neither by a read nor by a second deletion', async (at) => {
    const self = await created(at);
    await client.delete(self).expect(204);
    await client.get(self).expect(404);
    await client.delete(self).expect(404);
  });

  it.each(Object.entries(GONE_TWICE))('%s is not found by a second deletion', async (_, make) => {
    const doomed = await make(ground);
    await remove(doomed).expect(204);
    if (doomed.read !== undefined) await doomed.by.get(doomed.read).expect(404);
    const once = await recorded(doomed.at);
    await remove(doomed).expect(404);
    expect(await recorded(doomed.at)).toEqual(once);
  });
});

describe('the reference', () => {
  interface Operation {
    readonly responses: Readonly<Record<string, { readonly description: string }>>;
  }

  it('has every DELETE under one of the kinds, and says which of them can be repeated', async () => {
    const { paths } = (await request(api.url).get('/openapi.json').expect(200)).body as {
      readonly paths: Readonly<Record<string, { readonly delete?: Operation }>>;
    };
    const deletions = Object.entries(paths).flatMap(([path, { delete: deletion }]) =>
      deletion && path.startsWith('/api/v1/') ? [{ at: path.replace('/api/v1', ''), deletion }] : [],
    );
    const stays = [DEACTIVATED, ENDED, ENDED_TWICE].flatMap(Object.keys).concat(ASKED_ELSEWHERE.ended);
    const goes = [...GONE, ...Object.keys(GONE_TWICE), ...LISTS, ...ASKED_ELSEWHERE.gone];
    expect(deletions.map(({ at }) => at).sort()).toEqual([...stays, ...goes, ...ASKED_ELSEWHERE.either].sort());
    // Jobs are returned as they are, with 200.
    const repeated = deletions.filter(
      ({ deletion: { responses } }) => responses['200'] !== undefined || responses['204']?.description.includes('returns 204 as well'),
    );
    const names = repeated.map(({ at }) => at);
    expect(stays.filter((at) => !names.includes(at))).toEqual([]);
    expect(deletions.filter(({ at, deletion }) => goes.includes(at) && deletion.responses['204']?.description.includes('as well'))).toEqual(
      [],
    );
  });
});
