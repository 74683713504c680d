import { Database, declaredResources, inWorkspace, listPage, sql, writtenPage, type Sql, type UnitOfWork } from '@atrium/platform/database';
import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { startAtrium } from '../support/api';
import { storeFile } from './stored-files';

let api: RunningApi;

beforeAll(async () => {
  api = await startAtrium();
});
afterAll(() => api.close());

/** Files of one state: enough to make every plan but the right one a long way round. */
const MANY = 5_000;

interface Row {
  readonly file_id: string;
}

describe('a page that the database writes', () => {
  it('shows files as they are shown by themselves, to the millisecond, however they stand and whatever they are called', async () => {
    const workspace = await api.workspace();
    const { client, user_id } = workspace.owner;
    const stored = await Promise.all(
      ['plain.txt', 'quo"ted \\ 東京.txt', 'held.txt'].map((name) =>
        storeFile(api, workspace, { name, metadata: { note: 'line\nbreak', exact: 0.1, none: null } }),
      ),
    );
    const [plain, , held] = stored.map(({ file_id }) => file_id);
    await api.sql("UPDATE file SET file_created = '2026-01-02T03:04:05Z', file_updated = '2026-01-02T03:04:05.060Z' WHERE file_id = $1", [
      plain,
    ]);
    await api.sql('INSERT INTO file_pref (tenant_id, file_id, user_id, favorite) VALUES ($1, $2, $3, true)', [
      workspace.tenant_id,
      plain,
      user_id,
    ]);
    await client.post(`/files/${held}/hold`, { lh_reason: 'A case.' }).expect(201);
    const page = (await client.get('/files?repo_type=media&sort=file_name&limit=2').expect(200)).body as {
      data: Row[];
      has_more: boolean;
      next_cursor: string;
    };
    const rest = (await client.get(`/files?repo_type=media&sort=file_name&limit=2&cursor=${page.next_cursor}`).expect(200))
      .body as typeof page;
    expect([page.has_more, rest.has_more, rest.next_cursor]).toEqual([true, false, null]);
    const rows = [...page.data, ...rest.data];
    expect(rows).toHaveLength(3);
    for (const row of rows) expect(row).toEqual((await client.get(`/files/${row.file_id}`).expect(200)).body);
    const shown = new Map(rows.map((row) => [row.file_id, row]));
    expect(shown.get(plain ?? '')).toMatchObject({
      file_created: '2026-01-02T03:04:05.000Z',
      file_updated: '2026-01-02T03:04:05.060Z',
      file_pref: { favorite: true },
    });
    expect(shown.get(held ?? '')).toMatchObject({ file_metadata: { system: { hold: true } } });
  });

  it('keeps its plan on the connection, and none of a statement that is planned for its values', async () => {
    const mode = sql`SELECT current_setting('plan_cache_mode') AS mode`;
    const { tenant_id } = await api.workspace();
    const modes = await inWorkspace(tenant_id, () =>
      api.app
        .get(Database, { strict: false })
        .read(async (tx) => [await tx.querySteady(mode), await tx.query(mode), await tx.querySteady(mode)]),
    );
    expect(modes.flat()).toEqual([{ mode: 'force_generic_plan' }, { mode: 'auto' }, { mode: 'force_generic_plan' }]);
  });

  it('with a filter that an index serves is planned for all values, and reads no file of another state, even where nearly all are in one', async () => {
    const workspace = await api.workspace();
    const file_id = await addMany(workspace);
    await api.sql("UPDATE file SET file_status = 'in_review' WHERE file_id = $1", [file_id]);
    const touched = await inWorkspace(workspace.tenant_id, () =>
      api.app.get(Database, { strict: false }).read(async (tx) => {
        const { text, values } = await keptStatement(tx, { file_status: 'in_review', sort: '-file_size' });
        await tx.execute(`SET LOCAL plan_cache_mode = force_generic_plan`);
        await tx.execute(`PREPARE page AS ${text}`);
        const [explained] = await tx.query<{ 'QUERY PLAN': readonly [{ Plan: PlanNode }] }>(
          `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE page (${values.map((value) => `'${String(value)}'`).join(', ')})`,
        );
        return rowsTouched(explained!['QUERY PLAN'][0].Plan);
      }),
    );
    expect(touched).toBe(1);
  });

  it('is planned for its values where no index holds the rows of a filter in the order asked for', async () => {
    const { tenant_id } = await api.workspace();
    await inWorkspace(tenant_id, () =>
      api.app.get(Database, { strict: false }).read(async (tx) => {
        await expect(keptStatement(tx, { file_status: 'active', sort: 'file_name' })).rejects.toThrow('not kept');
        await expect(keptStatement(tx, { file_status: 'active', file_hash: 'a' })).rejects.toThrow('not kept');
        await expect(keptStatement(tx, { file_status: 'active', limit: 33 })).rejects.toThrow('not kept');
      }),
    );
  });
});

