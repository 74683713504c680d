import { newId } from '@atrium/platform/kernel';
import { eventually, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { storeFile } from '../files/stored-files';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { published, statusAt, visit, visitFrom } from './publishing';

let api: RunningApi;
let ours: TestWorkspace;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
  ours = await api.workspace(['module-publication']);
}, 60_000);
afterAll(() => api.close());

const RESTRICTIONS = '/distribution/restrictions';

interface Saved {
  readonly dr_id: string;
  readonly warnings: string[];
}

const restrict = async (dr_kind: string, dr_values: string[], more: object = {}): Promise<Saved> =>
  (
    await ours.owner.client
      .post(RESTRICTIONS, { dr_name: `${dr_kind} ${newId()}`, dr_kind, dr_effect: 'deny', dr_values, ...more })
      .expect(201)
  ).body as Saved;

describe('the catalog of restrictions', () => {
  it('keeps values in one form, lists and filters, and is changed by who may', async () => {
    const { client } = ours.owner;
    const made = await client
      .post(RESTRICTIONS, { dr_name: 'Not in France', dr_kind: 'territory', dr_effect: 'deny', dr_values: ['fr', 'EFTA', 'FR'] })
      .expect(201);
    expect(made.body).toMatchObject({
      dr_values: ['FR', 'EFTA'],
      dr_timezone: null,
      dr_baseline: false,
      dr_active: true,
      dr_publication_count: 0,
      warnings: [],
    });
    expect([made.headers['x-affected'], made.headers.location]).toEqual(['0', `/api/v1${RESTRICTIONS}/${made.body.dr_id}`]);
    expect(
      (
        await client
          .post(RESTRICTIONS, { dr_name: 'Not in France', dr_kind: 'ip', dr_effect: 'deny', dr_values: ['10.0.0.0/8'] })
          .expect(409)
      ).body.code,
    ).toBe('already_exists');
    const changed = await client
      .with({ 'If-Match': '"1"' })
      .patch(`${RESTRICTIONS}/${made.body.dr_id}`, { dr_values: ['BE'], dr_active: false })
      .expect(200);
    expect(changed.body).toMatchObject({ dr_values: ['BE'], dr_active: false });
    await client.with({ 'If-Match': '"1"' }).patch(`${RESTRICTIONS}/${made.body.dr_id}`, { dr_active: true }).expect(412);
    expect(
      (await client.get(`${RESTRICTIONS}?dr_name=france&dr_kind=territory&dr_active=false&dr_baseline=false`).expect(200)).body.data,
    ).toMatchObject([{ dr_id: made.body.dr_id }]);
    expect((await client.get(`${RESTRICTIONS}/${made.body.dr_id}`).expect(200)).body).not.toHaveProperty('warnings');
    const viewer = await ours.member('viewer');
    await viewer.client.get(RESTRICTIONS).expect(200);
    for (const call of [
      viewer.client.post(RESTRICTIONS, { dr_name: 'x', dr_kind: 'ip', dr_effect: 'deny', dr_values: ['10.0.0.0/8'] }),
      viewer.client.put('/distribution/baseline', { restriction_ids: [] }),
    ]) {
      expect((await call.expect(403)).body).toMatchObject({
        code: 'permission_denied',
        detail: expect.stringContaining('admin:distribution'),
      });
    }
    await client.delete(`${RESTRICTIONS}/${made.body.dr_id}`).expect(204);
    await client.get(`${RESTRICTIONS}/${made.body.dr_id}`).expect(404);
  });

  it('refuses values that are none of their kind, entry by entry', async () => {
    const faults = async (dr_kind: string, dr_values: string[], more: object = {}): Promise<string[]> =>
      (
        (await ours.owner.client.post(RESTRICTIONS, { dr_name: newId(), dr_kind, dr_effect: 'deny', dr_values, ...more }).expect(400)).body
          .errors as { path: string }[]
      ).map(({ path }) => path);
    expect(await faults('territory', ['FR', 'XX', 'ASIA'])).toEqual(['dr_values[1]', 'dr_values[2]']);
    expect(await faults('host', ['ok.example', '*', 'http://x.example', '*.*.example'])).toEqual([
      'dr_values[1]',
      'dr_values[2]',
      'dr_values[3]',
    ]);
    expect(await faults('ip', ['10.0.0.0/33', '1.2.3', '::1/129'])).toEqual(['dr_values[0]', 'dr_values[1]', 'dr_values[2]']);
    expect(await faults('window', ['MON-FRI 08:00', 'XYZ 08:00-09:00', '08:00-25:00'])).toEqual([
      'dr_values[0]',
      'dr_values[1]',
      'dr_values[2]',
    ]);
    expect(await faults('agent', ['person'])).toEqual(['dr_values[0]']);
    expect(await faults('window', ['08:00-09:00'], { dr_timezone: 'Mars/Olympus' })).toEqual(['dr_timezone']);
    expect(await faults('ip', ['10.0.0.0/8'], { dr_timezone: 'UTC' })).toEqual(['dr_timezone']);
    expect(await faults('ip', [])).toEqual(['dr_values']);
  });

  it('saves rules that allow only what another one does not, with a warning', async () => {
    const first = await restrict('territory', ['EU'], { dr_effect: 'allow_only' });
    const second = await restrict('territory', ['US', 'CA'], { dr_effect: 'allow_only' });
    expect(second.warnings).toEqual([expect.stringContaining('nothing in common')]);
    expect((await restrict('territory', ['DE', 'US'], { dr_effect: 'allow_only' })).warnings).toEqual([]);
    await ours.owner.client.delete(`${RESTRICTIONS}/${first.dr_id}`).expect(204);
  });

  it('is not removed while publications name it, unless it is taken out of them; what a change excludes is shown first', async () => {
    const { client } = ours.owner;
    const rule = await restrict('territory', ['BE']);
    const { file_id } = await storeFile(api, ours);
    const { pub_url, pub_id } = await published(client, file_id, { distribution: 'restricted', restrictions: [rule.dr_id] });
    expect(await statusAt(pub_url, { 'X-Country': 'BE' })).toBe(403);
    const preview = await client.patch(`${RESTRICTIONS}/${rule.dr_id}?dry_run=true`, { dr_values: ['BE', 'FR'] }).expect(200);
    expect(preview.body).toMatchObject({ affected: 1, newly_blocked: ['FR'], sample: [{ pub_id, pub_url, newly_blocked: ['FR'] }] });
    expect(await statusAt(pub_url, { 'X-Country': 'FR' })).toBe(200);
    const changed = await client.patch(`${RESTRICTIONS}/${rule.dr_id}`, { dr_values: ['BE', 'FR'] }).expect(200);
    expect(changed.headers['x-affected']).toBe('1');
    expect(await statusAt(pub_url, { 'X-Country': 'FR' })).toBe(403);
    const kept = await client.delete(`${RESTRICTIONS}/${rule.dr_id}`).expect(409);
    expect(kept.body).toMatchObject({ code: 'in_use', detail: expect.stringContaining('1 publications') });
    expect((await client.get(`${RESTRICTIONS}/${rule.dr_id}`).expect(200)).body.dr_publication_count).toBe(1);
    await client.delete(`${RESTRICTIONS}/${rule.dr_id}?detach=true`).expect(204);
    expect((await client.get(`/publications/${pub_id}`).expect(200)).body).toMatchObject({
      pub_restrictions: [],
      pub_distribution: 'worldwide',
    });
    expect(
      await eventually(
        () => statusAt(pub_url, { 'X-Country': 'FR' }),
        (status) => status === 200,
      ),
    ).toBe(200);
  });

  it('[distribution 14] blocks everything at once by its baseline, explains it, and lets through again when it is removed', async () => {
    const { client } = ours.owner;
    const files = [await storeFile(api, ours), await storeFile(api, ours)];
    const urls: string[] = [];
    for (const { file_id } of files) urls.push((await published(client, file_id)).pub_url);
    for (const url of urls) expect((await visitFrom('127.0.0.2', url)).status).toBe(200);
    const rule = await restrict('ip', ['127.0.0.2/32']);
    const set = await client.put('/distribution/baseline', { restriction_ids: [rule.dr_id] }).expect(200);
    expect(set.body).toMatchObject({ restriction_ids: [rule.dr_id], restrictions: [{ dr_id: rule.dr_id, dr_baseline: true }] });
    for (const url of urls)
      expect(await visitFrom('127.0.0.2', url)).toMatchObject({ status: 403, body: { code: 'permission_denied', reason: 'ip' } });
    for (const url of urls) expect(await statusAt(url)).toBe(200);
    const why = await client.post('/distribution/evaluate', { file_id: files[0]?.file_id, ip: '127.0.0.2' }).expect(200);
    expect(why.body).toMatchObject({ decision: 'refuse', status: 403, code: 'permission_denied', reason: 'ip' });
    expect(why.body.trace).toContainEqual({
      rule: expect.any(String),
      rule_id: rule.dr_id,
      source: 'baseline',
      kind: 'ip',
      effect: 'deny',
      matched: true,
    });
    expect((await client.post('/distribution/evaluate', { file_id: files[0]?.file_id, ip: '127.0.0.3' }).expect(200)).body).toMatchObject({
      decision: 'allow',
      status: 200,
      code: null,
      reason: null,
    });
    expect((await client.get('/distribution/baseline').expect(200)).body.restriction_ids).toEqual([rule.dr_id]);
    await client.put('/distribution/baseline', { restriction_ids: [newId()] }).expect(400);
    await client.put('/distribution/baseline', { restriction_ids: [] }).expect(200);
    for (const url of urls) expect((await visitFrom('127.0.0.2', url)).status).toBe(200);
  });

  it('evaluates rules that nobody saved, and refuses questions that are none', async () => {
    const { client } = ours.owner;
    const policy = { distribution: 'restricted', deny: ['FR'], start: '2030-01-01T00:00:00Z' };
    const ask = async (question: object): Promise<object> =>
      (await client.post('/distribution/evaluate', question).expect(200)).body as object;
    expect(await ask({ policy, country: 'FR', at: '2030-06-01T00:00:00Z' })).toMatchObject({ status: 403, reason: 'territory' });
    expect(await ask({ policy, country: 'DE', at: '2030-06-01T00:00:00Z' })).toMatchObject({ status: 200 });
    expect(await ask({ policy, country: 'DE', at: '2029-06-01T00:00:00Z' })).toMatchObject({ status: 404, reason: 'embargo' });
    expect(await ask({ policy })).toMatchObject({ status: 404 });
    for (const question of [
      {},
      { policy: null },
      { pub_id: newId(), file_id: newId() },
      { policy, country: 'QQ' },
      { policy, ip: '1.2' },
      { policy, host: 'http://x' },
      { policy: { distribution: 'restricted' } },
    ])
      await client.post('/distribution/evaluate', question).expect(400);
    await client.post('/distribution/evaluate', { pub_id: newId() }).expect(400);
    const { body } = await client.get('/distribution/territories').expect(200);
    expect(body.data).toContainEqual({ code: 'FR', name: 'France' });
    expect(body.groups.map(({ code }: { code: string }) => code)).toEqual(['EU', 'EEA', 'EFTA']);
  });

  it('keeps crawlers of models away and says so to everybody else', async () => {
    const rule = await restrict('agent', ['ai-crawler']);
    const { file_id } = await storeFile(api, ours);
    const { pub_url } = await published(ours.owner.client, file_id, { distribution: 'restricted', restrictions: [rule.dr_id] });
    const crawler = await visit(pub_url, { 'User-Agent': 'Mozilla/5.0 (compatible; ClaudeBot/1.0)' });
    expect([crawler.status, crawler.headers.get('x-robots-tag')]).toEqual([403, 'noai']);
    const reader = await visit(pub_url, { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/130.0' });
    expect([reader.status, reader.headers.get('x-robots-tag')]).toEqual([200, 'noai']);
  });
});
