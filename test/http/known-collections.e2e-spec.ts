import { newId } from '@atrium/platform/kernel';
import type { Client, RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { storeFile } from '../files/stored-files';
import { bearing, signedInMember } from '../identity/signing-in';
import { operatorOf, type OperatorClient } from '../support/operating';
import { sharedAtrium } from '../support/shared-atrium';

let api: RunningApi;
let ours: TestWorkspace;
let theirs: TestWorkspace;
/** The values in the paths of a case. */
let ids: { readonly file_id: string; readonly role_id: string };
let person: Client;

type Row = Readonly<Record<string, unknown>>;
interface PageBody {
  readonly data: readonly Row[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

beforeAll(async () => {
  api = await sharedAtrium();
  [ours, theirs] = [await api.workspace(), await api.workspace()];
  const { file_id } = await storeFile(api, ours, { name: 'Pier.jpg', type: 'image/jpeg', kind: 'image' });
  await storeFile(api, ours, { name: 'Brief.pdf', type: 'application/pdf', kind: 'document' });
  for (const album_name of ['Summer', 'Spring', 'Winter']) {
    const { album_id } = (await ours.owner.client.post('/albums', { album_name }).expect(201)).body as { album_id: string };
    await ours.owner.client.post(`/albums/${album_id}/files`, { file_ids: [file_id] }).expect(200);
  }
  const roles = (await ours.owner.client.get('/admin/roles').expect(200)).body as { data: { role_id: string; role_key: string }[] };
  ids = { file_id, role_id: roles.data.find(({ role_key }) => role_key === 'editor')?.role_id ?? '' };
  const { email, tokens } = await signedInMember(api, ours, 'viewer');
  await api.provisioner.addUser(theirs.tenant_id, { user_email: email, user_name: 'Guest' }, ['viewer']);
  person = bearing(api, tokens.access_token, ours.tenant_id);
});
afterAll(() => api.close());

interface Case {
  readonly path: string;
  readonly sort: string;
  readonly by?: 'person' | 'operator';
  /** A filter by the value of a row. */
  readonly filter: string;
}

const CASES: readonly Case[] = [
  { path: '/permissions', sort: 'perm', filter: 'perm_area' },
  { path: '/admin/roles/{role_id}/unused', sort: 'perm', filter: 'perm_area' },
  { path: '/admin/settings/options', sort: 'key', filter: 'permission' },
  { path: '/admin/settings/modules', sort: 'lic_module', filter: 'lic_module' },
  { path: '/auth/workspaces', sort: 'ws_slug', filter: 'ws_status', by: 'person' },
  { path: '/rate-limits', sort: 'rl_class', filter: 'rl_scope' },
  { path: '/usage/params', sort: 'usage_param', filter: 'unit' },
  { path: '/admin/retention', sort: 'ret_key', filter: 'ret_key' },
  { path: '/admin/audit-events/types', sort: 'aud_type', filter: 'aud_type' },
  { path: '/media-files/formats', sort: 'format', filter: 'kind' },
  { path: '/stock-photos/providers', sort: 'key', filter: 'configured' },
  { path: '/distribution/territories', sort: 'code', filter: 'code' },
  { path: '/files/{file_id}/references', sort: 'ref_name', filter: 'ref_type' },
  { path: '/partitions', sort: 'part_table', filter: 'part_table', by: 'operator' },
];

const client = ({ by }: Case): OperatorClient | Client =>
  by === 'operator' ? operatorOf(api) : by === 'person' ? person : ours.owner.client;
const address = ({ path }: Case, query: Row = {}): string =>
  `${path.replace('{file_id}', ids.file_id).replace('{role_id}', ids.role_id)}?${new URLSearchParams(Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]))).toString()}`;

const read = async (one: Case, query: Row = {}): Promise<PageBody> =>
  (await client(one).get(address(one, query)).expect(200)).body as PageBody;

/** All rows, page after page; those of a long list in a dozen. */
async function walk(one: Case, rows: number, query: Row = {}): Promise<Row[]> {
  const seen: Row[] = [];
  const limit = Math.ceil(rows / 12);
  for (let cursor: string | null | undefined; cursor !== null && seen.length <= rows;) {
    const page = await read(one, { ...query, limit, ...(cursor ? { cursor } : {}) });
    expect(page.data.length).toBeLessThanOrEqual(limit);
    expect(page.has_more).toBe(page.next_cursor !== null);
    seen.push(...page.data);
    cursor = page.next_cursor;
  }
  return seen;
}

/** What a row is, leaving out what goes down with every request. */
const constant = ({ rl_remaining: _, rl_reset_seconds: __, ...row }: Row): Row => row;
const constants = (rows: readonly Row[]): Row[] => rows.map(constant);

describe.each(CASES)('the collection $path', (one) => {
  it('is on one page by default, and walked by pages holds every row once, in order', async () => {
    const whole = await read(one);
    expect(whole).toMatchObject({ has_more: false, next_cursor: null });
    expect(whole.data.length).toBeGreaterThan(1);
    expect(constants(await walk(one, whole.data.length))).toEqual(constants(whole.data));
    const sorted = constants(await walk(one, whole.data.length, { sort: `-${one.sort}` }));
    expect(sorted).toHaveLength(whole.data.length);
    expect(constants(whole.data)).toEqual(expect.arrayContaining(sorted));
    expect((await read(one, { sort: one.sort })).data.map((row) => row[one.sort])).toEqual(sorted.map((row) => row[one.sort]).reverse());
  });

  it('takes an offset and the filters of its fields', async () => {
    const whole = await read(one);
    expect(constants((await read(one, { offset: 1, limit: 1 })).data)).toEqual(constants(whole.data.slice(1, 2)));
    const value = whole.data[0]?.[one.filter];
    const found = (await read(one, { [one.filter]: value })).data;
    expect(found.length).toBeGreaterThan(0);
    for (const row of found) expect(String(row[one.filter])).toContain(String(value));
  });

  it('starts again for a cursor of another order or an unreadable one, and refuses what is no parameter of lists', async () => {
    const first = await read(one, { limit: 1 });
    for (const cursor of [(await read(one, { limit: 1, sort: `-${one.sort}` })).next_cursor, 'bm90LW91cnM'])
      expect(constants((await read(one, { limit: 1, cursor })).data)).toEqual(constants(first.data));
    expect(constants((await read(one, { limit: 1, sort: 'nothing' })).data)).toEqual(constants(first.data));
    for (const query of [{ limit: 0 }, { limit: -1 }, { limit: 'all' }, { offset: -1 }, { page: 2 }])
      await client(one).get(address(one, query)).expect(400);
  });
});

describe('what comes beside the rows of a page', () => {
  it('is the same on every page', async () => {
    const references = (await ours.owner.client.get(`/files/${ids.file_id}/references?limit=1`).expect(200)).body as object;
    expect(references).toMatchObject({ data: [{ ref_type: 'album' }], has_more: true, hidden: 0 });
    expect((await ours.owner.client.get('/media-files/formats?limit=1').expect(200)).body).toMatchObject({
      data: [{ count: 1 }],
      has_more: true,
      counted: true,
    });
    expect((await ours.owner.client.get('/distribution/territories?code=FR').expect(200)).body).toMatchObject({
      data: [{ name: 'France' }],
      has_more: false,
      groups: { length: 3 },
    });
  });

  it('shows nothing of another workspace', async () => {
    await theirs.owner.client.get(`/files/${ids.file_id}/references?limit=1`).expect(404);
    await theirs.owner.client.get(`/admin/roles/${ids.role_id}/unused?limit=1`).expect(404);
    await ours.owner.client.get(`/files/${newId()}/references?limit=1`).expect(404);
  });
});
