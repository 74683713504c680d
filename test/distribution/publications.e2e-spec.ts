import { newId } from '@atrium/platform/kernel';
import { ObjectStore } from '@atrium/platform/storage';
import { eventually, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import sharp from 'sharp';
import { storeFile } from '../files/stored-files';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { copied, publicationOf, publish, published, refusalAt, statusAt, visit, visitFrom } from './publishing';

let api: RunningApi;
let ours: TestWorkspace;
let png: Buffer;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
  ours = await api.workspace(['module-publication']);
  png = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#2266aa' } })
    .png()
    .toBuffer();
}, 60_000);
afterAll(() => api.close());

const picture = async (name = 'harbour.png'): Promise<string> =>
  (await storeFile(api, ours, { name, type: 'image/png', kind: 'image', bytes: Buffer.concat([png, Buffer.from(newId())]) })).file_id;

const note = async (content = `first ${newId()}`): Promise<string> =>
  (await storeFile(api, ours, { name: 'Note.txt', bytes: Buffer.from(content) })).file_id;

/** Every public copy of the workspace, with the moment it was made. */
async function publicObjects(): Promise<Map<string, number>> {
  const objects = new Map<string, number>();
  for await (const { key, modified } of api.app.get(ObjectStore, { strict: false }).list(`pub/${ours.tenant_id}/`))
    objects.set(key, modified.getTime());
  return objects;
}

const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1_000).toISOString();

