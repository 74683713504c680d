import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { storeMany } from '../files/stored-files';
import { startAtrium } from '../support/api';

const MANY = 10_200;
const RARE = 100;

let api: RunningApi;
let ours: TestWorkspace;
let theirs: TestWorkspace;

/** A draft of each file, the newest first; every hundredth is called a lighthouse. */
async function draftEach(workspace: TestWorkspace, count: number): Promise<string[]> {
  await storeMany(api, workspace, count);
  const rows = await api.sql<{ pub_id: string }>(
    `INSERT INTO publication (tenant_id, pub_id, pub_file, pub_state, pub_version, pub_distribution, pub_file_name, pub_file_version, pub_repo_type, pub_created)
     SELECT tenant_id, gen_random_uuid(), file_id, 'draft', 1, 'worldwide', 'Harbour 100% ' || CASE WHEN n % $2 = 0 THEN 'lighthouse' ELSE 'pier' END || '.jpg', 1, 'media', now() - n * interval '1 minute'
     FROM (SELECT *, row_number() OVER () AS n FROM file WHERE tenant_id = $1) f RETURNING pub_id`,
    [workspace.tenant_id, RARE],
  );
  return rows.map(({ pub_id }) => pub_id);
}

beforeAll(async () => {
  api = await startAtrium();
  [ours, theirs] = [await api.workspace(['module-publication']), await api.workspace(['module-publication'])];
  await api.sql('ALTER TABLE file DISABLE TRIGGER USER');
  await Promise.all([draftEach(ours, MANY), draftEach(theirs, 3)]);
}, 120_000);
afterAll(() => api.close());

/** All that is found, page by page. */
async function found(
  query: string,
  { limit, workspace = ours }: { readonly limit: number; readonly workspace?: TestWorkspace },
): Promise<string[]> {
  const seen: string[] = [];
  for (let cursor = ''; ;) {
    const page = (await workspace.owner.client.get(`/publications?${query}&limit=${limit}${cursor}`).expect(200)).body as {
      data: { pub_id: string }[];
      next_cursor: string | null;
    };
    seen.push(...page.data.map(({ pub_id }) => pub_id));
    if (page.next_cursor === null) return seen;
    cursor = `&cursor=${page.next_cursor}`;
  }
}

const expected = async (condition: string): Promise<string[]> =>
  (
    await api.sql<{ pub_id: string }>(
      `SELECT pub_id FROM publication WHERE tenant_id = $1 AND ${condition} ORDER BY pub_created DESC, pub_id DESC`,
      [ours.tenant_id],
    )
  ).map(({ pub_id }) => pub_id);

describe('a text by which publications are searched', () => {
  it('finds each of the many that hold it, in order and once, as of the few', async () => {
    const all = await found('search=HARBOUR', { limit: 1_000 });
    expect(all).toHaveLength(MANY);
    expect(all).toEqual(await expected('true'));
    expect(await found('search=Lighthouse', { limit: 30 })).toEqual(await expected(`pub_file_name LIKE '%lighthouse%'`));
  });

  it('is kept as it is, however common or short', async () => {
    expect(await found(`search=${encodeURIComponent('100% l')}`, { limit: 50 })).toHaveLength(MANY / RARE);
    for (const text of ['10_%', '%%%', 'l_g']) expect(await found(`search=${encodeURIComponent(text)}`, { limit: 50 })).toEqual([]);
    expect(await found(`search=${encodeURIComponent('% l')}&pub_state=draft`, { limit: 50 })).toHaveLength(MANY / RARE);
    expect(await found('search=gh', { limit: 50 })).toHaveLength(MANY / RARE);
    expect(await found('search=harbour&pub_state=published', { limit: 50 })).toEqual([]);
  });

  it('finds in another workspace what is there', async () => {
    expect(await found('search=harbour', { limit: 50, workspace: theirs })).toHaveLength(3);
  });
});
