import { newId } from '@atrium/platform/kernel';
import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { sharedAtrium } from '../support/shared-atrium';
import { storedFile } from './named-files';

let api: RunningApi;
let ours: TestWorkspace;
let theirs: TestWorkspace;

beforeAll(async () => {
  api = await sharedAtrium();
  ours = await api.workspace();
  theirs = await api.workspace();
});
afterAll(() => api.close());

const color = (key: string, hex: string, role: string) => ({ key, name: key, hex, role });
const EMPTY = {
  name: null,
  tagline: null,
  colors: [],
  fonts: [],
  logos: [],
  voice: { summary: null, tone: [], do: [], dont: [], glossary: [] },
  legal: { copyright: null, disclaimer: null },
};

describe('the base brand', () => {
  it('is empty and whole before anybody set it, with its version as ETag', async () => {
    const workspace = await api.workspace();
    const viewer = await workspace.member('viewer');
    const answer = await viewer.client.get('/workspace/brand').expect(200);
    expect(answer.body).toEqual({ ws_brand: EMPTY, ws_brand_version: 1, brand_checks: { contrast: [], fonts: [], logos: [] } });
    expect(answer.headers.etag).toBe('"1"');
    await viewer.client.with({ 'If-None-Match': '"1"' }).get('/workspace/brand').expect(304);
  });

  it('[identity 22] reports the contrast of #777777 on white as 4.48, AA-large; refuses a stale ETag with 412 and a foreign logo with 400', async () => {
    const before = await ours.owner.client.get('/workspace/brand').expect(200);
    const brand = { colors: [color('ink', '#777777', 'text'), color('paper', '#ffffff', 'background')] };
    const answer = await ours.owner.client.with({ 'If-Match': before.headers.etag! }).put('/admin/settings/brand', brand).expect(200);
    expect(answer.body.brand_checks.contrast).toEqual([
      { text: 'ink', background: 'paper', text_hex: '#777777', background_hex: '#ffffff', ratio: 4.48, level: 'AA-large' },
    ]);
    expect(answer.body.ws_brand).toEqual({ ...EMPTY, ...brand });
    expect(answer.body.ws_brand_version).toBe(before.body.ws_brand_version + 1);
    expect(answer.headers.etag).toBe(`"${answer.body.ws_brand_version}"`);
    expect(answer.body).toEqual((await ours.owner.client.get('/workspace/brand').expect(200)).body);
    const stale = await ours.owner.client
      .with({ 'If-Match': before.headers.etag! })
      .put('/admin/settings/brand', { name: 'Late' })
      .expect(412);
    expect(stale.body.code).toBe('precondition_failed');
    const foreign = await storedFile(api, theirs.tenant_id, { width: 400 });
    const refused = await ours.owner.client.put('/admin/settings/brand', { logos: [{ role: 'primary', file_id: foreign }] }).expect(400);
    expect(refused.body.errors).toEqual([{ path: 'logos[0].file_id', code: 'reference', message: expect.any(String) }]);
  });

  it('judges every text on every background and surface by its exact ratio', async () => {
    const colors = [
      color('ink', '#000000', 'text'),
      color('grey', '#767676', 'text'),
      color('mist', '#949494', 'text'),
      color('haze', '#959595', 'text'),
      color('glass', '#00000080', 'text'),
      color('paper', '#ffffff', 'background'),
      color('card', '#FFFFFF', 'surface'),
      color('brand', '#ff0000', 'primary'),
    ];
    const { body } = await ours.owner.client.patch('/admin/settings/brand', { colors }).expect(200);
    const onPaper = body.brand_checks.contrast
      .filter((check: { background: string }) => check.background === 'paper')
      .map(({ text, ratio, level }: Record<string, unknown>) => [text, ratio, level]);
    expect(onPaper).toEqual([
      ['ink', 21, 'AAA'],
      ['grey', 4.54, 'AA'],
      ['mist', 3.03, 'AA-large'],
      ['haze', 3, 'fail'],
      ['glass', 3.98, 'AA-large'],
    ]);
    expect(body.brand_checks.contrast).toHaveLength(10);
  });

  it('reports which fonts are missing a weight and which logos are too small, by the width of their files', async () => {
    const small = await storedFile(api, ours.tenant_id, { width: 96 });
    const wide = await storedFile(api, ours.tenant_id, { width: 640 });
    const drawn = await storedFile(api, ours.tenant_id, { type: 'image/svg+xml', width: 10 });
    const unread = await storedFile(api, ours.tenant_id, {});
    const face = await storedFile(api, ours.tenant_id, { type: 'font/woff2', kind: 'font' });
    const logo = (file_id: string, role = 'primary') => ({ role, file_id, min_width_px: 320 });
    const { body } = await ours.owner.client
      .patch('/admin/settings/brand', {
        fonts: [
          { role: 'body', family: 'Inter', weights: [400], source: 'web' },
          { role: 'heading', family: 'Harbour', weights: [900, 700], source: 'file', file_id: face },
          { role: 'mono', family: 'Fira Code', source: 'web' },
        ],
        logos: [logo(small), logo(wide), logo(drawn, 'mark'), logo(unread, 'wordmark'), { role: 'favicon', file_id: small }],
      })
      .expect(200);
    expect(body.brand_checks.fonts).toEqual([{ role: 'body', family: 'Inter', missing_weights: [700] }]);
    expect(body.brand_checks.logos).toEqual([
      { role: 'primary', file_id: small, min_width_px: 320, width_px: 96 },
      { role: 'wordmark', file_id: unread, min_width_px: 320, width_px: null },
    ]);
    expect(body.ws_brand.fonts[1]).toMatchObject({ weights: [700, 900], file_id: face });
    expect(body.ws_brand.logos[0]).toMatchObject({ background: 'any' });
  });

  it('replaces named members only by PATCH, the whole by PUT; null empties one', async () => {
    const whole = {
      name: 'Harbour',
      tagline: 'By the sea',
      voice: {
        summary: 'Calm.',
        tone: ['calm'],
        do: ['Say it short.'],
        dont: ['Shout.'],
        glossary: [{ term: 'HM', use: 'Harbour Media' }],
      },
      legal: { copyright: '© 2026' },
    };
    await ours.owner.client.put('/admin/settings/brand', whole).expect(200);
    const patched = await ours.owner.client
      .patch('/admin/settings/brand', { tagline: null, legal: { disclaimer: 'No warranty.' } })
      .expect(200);
    expect(patched.body.ws_brand).toMatchObject({
      name: 'Harbour',
      tagline: null,
      voice: { summary: 'Calm.', glossary: [{ term: 'HM', use: 'Harbour Media', avoid: null }] },
      legal: { copyright: null, disclaimer: 'No warranty.' },
    });
    const again = await ours.owner.client.put('/admin/settings/brand', patched.body.ws_brand).expect(200);
    expect(again.body).toEqual(patched.body);
    expect((await ours.owner.client.put('/admin/settings/brand', {}).expect(200)).body.ws_brand).toEqual(EMPTY);
  });

  it('is reported to the trail and to events with each change, and once', async () => {
    const workspace = await api.workspace();
    await workspace.owner.client.put('/admin/settings/brand', { name: 'One' }).expect(200);
    await workspace.owner.client.put('/admin/settings/brand', { name: 'One' }).expect(200);
    expect(
      await api.sql(`SELECT aud_actor, aud_before, aud_after FROM audit_event WHERE tenant_id = $1 AND aud_type = 'brand.updated'`, [
        workspace.tenant_id,
      ]),
    ).toEqual([{ aud_actor: workspace.owner.user_id, aud_before: { name: null }, aud_after: { name: 'One' } }]);
    expect(
      await api.sql(`SELECT ev_payload FROM outbox WHERE tenant_id = $1 AND ev_name = 'brand.updated'`, [workspace.tenant_id]),
    ).toEqual([{ ev_payload: { ws_brand_version: 2, changed: ['name'] } }]);
    expect((await workspace.owner.client.get('/me').expect(200)).body.workspace.ws_brand_version).toBe(2);
  });

  it('lets one of two writers with the same ETag pass', async () => {
    const { headers } = await ours.owner.client.get('/workspace/brand').expect(200);
    const put = (name: string) => ours.owner.client.with({ 'If-Match': headers.etag! }).put('/admin/settings/brand', { name });
    expect((await Promise.all([put('A'), put('B')])).map((answer) => answer.status).sort()).toEqual([200, 412]);
  });

  it('refuses what is not in form, one entry a fault', async () => {
    const trashed = await storedFile(api, ours.tenant_id, { width: 400 });
    await ours.owner.client.delete(`/files/${trashed}`).expect(204);
    const picture = await storedFile(api, ours.tenant_id, { width: 400 });
    const bad: [object, string][] = [
      [{ colors: [color('ink', '#777', 'text')] }, 'colors[0].hex'],
      [{ colors: [color('ink', '#777777', 'text'), color('ink', '#888888', 'other')] }, 'colors[1].key'],
      [{ fonts: [{ role: 'body', family: 'Inter', source: 'file' }] }, 'fonts[0].file_id'],
      [{ fonts: [{ role: 'body', family: 'Inter', source: 'web', file_id: picture }] }, 'fonts[0].file_id'],
      [{ fonts: [{ role: 'body', family: 'Inter', source: 'file', file_id: picture }] }, 'fonts[0].file_id'],
      [{ fonts: [{ role: 'body', family: 'Inter', source: 'web', weights: [0] }] }, 'fonts[0].weights'],
      [{ logos: [{ role: 'primary', file_id: newId() }] }, 'logos[0].file_id'],
      [{ logos: [{ role: 'primary', file_id: trashed }] }, 'logos[0].file_id'],
      [
        { voice: { glossary: Array.from({ length: 200 }, (_, i) => ({ term: `t${i}`, use: 'u'.repeat(200), avoid: 'a'.repeat(200) })) } },
        'ws_brand',
      ],
    ];
    const before = await ours.owner.client.get('/workspace/brand').expect(200);
    for (const [body, path] of bad) {
      const refused = await ours.owner.client.put('/admin/settings/brand', body);
      expect({ path, status: refused.status, paths: refused.body.errors?.map((entry: { path: string }) => entry.path) }).toEqual({
        path,
        status: 400,
        paths: [path],
      });
    }
    expect((await ours.owner.client.get('/workspace/brand').expect(200)).body).toEqual(before.body);
  });
});
