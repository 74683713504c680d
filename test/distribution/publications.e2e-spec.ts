import { createHash } from 'node:crypto';
import { newId } from '@atrium/platform/kernel';
import { ObjectStore } from '@atrium/platform/storage';
import { eventually, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import sharp from 'sharp';
import { storeFile } from '../files/stored-files';
import { startAtriumWithWorker } from '../support/api';
import { copied, license, publicationOf, publish, published, statusAt, visit } from './publishing';

let api: RunningApi;
let ours: TestWorkspace;
let theirs: TestWorkspace;
let png: Buffer;

beforeAll(async () => {
  api = await startAtriumWithWorker();
  ours = await api.workspace();
  theirs = await api.workspace();
  await license(api, ours);
  await license(api, theirs);
  png = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#2266aa' } }).png().toBuffer();
}, 60_000);
afterAll(() => api.close());

const picture = async (name = 'Häfen am Abend.PNG'): Promise<string> => (await storeFile(api, ours, { name, type: 'image/png', kind: 'image', bytes: Buffer.concat([png, Buffer.from(newId())]) })).file_id;

/** The next version of a file, as an upload would leave it. */
async function nextVersion(file_id: string, text: string): Promise<string> {
  const answer = await ours.owner.client.put(`/files/${file_id}/content`, { content: text });
  expect(answer.status).toBe(200);
  return createHash('sha256').update(text).digest('hex');
}

const text = async (): Promise<string> => (await storeFile(api, ours, { name: 'Note.txt', type: 'text/plain', bytes: Buffer.from(`first ${newId()}`) })).file_id;

describe('publishing a file', () => {
  it('[distribution 9] mints a permanent address that serves equal bytes, with ETag, 304 and ranges; it takes the licence and nine permissions together', async () => {
    const bytes = Buffer.concat([png, Buffer.from(newId())]);
    const { file_id, hash } = await storeFile(api, ours, { name: 'Häfen am Abend.PNG', type: 'image/png', kind: 'image', bytes });
    const { body: rule } = await ours.owner.client.post('/distribution/restrictions', { dr_name: `Base ${newId()}`, dr_kind: 'territory', dr_effect: 'deny', dr_values: ['KP'], dr_baseline: true }).expect(201);
    await ours.owner.client.patch('/admin/workspace', { ws_options: { unknown_territory: 'allow' } }).expect(200);
    const answer = await ours.owner.client.post(`/files/${file_id}/publication`, { distribution: 'worldwide' }).expect(201);
    expect(answer.body).toMatchObject({ pub_file: file_id, pub_state: 'published', pub_version: 1, pub_name: 'hafen-am-abend.png', pub_distribution: 'worldwide', pub_stale: false, pub_file_name: 'Häfen am Abend.PNG' });
    expect(answer.body.pub_url).toMatch(/\/p\/[1-9A-HJ-NP-Za-km-z]{16}\/hafen-am-abend\.png$/);
    expect(answer.headers.location).toBe(`/api/v1/publications/${answer.body.pub_id}`);

    const ready = await copied(ours.owner.client, file_id);
    expect(ready).toMatchObject({ pub_copy_state: 'ready', pub_hash: hash, pub_size: bytes.length, pub_content_type: 'image/png', pub_baseline: [{ dr_name: rule.dr_name, dr_values: ['KP'] }] });
    const whole = await eventually(() => visit(ready.pub_url), ({ status }) => status === 200);
    expect(Buffer.from(await whole.arrayBuffer())).toEqual(bytes);
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      etag: `"${hash}"`, 'content-type': 'image/png', 'content-length': String(bytes.length), 'accept-ranges': 'bytes', 'cache-control': 'public, max-age=300, stale-while-revalidate=60',
      'x-content-type-options': 'nosniff', 'access-control-allow-origin': '*', 'content-disposition': 'inline; filename="hafen-am-abend.png"', 'last-modified': expect.stringMatching(/GMT$/),
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

    const eight = ['media:publish', 'media:edit', 'document:edit', 'knowledge-base:write', 'thread:edit', 'design:edit', 'prompt:edit', 'presentation:edit'];
    const role = (await ours.owner.client.post('/admin/roles', { role_name: `Eight ${newId()}`, role_permissions: [...eight, 'media:view'] }).expect(201)).body;
    const almost = await ours.member(role.role_name);
    const denied = await almost.client.post(`/files/${file_id}/publication`, { distribution: 'worldwide' }).expect(403);
    expect(denied.body).toMatchObject({ code: 'permission_denied', detail: expect.stringContaining('task:form:edit') });

    const unlicensed = await api.workspace();
    const foreign = await storeFile(api, unlicensed);
    expect((await unlicensed.owner.client.post(`/files/${foreign.file_id}/publication`, { distribution: 'worldwide' }).expect(403)).body).toMatchObject({ code: 'license_required', detail: expect.stringContaining('module-publication') });
    await ours.owner.client.delete(`/distribution/restrictions/${rule.dr_id}`).expect(204);
  });
});
