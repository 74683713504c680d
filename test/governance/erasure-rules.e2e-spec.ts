import { eventually, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { guest, picture, publicPath, shareLink, filesSeen } from '../distribution/sharing';
import { makeGroup } from '../media/tagging';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { orderOf, over, personIn, type PrivacyRequest } from './asking-for-data';

let api: RunningApi;
let ours: TestWorkspace;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
}, 120_000);
beforeEach(async () => {
  ours = await api.workspace();
});
afterAll(() => api.close());

const erase = async (dsr_subject: string, dsr_subject_type = 'email'): Promise<PrivacyRequest> => {
  const body = { dsr_kind: 'erasure', dsr_subject_type, dsr_subject, execute_after_days: 0 };
  return over(ours.owner.client, (await orderOf(ours.owner.client, body)).dsr_id);
};
/** Albums named so, and what they are called afterwards. */
const albums = async (...names: readonly string[]): Promise<() => Promise<string[]>> => {
  const ids: string[] = [];
  for (const album_name of names)
    ids.push(((await ours.owner.client.post('/albums', { album_name }).expect(201)).body as { album_id: string }).album_id);
  return () =>
    Promise.all(
      ids.map(async (id) => ((await ours.owner.client.get(`/albums/${id}`).expect(200)).body as { album_name: string }).album_name),
    );
};

