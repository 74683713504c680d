import { inWorkspace, Database, sql } from '@atrium/platform/database';
import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { startAtrium } from '../support/api';

const PICTURES = 3_500;
/** Of the whole and of parts, as a picture has them. */
const VIEWS = 9;
const DIGITS = 32;
const MOST_APART = 14;

let api: RunningApi;
let ours: TestWorkspace;

beforeAll(async () => {
  api = await startAtrium();
  ours = await api.workspace();
  const theirs = await api.workspace();
  await api.sql(
    `INSERT INTO file_blob (tenant_id, blob_id, blob_size, blob_type, blob_key, blob_system)
     SELECT CASE WHEN n > 100 THEN $1::uuid ELSE $2::uuid END, gen_random_uuid(), n, 'image/jpeg', 'picture-' || n,
       jsonb_build_object('width', 4000, 'views', (SELECT string_agg(md5(n || ':' || view), '' ORDER BY view) FROM generate_series(0, $3 - 1) view))
     FROM generate_series(1, $4) n`,
    [ours.tenant_id, theirs.tenant_id, VIEWS, PICTURES + 100],
  );
  await api.sql('VACUUM ANALYZE file_blob');
}, 120_000);
afterAll(() => api.close());

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly Plan[];
}

interface Probe {
  readonly views: readonly string[];
  readonly inParts: boolean;
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
const readBy = (plan: Plan): number =>
  nodesOf(plan)
    .filter((node) => node['Relation Name'] === 'file_blob')
    .reduce(
      (rows, node) =>
        rows +
        (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)) * node['Actual Loops'],
      0,
    );

/** The statement inside the function, with what it would be called with in its place. */
async function planOf({ views, inParts }: Probe): Promise<Plan> {
  const [{ prosrc } = { prosrc: '' }] = await api.sql<{ prosrc: string }>(`SELECT prosrc FROM pg_proc WHERE proname = 'pictures_like'`);
  const values: Record<string, string> = {
    'current_tenant()': `'${ours.tenant_id}'::uuid`,
    probes: `'${views.join('')}'::text`,
    in_parts: String(inParts),
    distance: String(MOST_APART),
    most: '1000',
  };
  const statement = prosrc.replace(/current_tenant\(\)|\b(?:probes|in_parts|distance|most)\b/g, (name) => values[name] ?? name);
  const [row] = await api.sql<{ 'QUERY PLAN': readonly { readonly Plan: Plan }[] }>(`EXPLAIN (ANALYZE, FORMAT JSON) ${statement}`);
  const plan = row?.['QUERY PLAN'][0]?.Plan;
  if (!plan) throw new Error('PostgreSQL explained nothing.');
  return plan;
}

const found = ({ views, inParts }: Probe): Promise<{ readonly size: number; readonly apart: number }[]> =>
  inWorkspace(ours.tenant_id, () =>
    api.app
      .get(Database)
      .read((tx) =>
        tx.query(
          sql`SELECT b.blob_size::integer AS size, l.apart FROM pictures_like(${views.join('')}, ${inParts}, ${MOST_APART}, 1000) l JOIN file_blob b ON b.tenant_id = ${ours.tenant_id} AND b.blob_id = l.blob_id`,
        ),
      ),
  );

const viewOf = async (picture: number, view: number): Promise<string> =>
  (await api.sql<{ view: string }>('SELECT md5($1) AS view', [`${picture}:${view}`]))[0]?.view ?? '';

/** The view with this many bits changed, spread over all of it. */
const changed = (view: string, bits: number): string => {
  let rest = BigInt(`0x${view}`);
  for (let bit = 0; bit < bits; bit++) rest ^= 1n << BigInt(Math.floor((bit * 128) / bits));
  return rest.toString(16).padStart(DIGITS, '0');
};

const strangers = async (count: number): Promise<string[]> => Promise.all(Array.from({ length: count }, (_, at) => viewOf(-1, at)));

describe(`pictures that look like one, among ${PICTURES}`, () => {
  it.each([
    ['as wholes, turned, mirrored and cropped', 48, false],
    ['in their parts', 1, true],
  ])('are looked for %s through the index of bands, and hardly another is read', async (_, count, inParts) => {
    const plan = await planOf({ views: await strangers(count), inParts });
    expect(nodesOf(plan).map((node) => node['Index Name'])).toContain('file_blob_looks');
    expect(nodesOf(plan).map((node) => `${node['Node Type']} ${node['Relation Name'] ?? ''}`)).not.toContain('Seq Scan file_blob');
    expect(readBy(plan)).toBeLessThan(PICTURES / 500);
  });

  it('are found by the whole up to nine changed bits, by every part, and in this workspace alone', async () => {
    expect(await found({ views: [...(await strangers(40)), changed(await viewOf(500, 0), 9)], inParts: false })).toEqual([
      { size: 500, apart: 9 },
    ]);
    for (const part of [1, VIEWS - 1])
      expect(await found({ views: [changed(await viewOf(700, part), 9)], inParts: true })).toEqual([{ size: 700, apart: 9 }]);
    expect(await found({ views: [await viewOf(700, 1)], inParts: false })).toEqual([]);
    expect(await found({ views: [await viewOf(50, 0)], inParts: false })).toEqual([]);
    expect(await found({ views: [changed(await viewOf(500, 0), MOST_APART + 1)], inParts: false })).toEqual([]);
  });

  it('cost no more rows when each of a library is looked at in turn than there are pairs that are alike', async () => {
    const looked = [600, 1_200, 1_800, 2_400, 3_000];
    const plans = await Promise.all(
      looked.map(async (picture) =>
        planOf({ views: await Promise.all(Array.from({ length: VIEWS }, (_, view) => viewOf(picture, view))), inParts: false }),
      ),
    );
    for (const plan of plans) expect(readBy(plan)).toBeGreaterThanOrEqual(1);
    expect(plans.reduce((rows, plan) => rows + readBy(plan), 0)).toBeLessThan(looked.length + PICTURES / 500);
  });
});