describe('a page behind an offset', () => {
  it('reads and writes nothing of the files that are passed over but their ids, however it is written', async () => {
    const workspace = await api.workspace();
    await addMany(workspace);
    const seen = await inWorkspace(workspace.tenant_id, () =>
      api.app.get(Database, { strict: false }).read(async (tx) => {
        const pages = [writtenPage, listPage].map((page) =>
          statementOf(tx, (asking) =>
            page(
              asking,
              file(),
              { offset: MANY - 20, limit: 10 },
              { where: LISTED, select: sql`(SELECT r.file_metadata ->> 'system') AS system` },
            ),
          ),
        );
        const plans: PlanNode[] = [];
        for (const page of pages) {
          const { text, values } = await page;
          const [explained] = await tx.query<{ 'QUERY PLAN': readonly [{ Plan: PlanNode }] }>(
            `EXPLAIN (ANALYZE, VERBOSE, FORMAT JSON) ${text}`,
            values,
          );
          plans.push(explained!['QUERY PLAN'][0].Plan);
        }
        return plans;
      }),
    );
    for (const plan of seen) {
      const nodes = allOf(plan);
      const shown = nodes.filter((node) => node.Output?.some((column) => column.includes('file_metadata')));
      expect(plan['Actual Rows']).toBe(11);
      expect(Math.max(...nodes.map(rowsOf))).toBeGreaterThan(MANY - 20);
      expect(shown.length).toBeGreaterThan(0);
      expect(Math.max(...shown.map(rowsOf))).toBe(11);
    }
  });

  it('holds the rows that a walk by cursors comes to, in the same order', async () => {
    const workspace = await api.workspace();
    const { client } = workspace.owner;
    await addMany(workspace, 30);
    const page = async (query: string): Promise<{ data: Row[]; has_more: boolean; next_cursor: string | null }> =>
      (await client.get(`/files?repo_type=media&sort=file_size&${query}`).expect(200)).body as never;
    const first = await page('limit=12');
    const second = await page(`limit=12&cursor=${first.next_cursor}`);
    expect(await page('limit=12&offset=12')).toEqual(second);
    expect((await page('limit=12&offset=24')).data).toEqual((await page(`limit=12&cursor=${second.next_cursor}`)).data);
    expect(await page('limit=12&offset=40')).toEqual({ data: [], has_more: false, next_cursor: null });
  });
});

/** Adds files of one state to a workspace, beside the one that they are copies of. */
async function addMany(workspace: TestWorkspace, count = MANY): Promise<string> {
  const { file_id } = await storeFile(api, workspace);
  await api.sql('ALTER TABLE file DISABLE TRIGGER USER');
  await api.sql(
    `INSERT INTO file (tenant_id, file_id, file_repo, repo_type, file_name, file_type, file_kind, file_size, file_metadata, file_provider_id, file_bucket, file_folder, file_added_by, file_current_version, file_blob)
     SELECT f.tenant_id, gen_random_uuid(), f.file_repo, f.repo_type, 'photo.jpg', 'image/jpeg', 'image', n, '{}', f.file_provider_id, 'disk', '', f.file_added_by, f.file_current_version, f.file_blob
     FROM file f, generate_series(1, $2) n WHERE f.file_id = $1`,
    [file_id, count],
  );
  await api.sql('ALTER TABLE file ENABLE TRIGGER USER');
  await api.sql('ANALYZE file');
  return file_id;
}

const LISTED = sql`r.repo_key = 'media' AND r.file_deleted IS NULL`;

const file = (): Function => declaredResources().find(({ name }) => name === 'File')!;

/** The one statement that a page sends. */
async function statementOf(tx: UnitOfWork, page: (asking: UnitOfWork) => Promise<unknown>): Promise<Sql> {
  const sent: Sql[] = [];
  const query = (statement: Sql): Promise<never[]> => {
    sent.push(statement);
    return Promise.resolve([]);
  };
  await page(Object.assign(Object.create(tx) as UnitOfWork, { query, querySteady: query }));
  return sent[0]!;
}

/** The statement of a page whose plan is kept. */
async function keptStatement(tx: UnitOfWork, query: object): Promise<Sql> {
  let kept: Sql | undefined;
  const keeping = {
    querySteady: (statement: Sql) => {
      kept = statement;
      return Promise.resolve([]);
    },
    query: () => Promise.resolve([]),
  };
  await writtenPage(Object.assign(Object.create(tx) as UnitOfWork, keeping), file(), query, { where: LISTED, steady: true });
  if (!kept) throw new Error('The plan is not kept.');
  return kept;
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly Output?: readonly string[];
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

const allOf = (plan: PlanNode): PlanNode[] => [plan, ...(plan.Plans ?? []).flatMap(allOf)];

/** How many rows a node of a plan made, in all its rounds. */
const rowsOf = (node: PlanNode): number => node['Actual Rows'] * node['Actual Loops'];

/** How many rows the scans of a plan came across. */
const rowsTouched = (plan: PlanNode): number =>
  (plan['Node Type'].includes('Scan') ? plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0) : 0) +
  (plan.Plans ?? []).reduce((sum, child) => sum + rowsTouched(child), 0);
