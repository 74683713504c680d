import { SearchLanguage, type SearchNode } from '@atrium/files';
import { ActingCallers } from '@atrium/identity';
import type { Principal } from '@atrium/platform/access';
import { Database, inWorkspace, sql, type UnitOfWork } from '@atrium/platform/database';
import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { startAtrium } from '../support/api';
import { sentDuring } from '../support/sent-statements';
import { SearchWorld } from './search-world';

const FILES = 40_000;

let api: RunningApi;
let ours: TestWorkspace;
let reader: Principal;

beforeAll(async () => {
  api = await startAtrium();
  ours = await api.workspace();
  const world = await SearchWorld.in(api, ours);
  const first = await world.file();
  await api.sql(`ALTER TABLE file DISABLE TRIGGER USER`);
  await api.sql(
    `INSERT INTO file (tenant_id, file_id, file_repo, repo_type, file_name, file_type, file_kind, file_size, file_hash, file_metadata, file_summary, file_provider_id, file_bucket, file_folder, file_added_by, file_current_version, file_blob, file_created)
     SELECT f.tenant_id, gen_random_uuid(), f.file_repo, f.repo_type, 'img_' || n || CASE WHEN n % 20000 = 7 THEN ' harbour.tga' ELSE '.jpg' END, CASE WHEN n % 20000 = 7 THEN 'image/x-tga' ELSE 'image/jpeg' END, CASE WHEN n % 20000 = 7 THEN 'font' ELSE 'image' END,
       n, 'h' || n / 2,
       CASE WHEN n % 20000 = 7 THEN '{"client": "ACME", "system": {"camera": "Orbit 9", "width": 9999, "iso": 51200, "embedded": {"title": "Zeppelin over the lake", "keywords": ["Airship"], "rating": 5}, "taken": "1999-05-05T00:00:00.000Z", "gps": {"lat": 48.86, "lng": 2.35}, "colors": [{"hex": "#ff0000", "share": 1}]}, "rights": {"expires": "2030-01-01"}}'::jsonb
            ELSE jsonb_build_object('client', 'Initech', 'system', jsonb_build_object('camera', 'Lumen', 'width', 100 + n % 900)) END,
       CASE WHEN n % 20000 = 7 THEN 'Boats at dusk.' END, f.file_provider_id, 'disk', '', f.file_added_by, f.file_current_version, f.file_blob, now() - n * interval '1 minute'
     FROM file f, generate_series(1, $2) n WHERE f.file_id = $1`,
    [first, FILES],
  );
  await api.sql(`ALTER TABLE file ENABLE TRIGGER USER`);
  await api.sql(
    `INSERT INTO file_search_text (tenant_id, file_id, fst_name, fst_summary, fst_embedded) SELECT tenant_id, file_id, file_name, coalesce(file_summary, ''), file_embedded_words(file_metadata) FROM file ON CONFLICT DO NOTHING`,
  );
  await api.sql('ANALYZE file, file_search_text');
  reader = await inWorkspace(ours.tenant_id, () =>
    api.app.get(ActingCallers, { strict: false }).resolvePrincipal({ user_id: ours.owner.user_id, key_id: null }),
  );
}, 120_000);
afterAll(() => api.close());

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