describe('an erasure', () => {
  it('takes an address out where it is joined to other words, and leaves mailboxes that only resemble', async () => {
    const called = await albums(
      'Letter ida@quay.example.txt',
      'ext-ida@quay.example',
      'ida@quay.example-2026',
      'to%20ida%40quay.example',
      'aida@quay.example',
      'x.ida@quay.example',
      'ida@quay.example.org',
    );
    expect(await erase('ida@quay.example')).toMatchObject({ dsr_status: 'completed' });
    expect(await called()).toEqual([
      'Letter [erased].txt',
      'ext-[erased]',
      '[erased]-2026',
      'to%20[erased]',
      'aida@quay.example',
      'x.ida@quay.example',
      'ida@quay.example.org',
    ]);
  }, 90_000);

  it('takes a name of several words out, and leaves words of one and names that somebody else bears', async () => {
    const jo = await personIn(api, ours, 'jo@quay.example', 'Johanna van Dyk');
    const called = await albums('With Johanna van Dyk at sea', 'johanna_van-dyk 2', 'Dyk, Johanna van', 'Johanna alone');
    await erase(jo.user_id, 'user');
    expect(await called()).toEqual(['With [erased] at sea', '[erased] 2', '[erased]', 'Johanna alone']);

    const max = await personIn(api, ours, 'max@quay.example', 'Max Mustermann');
    await personIn(api, ours, 'other-one@quay.example', 'Max Mustermann');
    const shared = await albums('With Max Mustermann');
    await erase(max.user_id, 'user');
    expect(await shared()).toEqual(['With Max Mustermann']);
  }, 120_000);

  it('takes a name out however its letters are folded or composed, and leaves what only begins or goes on like it', async () => {
    const greek = await personIn(api, ours, 'giorgos@quay.example', 'Γιώργος Groß');
    const named = [
      'With ΓΙΏΡΓΟΣ GROSS at sea',
      'With γιώργοσ gross at sea',
      'With Γιώργος Groß, apart'.normalize('NFD'),
      'GROSS, ΓΙΏΡΓΟΣ'.normalize('NFD'),
      'ΓΙΏΡΓΟΣ_GROẞ 2',
      'Dear Γιώργος Gross',
    ];
    const called = await albums(...named, 'Γιώργος alone', 'Γιώργος Großmann', 'With Γεώργος Gross');
    const rule = { dr_kind: 'territory', dr_effect: 'deny', dr_values: ['FR'] };
    for (const [at, name] of named.entries())
      await ours.owner.client.post('/distribution/restrictions', { ...rule, dr_name: `${name} ${at}` }).expect(201);
    const recorded = async (table: string): Promise<string[]> =>
      (await api.sql<{ text: string }>(`SELECT t::text AS text FROM ${table} t WHERE t.tenant_id = $1`, [ours.tenant_id]))
        .map(({ text }) => text)
        .filter((text) => named.some((name) => text.includes(name)));
    expect((await recorded('audit_event')).length).toBeGreaterThanOrEqual(named.length);
    await eventually(
      () => recorded('access_log'),
      (rows) => rows.length >= named.length,
    );
    await erase(greek.user_id, 'user');
    expect(await called()).toEqual([
      'With [erased] at sea',
      'With [erased] at sea',
      'With [erased], apart',
      '[erased]',
      '[erased] 2',
      'Dear [erased]',
      'Γιώργος alone',
      'Γιώργος Großmann',
      'With Γεώργος Gross',
    ]);
    // Nor are they in what was recorded of albums and rules.
    for (const table of ['audit_event', 'outbox', 'access_log']) expect([table, await recorded(table)]).toEqual([table, []]);
  }, 120_000);

  it('takes a name out whose letters fold to several, as it is written and folded, also of keys by which requests are repeated', async () => {
    const turkish = await personIn(api, ours, 'ibrahim@quay.example', 'İbrahim Faßtner');
    const armenian = await personIn(api, ours, 'sevak@quay.example', 'Սևակ Faßler');
    const plain = await personIn(api, ours, 'hans@quay.example', 'Hans Groß');
    const called = await albums('With İbrahim Faßtner at sea', 'İBRAHIM FASSTNER', 'Faßtner, İbrahim', 'Սևակ Faßler 2', 'Սեւակ FASSLER 3');
    await ours.owner.client.with({ 'Idempotency-Key': 'for-HANS-GROSS-1' }).post('/albums', { album_name: 'Other' }).expect(201);
    const keys = async (): Promise<number> =>
      (await api.sql(`SELECT FROM idempotency_key k WHERE k.tenant_id = $1 AND k.idem_key ~* 'hans-gross'`, [ours.tenant_id])).length;
    expect(await keys()).toBe(1);
    for (const { user_id } of [turkish, armenian, plain]) await erase(user_id, 'user');
    expect(await called()).toEqual(['With [erased] at sea', '[erased]', '[erased]', '[erased] 2', '[erased] 3']);
    expect(await keys()).toBe(0);
  }, 120_000);

  it('keeps apart what a unique index compares', async () => {
    const mt_group = await makeGroup(ours.owner.client, { mtg_name: 'Contact' });
    const ids: string[] = [];
    for (const mt_value of ['[erased]', 'ida@quay.example'])
      ids.push(((await ours.owner.client.post('/media-tags', { mt_group, mt_value }).expect(201)).body as { mt_id: string }).mt_id);
    expect(await erase('ida@quay.example')).toMatchObject({ dsr_status: 'completed' });
    const tags = await api.sql<{ mt_value: string }>('SELECT mt_value FROM media_tag WHERE mt_id = ANY ($1::uuid[]) ORDER BY mt_value', [
      ids,
    ]);
    expect(tags.map(({ mt_value }) => mt_value)).toEqual([expect.stringMatching(/^\[erased [0-9a-f]{8}\]$/), '[erased]']);
  }, 90_000);

  it('names guests no more: what they were called goes with their address', async () => {
    const { file_id } = await picture(ours, 'pier.jpg', 43);
    const link = await shareLink(ours.owner.client, {
      share_type: 'files',
      share_file_ids: [file_id],
      share_options: { ask_approval: true },
    });
    const drop = await shareLink(ours.owner.client, { share_type: 'upload' });
    const [seen] = await filesSeen(guest(api), link);
    for (const [name, email] of [
      ['Gustav', 'gustav@guests.example'],
      ['Hedda', 'hedda@guests.example'],
    ] as const) {
      const by = guest(api, name);
      await by.post(`${publicPath(link)}/unlock`, { name, email });
      await by.post(`${publicPath(link)}/files/${seen?.public_id}/verdict`, { verdict: 'approved', name, email }).expect(200);
      await by.post(`${publicPath(drop)}/uploads`, { file_name: 'pier.jpg', file_size: 12, name, email }).expect(201);
    }
    const named = async (): Promise<string[]> =>
      (
        await api.sql<{ name: string }>(
          `SELECT DISTINCT x.name FROM (SELECT se_name AS name FROM share_event WHERE tenant_id = $1 UNION ALL SELECT su_name FROM share_upload WHERE tenant_id = $1 UNION ALL SELECT sv_name FROM share_verdict WHERE tenant_id = $1) x WHERE x.name IS NOT NULL ORDER BY 1`,
          [ours.tenant_id],
        )
      ).map(({ name }) => name);
    expect(await named()).toEqual(['Gustav', 'Hedda']);
    expect(await erase('gustav@guests.example')).toMatchObject({ dsr_status: 'completed' });
    expect(await named()).toEqual(['Hedda']);
  }, 90_000);
});
