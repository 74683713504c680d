import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';
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
    // Nor are they in what was recorded of these albums.
    for (const table of ['audit_event', 'outbox', 'access_log']) {
      const rows = await api.sql<{ text: string }>(`SELECT t::text AS text FROM ${table} t WHERE t.tenant_id = $1`, [ours.tenant_id]);
      expect([table, rows.filter(({ text }) => named.some((name) => text.includes(name)))]).toEqual([table, []]);
    }
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