/** How many rows of files a plan touched. */
const touched = (plan: Plan): number => {
  const own = plan['Relation Name'] === 'file' ? (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'] : 0;
  return own + (plan.Plans ?? []).reduce((sum, child) => sum + touched(child), 0);
};

const nodesOf = (plan: Plan): string[] => [`${plan['Node Type']} ${plan['Relation Name'] ?? ''}`, ...(plan.Plans ?? []).flatMap(nodesOf)];

/** What the first page of a listing costs, as the service's own role runs it. */
const planOf = (query: { readonly where?: SearchNode; readonly text?: string }): Promise<Plan> => {
  const language = api.app.get(SearchLanguage, { strict: false });
  return inWorkspace(ours.tenant_id, () =>
    api.app.get(Database).read(async (tx: UnitOfWork) => {
      const { where } = await language.compileQuery({ scope: 'media', query, reader });
      const rows = await tx.query<{ 'QUERY PLAN': readonly { readonly Plan: Plan }[] }>(
        sql`EXPLAIN (ANALYZE, FORMAT JSON) SELECT r.file_id FROM file r WHERE ${language.scopeCondition('media', reader)} AND (${where}) ORDER BY r.file_created DESC, r.file_id DESC LIMIT 51`,
      );
      const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
      if (!plan) throw new Error('PostgreSQL explained nothing.');
      return plan;
    }),
  );
};

const rare = { client: 'ACME' };

describe(`a leaf that few of ${FILES} files match`, () => {
  it.each<[string, { readonly where?: SearchNode; readonly text?: string }]>([
    ['text', { text: 'boats dusk' }],
    ['file_name contains', { where: { field: 'file_name', op: 'contains', value: 'harbour' } }],
    ['file_name eq', { where: { field: 'file_name', op: 'eq', value: 'IMG_77.jpg' } }],
    ['file_summary contains', { where: { field: 'file_summary', op: 'contains', value: 'at dusk' } }],
    ['file_type eq', { where: { field: 'file_type', op: 'eq', value: 'image/x-tga' } }],
    ['file_type starts_with', { where: { field: 'file_type', op: 'starts_with', value: 'image/x-' } }],
    ['format', { where: { field: 'format', op: 'eq', value: 'tga' } }],
    ['kind', { where: { field: 'kind', op: 'eq', value: 'font' } }],
    ['file_size between', { where: { field: 'file_size', op: 'between', value: [10, 20] } }],
    ['width gt', { where: { field: 'width', op: 'gt', value: 5_000 } }],
    ['iso gt', { where: { field: 'iso', op: 'gt', value: 25_600 } }],
    ['rating eq', { where: { field: 'rating', op: 'eq', value: 5 } }],
    ['title contains', { where: { field: 'title', op: 'contains', value: 'zeppelin' } }],
    ['keyword', { where: { field: 'keyword', op: 'has_any', value: ['airship'] } }],
    ['taken before', { where: { field: 'taken', op: 'before', value: '2000-01-01' } }],
    ['camera eq', { where: { field: 'camera', op: 'eq', value: 'orbit 9' } }],
    ['camera contains', { where: { field: 'camera', op: 'contains', value: 'orb' } }],
    ['location within_radius', { where: { field: 'location', op: 'within_radius', value: { lat: 48.9, lng: 2.3, km: 30 } } }],
    ['color near', { where: { field: 'color', op: 'near', value: { hex: '#fa0505', tolerance: 10 } } }],
    ['rights_expires exists', { where: { field: 'rights_expires', op: 'exists' } }],
    ['metadata eq', { where: { field: 'metadata.client', op: 'eq', value: rare.client } }],
  ])('is found through an index: %s', async (_, query) => {
    const plan = await planOf(query);
    expect(plan['Actual Rows']).toBeGreaterThan(0);
    expect(nodesOf(plan)).not.toContain('Seq Scan file');
    expect(touched(plan)).toBeLessThan(FILES / 50);
  });

  it('is fetched and bound again for few files together, however many leaves there are', async () => {
    const any = Array.from({ length: 50 }, (_, at): SearchNode => ({ field: 'file_name', op: 'contains', value: `img_${at + 10}` }));
    const ids = async (where: SearchNode): Promise<number> => {
      const sent = await sentDuring(api, () => planOf({ where }));
      return JSON.stringify(sent.map(({ values }) => values)).match(/[0-9a-f]{8}-[0-9a-f]{4}-/g)?.length ?? 0;
    };
    // Each of the names is in 1,111 files: of ten leaves all are few enough, of fifty they are not.
    expect(await ids({ any: any.slice(0, 10) })).toBeGreaterThan(9_000);
    expect(await ids({ any })).toBeLessThanOrEqual(21_000);
  });

  it.each<[string, SearchNode]>([
    ['a name that most files have', { field: 'file_name', op: 'contains', value: 'img' }],
    ['a kind that most files have', { field: 'kind', op: 'eq', value: 'image' }],
    ['metadata that most files have', { field: 'metadata.client', op: 'ne', value: 'ACME' }],
    ['a moment that most files were added before', { field: 'file_created', op: 'before', value: { ago: 'P1D' } }],
  ])('and the first page of what many match is come across: %s', async (_, where) => {
    const plan = await planOf({ where });
    expect(plan['Actual Rows']).toBe(51);
    expect(touched(plan)).toBeLessThan(FILES / 20);
  });

  it.each<[string, SearchNode]>([
    [
      'a kind of pictures by a camera',
      {
        all: [
          { field: 'camera', op: 'eq', value: 'Lumen' },
          { field: 'kind', op: 'eq', value: 'image' },
        ],
      },
    ],
    [
      'a kind in some states',
      {
        all: [
          { field: 'kind', op: 'eq', value: 'image' },
          { field: 'file_status', op: 'ne', value: 'archived' },
        ],
      },
    ],
    ['all files', { all: [] }],
  ])('is counted without a look at the files: %s', async (_, where) => {
    await api.sql('VACUUM file');
    const language = api.app.get(SearchLanguage, { strict: false });
    const plan = await inWorkspace(ours.tenant_id, () =>
      api.app.get(Database).read(async (tx: UnitOfWork) => {
        const compiled = await language.compileQuery({ scope: 'media', query: { where }, reader });
        return tx.first<{ 'QUERY PLAN': readonly { readonly Plan: Plan }[] }>(
          sql`EXPLAIN (FORMAT JSON) SELECT count(*), max(x.file_created) FROM (SELECT r.file_id, r.file_created FROM file r WHERE ${language.scopeCondition('media', reader)} AND (${compiled.where}) ORDER BY r.file_created DESC, r.file_id DESC LIMIT 10001) x`,
        );
      }),
    );
    const nodes = plan?.['QUERY PLAN'][0] ? nodesOf(plan['QUERY PLAN'][0].Plan) : [];
    expect(nodes.filter((node) => node.endsWith(' file'))).toEqual(['Index Only Scan file']);
  });

  it('counts to its cap and no further', async () => {
    const language = api.app.get(SearchLanguage, { strict: false });
    const count = (where: SearchNode): Promise<object> =>
      inWorkspace(ours.tenant_id, () =>
        api.app.get(Database).read(() => language.countMatches({ scope: 'media', query: { where }, reader })),
      );
    expect(await count({ field: 'kind', op: 'eq', value: 'image' })).toEqual({ count: 10_000, count_exact: false });
    expect(await count({ field: 'kind', op: 'eq', value: 'font' })).toEqual({ count: FILES / 20_000, count_exact: true });
  });

  it('keeps a count for a moment, for one reader and one query', async () => {
    const language = api.app.get(SearchLanguage, { strict: false });
    const request = { scope: 'media' as const, query: { where: { field: 'file_size', op: 'eq', value: 12_345 } }, reader };
    const count = (fresh: boolean): Promise<number> =>
      inWorkspace(ours.tenant_id, () => api.app.get(Database).read(async () => (await language.countMatches(request, { fresh })).count));
    expect(await count(false)).toBe(1);
    await api.sql('UPDATE file SET file_size = 12345 WHERE tenant_id = $1 AND file_size = 12346', [ours.tenant_id]);
    expect(await count(true)).toBe(2);
    expect(await count(false)).toBe(2);
  });
});