describe('publishing a file', () => {
  it('[distribution 9] mints a permanent address that serves equal bytes, with ETag, 304 and ranges; it takes the licence and nine permissions together', async () => {
    const bytes = Buffer.concat([png, Buffer.from(newId())]);
    const { file_id, hash } = await storeFile(api, ours, { name: 'Häfen am Abend.PNG', type: 'image/png', kind: 'image', bytes });
    const { body: rule } = await ours.owner.client
      .post('/distribution/restrictions', {
        dr_name: `Base ${newId()}`,
        dr_kind: 'territory',
        dr_effect: 'deny',
        dr_values: ['KP'],
        dr_baseline: true,
      })
      .expect(201);
    await ours.owner.client.patch('/admin/settings', { ws_options: { unknown_territory: 'allow' } }).expect(200);
    const answer = await ours.owner.client.post(`/files/${file_id}/publication`, { distribution: 'worldwide' }).expect(201);
    expect(answer.body).toMatchObject({
      pub_file: file_id,
      pub_state: 'published',
      pub_version: 1,
      pub_name: 'hafen-am-abend.png',
      pub_distribution: 'worldwide',
      pub_stale: false,
      pub_file_name: 'Häfen am Abend.PNG',
    });
    expect(answer.body.pub_url).toMatch(/\/p\/[1-9A-HJ-NP-Za-km-z]{16}\/hafen-am-abend\.png$/);
    expect(answer.headers.location).toBe(`/api/v1/publications/${answer.body.pub_id}`);

    const ready = await copied(ours.owner.client, file_id);
    expect(ready).toMatchObject({
      pub_error: null,
      pub_copy_state: 'ready',
      pub_hash: hash,
      pub_size: bytes.length,
      pub_content_type: 'image/png',
      pub_baseline: [{ dr_name: rule.dr_name, dr_values: ['KP'] }],
    });
    const whole = await eventually(
      () => visit(ready.pub_url),
      ({ status }) => status === 200,
    );
    expect(Buffer.from(await whole.arrayBuffer())).toEqual(bytes);
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      etag: `"${hash}"`,
      'content-type': 'image/png',
      'content-length': String(bytes.length),
      'accept-ranges': 'bytes',
      'cache-control': 'public, max-age=300, stale-while-revalidate=60',
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*',
      'content-disposition': 'inline; filename="hafen-am-abend.png"',
      'last-modified': expect.stringMatching(/GMT$/),
    });
    expect(whole.headers.get('vary')).toBeNull();
    expect(await statusAt(ready.pub_url, { 'if-none-match': `"${hash}"` })).toBe(304);
    const part = await visit(ready.pub_url, { range: 'bytes=8-15' });
    expect(part.status).toBe(206);
    expect(part.headers.get('content-range')).toBe(`bytes 8-15/${bytes.length}`);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(8, 16));
    const head = await fetch(ready.pub_url, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes.length)]);
    expect((await visit(`${ready.pub_url}?download`)).headers.get('content-disposition')).toBe('attachment; filename="hafen-am-abend.png"');

    const nine = [
      'media:publish',
      'media:edit',
      'document:edit',
      'knowledge-base:write',
      'thread:edit',
      'design:edit',
      'prompt:edit',
      'presentation:edit',
      'task:form:edit',
    ] as const;
    for (const missing of nine) {
      const almost = await ours.member('owner', ['media:view', ...nine.filter((permission) => permission !== missing)]);
      const denied = await almost.client.post(`/files/${file_id}/publication`, { distribution: 'worldwide' }).expect(403);
      expect(denied.body).toMatchObject({ code: 'permission_denied', detail: expect.stringContaining(missing) });
    }
    const able = await ours.member('owner', ['media:view', ...nine]);
    await able.client.post(`/files/${file_id}/publication`, { distribution: 'worldwide' }).expect(200);

    const unlicensed = await api.workspace();
    const foreign = await storeFile(api, unlicensed);
    expect(
      (await unlicensed.owner.client.post(`/files/${foreign.file_id}/publication`, { distribution: 'worldwide' }).expect(403)).body,
    ).toMatchObject({ code: 'license_required', detail: expect.stringContaining('module-publication') });
    await ours.owner.client.delete(`/distribution/restrictions/${rule.dr_id}`).expect(204);
    await ours.owner.client.patch('/admin/settings', { ws_options: { unknown_territory: null } }).expect(200);
  });

  it('[distribution 10] says when it is stale, serves the old bytes until the new version is released at the same address, and copies nothing for rules alone', async () => {
    const client = ours.owner.client;
    const file_id = await note();
    const first = await published(client, file_id);
    const old = await (await visit(first.pub_url)).text();
    await client.put(`/files/${file_id}/content`, { content: 'second' }).expect(200);
    await eventually(
      () => client.get(`/files/${file_id}`),
      ({ body }) => body.file_processing === 'ready',
      60_000,
    );
    expect(await publicationOf(client, file_id)).toMatchObject({ pub_stale: true, pub_version: 1, pub_hash: first.pub_hash });
    expect(await (await visit(first.pub_url)).text()).toBe(old);
    expect(
      (await client.get('/publications?pub_stale=true').expect(200)).body.data.map(({ pub_file }: { pub_file: string }) => pub_file),
    ).toEqual([file_id]);

    const again = await publish(client, file_id, { distribution: 'worldwide' }, 200);
    expect(again.pub_url).toBe(first.pub_url);
    const second = await eventually(
      () => publicationOf(client, file_id),
      ({ pub_version }) => pub_version === 2,
      60_000,
    );
    expect(second).toMatchObject({ pub_stale: false, pub_copy_state: 'ready' });
    expect(
      await eventually(
        async () => (await visit(first.pub_url)).text(),
        (body) => body === 'second',
      ),
    ).toBe('second');
    const objects = await eventually(
      publicObjects,
      (found) => [...found.keys()].filter((key) => key.includes(`/${second.pub_hash}-`)).length === 1,
    );

    await publish(client, file_id, { distribution: 'restricted', deny: ['FR'] }, 200);
    expect(await publicationOf(client, file_id)).toMatchObject({ pub_copy_state: 'ready', pub_version: 2, pub_deny: ['FR'] });
    expect(await statusAt(first.pub_url, { 'X-Country': 'FR' })).toBe(403);
    expect(await statusAt(first.pub_url, { 'X-Country': 'DE' })).toBe(200);
    expect(await publicObjects()).toEqual(objects);
  });

  it('[distribution 11] answers 410 once it was taken back, 404 for what never was, and lives again at the same address', async () => {
    const client = ours.owner.client;
    const file_id = await picture();
    const { pub_url } = await published(client, file_id);
    await client.delete(`/files/${file_id}/publication`).expect(204);
    expect(await refusalAt(pub_url)).toEqual({ status: 410, code: 'gone', cache: 'public, max-age=60' });
    await client.delete(`/files/${file_id}/publication`).expect(204);
    expect(await refusalAt(pub_url.replace(/\/p\/[^/]+/, '/p/1111111111111111'))).toEqual({
      status: 404,
      code: 'not_found',
      cache: 'no-store',
    });
    expect(await refusalAt(`${pub_url}x`)).toMatchObject({ status: 404 });
    const prefix = `pub/${ours.tenant_id}/${Buffer.from(pub_url.split('/p/')[1]?.split('/')[0] ?? '').toString('hex')}/`;
    await eventually(publicObjects, (found) => ![...found.keys()].some((key) => key.startsWith(prefix)));

    const again = await publish(client, file_id, { distribution: 'worldwide' }, 200);
    expect(again).toMatchObject({ pub_state: 'published', pub_url, pub_revoked_reason: null });
    expect(
      await eventually(
        () => statusAt(pub_url),
        (status) => status === 200,
      ),
    ).toBe(200);
    const history = (await client.get(`/publications/${again.pub_id}/history`).expect(200)).body.data as {
      ph_action: string;
      ph_edges: { edge: string; confirmed_at: string }[];
    }[];
    expect(history.map(({ ph_action }) => ph_action)).toEqual(['published', 'revoked', 'published']);
    const proof = await eventually(
      async () =>
        (await client.get(`/publications/${again.pub_id}/history`)).body.data[1].ph_edges as { edge: string; confirmed_at: string }[],
      (edges) => edges.length > 0,
    );
    expect(proof).toEqual([{ edge: 'embedded', confirmed_at: expect.stringMatching(/^\d{4}-.*Z$/) }]);
  });

  it('[distribution 12] opens and closes by itself at the stated moments; trash revokes and a restore does not bring it back', async () => {
    const client = ours.owner.client;
    const [early, ending, trashed] = [await picture(), await picture(), await picture()];
    const scheduled = await publish(client, early, { distribution: 'worldwide', start: inSeconds(3) });
    expect(scheduled).toMatchObject({ pub_state: 'scheduled' });
    expect(await refusalAt(scheduled.pub_url)).toMatchObject({ status: 404, code: 'not_found' });
    const closing = await publish(client, ending, { distribution: 'worldwide', end: inSeconds(3) });
    const gone = await published(client, trashed);
    await client.delete(`/files/${trashed}`).expect(204);
    expect(await refusalAt(gone.pub_url)).toMatchObject({ status: 410 });
    await client.post(`/files/${trashed}/restore`).expect(200);
    expect(await publicationOf(client, trashed)).toMatchObject({ pub_state: 'revoked', pub_revoked_reason: 'trashed' });
    expect(await refusalAt(gone.pub_url)).toMatchObject({ status: 410 });

    expect(
      await eventually(
        () => statusAt(scheduled.pub_url),
        (status) => status === 200,
        10_000,
      ),
    ).toBe(200);
    expect(
      await eventually(
        () => statusAt(closing.pub_url),
        (status) => status === 410,
        10_000,
      ),
    ).toBe(410);
    await eventually(
      () => publicationOf(client, early),
      ({ pub_state }) => pub_state === 'published',
      40_000,
    );
    expect(
      await eventually(
        () => publicationOf(client, ending),
        ({ pub_state }) => pub_state === 'revoked',
        40_000,
      ),
    ).toMatchObject({ pub_revoked_reason: 'expired' });
  }, 60_000);

  it('[distribution 13] refuses by territory, host and address, believes the country of trusted proxies alone, and refuses whom nobody knows', async () => {
    const client = ours.owner.client;
    const file_id = await picture();
    const { pub_url } = await published(client, file_id, { distribution: 'restricted', deny: ['FR', 'host:evil.example'] });
    expect(await refusalAt(pub_url, { 'X-Country': 'FR' })).toMatchObject({
      status: 403,
      code: 'permission_denied',
      reason: 'territory',
      cache: 'no-store',
    });
    const good = await visit(pub_url, { 'X-Country': 'DE' });
    // What would be no bytes, or some of them, is refused like all of them.
    const fewer: readonly Record<string, string>[] = [{ 'If-None-Match': good.headers.get('etag') ?? '' }, { Range: 'bytes=0-1' }];
    for (const headers of fewer)
      expect(await refusalAt(pub_url, { 'X-Country': 'FR', ...headers })).toMatchObject({ status: 403, reason: 'territory' });
    expect((await fetch(pub_url, { method: 'HEAD', headers: { 'X-Country': 'FR' } })).status).toBe(403);
    expect([good.status, good.headers.get('vary'), good.headers.get('cache-control')]).toEqual([
      200,
      'Referer',
      'public, max-age=0, must-revalidate',
    ]);
    for (const referer of ['https://evil.example/page', 'https://shop.evil.example/'])
      expect(await refusalAt(pub_url, { 'X-Country': 'DE', Referer: referer })).toMatchObject({ status: 403, reason: 'host' });
    expect(await statusAt(pub_url, { 'X-Country': 'DE', Referer: 'https://notevil.example/' })).toBe(200);
    expect(await visitFrom('127.0.0.2', pub_url, { 'X-Country': 'DE', 'X-Forwarded-For': '203.0.113.9' })).toMatchObject({
      status: 403,
      body: { reason: 'territory' },
    });
    expect(await refusalAt(pub_url)).toMatchObject({ status: 403, reason: 'territory' });
    await client.patch('/admin/settings', { ws_options: { unknown_territory: 'allow' } }).expect(200);
    expect(
      await eventually(
        () => statusAt(pub_url),
        (status) => status === 200,
        15_000,
      ),
    ).toBe(200);
    await client.patch('/admin/settings', { ws_options: { unknown_territory: null } }).expect(200);
  }, 60_000);

  it('answers two who publish at once with one address and makes one copy', async () => {
    const client = ours.owner.client;
    const file_id = await picture();
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, at) =>
        client.post(`/files/${file_id}/publication`, { distribution: 'restricted', deny: [at % 2 ? 'FR' : 'DE'] }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 201]);
    expect(new Set(answers.map(({ body }) => body.pub_url)).size).toBe(1);
    const { pub_url } = await copied(client, file_id);
    const prefix = Buffer.from(pub_url.split('/p/')[1]?.split('/')[0] ?? '').toString('hex');
    expect([...(await publicObjects()).keys()].filter((key) => key.includes(prefix))).toHaveLength(1);
  });

  it('refuses what is not in order, entry by entry, and files that cannot be public', async () => {
    const client = ours.owner.client;
    const file_id = await picture();
    const refused = async (order: object, ...paths: string[]): Promise<void> => {
      const { body } = await client.post(`/files/${file_id}/publication`, order).expect(400);
      expect(body.errors.map(({ path }: { path: string }) => path)).toEqual(paths);
    };
    await refused({ distribution: 'restricted', deny: ['XX', 'FR', 'host:*', 'ip:0.0.0.0/33'] }, 'deny[0]', 'deny[2]', 'deny[3]');
    await refused({ distribution: 'restricted', deny: Array.from({ length: 301 }, () => 'FR') }, 'deny');
    await refused({ distribution: 'worldwide', deny: ['FR'] }, 'distribution');
    await refused({ distribution: 'restricted' }, 'distribution');
    await refused({ distribution: 'worldwide', end: inSeconds(-1) }, 'end');
    await refused({ distribution: 'worldwide', start: inSeconds(60), end: inSeconds(30) }, 'end');
    await refused({ distribution: 'restricted', restrictions: [newId()] }, 'restrictions[0]');
    await refused({ distribution: 'restricted', deny: ['FR'], restricts: [] }, 'restricts');
    await client.post(`/files/${newId()}/publication`, { distribution: 'worldwide' }).expect(404);
    for (const processing of ['pending', 'quarantined'] as const) {
      const { file_id: other } = await storeFile(api, ours, { processing });
      expect((await client.post(`/files/${other}/publication`, { distribution: 'worldwide' }).expect(409)).body.code).toBe('invalid_state');
    }
    const trashed = await note();
    await client.delete(`/files/${trashed}`).expect(204);
    expect((await client.post(`/files/${trashed}/publication`, { distribution: 'worldwide' }).expect(409)).body.code).toBe('invalid_state');
    await client.post(`/files/${file_id}/publication/retry`).expect(404);
    await published(client, file_id);
    expect((await client.post(`/files/${file_id}/publication/retry`).expect(409)).body.code).toBe('invalid_state');
  });

  it('sends several ranges as the whole, refuses those beyond the bytes and other methods, and attaches what could run', async () => {
    const { pub_url } = await published(ours.owner.client, await picture());
    expect(await statusAt(pub_url, { range: 'bytes=0-1,4-5' })).toBe(200);
    const beyond = await visit(pub_url, { range: 'bytes=999999999-' });
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, expect.stringMatching(/^bytes \*\/\d+$/)]);
    const posted = await fetch(pub_url, { method: 'POST', body: 'x' });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    const { file_id } = await storeFile(api, ours, {
      name: 'page.html',
      type: 'text/html',
      bytes: Buffer.from('<script>alert(1)</script>'),
    });
    const page = await published(ours.owner.client, file_id);
    const answer = await visit(page.pub_url, { origin: 'https://elsewhere.example' });
    expect([answer.headers.get('content-disposition'), answer.headers.get('access-control-allow-origin')]).toEqual([
      'attachment; filename="page.html"',
      null,
    ]);
  });

  it('keeps the published version while it is live, and names the publication where a file is used', async () => {
    const client = ours.owner.client;
    const file_id = await note();
    await published(client, file_id);
    const [version] = (await client.get(`/files/${file_id}/versions`).expect(200)).body.data as { fv_id: string }[];
    await client.put(`/files/${file_id}/content`, { content: `next ${newId()}` }).expect(200);
    await eventually(
      () => client.get(`/files/${file_id}`),
      ({ body }) => body.file_processing === 'ready',
      60_000,
    );
    expect((await client.delete(`/files/${file_id}/versions/${version?.fv_id}`).expect(409)).body.code).toBe('in_use');
    expect((await client.get(`/files/${file_id}/references`).expect(200)).body.data).toMatchObject([
      { ref_type: 'publication', ref_detail: 'published' },
    ]);
    expect((await client.delete(`/files/${file_id}?dry_run=true`).expect(200)).body).toMatchObject({ publications: 1 });
    await client.delete(`/files/${file_id}/publication`).expect(204);
    await client.delete(`/files/${file_id}/versions/${version?.fv_id}`).expect(204);
  });

  it('serves on when the licence has ended, unless the workspace wants it to stop', async () => {
    const lapsing = await api.workspace(['module-publication']);
    const { file_id } = await storeFile(api, lapsing);
    const { pub_url } = await published(lapsing.owner.client, file_id);
    await api.sql('DELETE FROM licence WHERE tenant_id = $1', [lapsing.tenant_id]);
    expect(await statusAt(pub_url)).toBe(200);
    expect((await lapsing.owner.client.get(`/files/${file_id}/publication`).expect(403)).body.code).toBe('license_required');
    await lapsing.owner.client.patch('/admin/settings', { ws_options: { publication_lapse: 'stop' } }).expect(200);
    expect(
      await eventually(
        () => statusAt(pub_url),
        (status) => status === 503,
        15_000,
      ),
    ).toBe(503);
  }, 60_000);
});
