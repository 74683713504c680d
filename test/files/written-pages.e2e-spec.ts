import { Database, declaredResources, inWorkspace, sql, writtenPage, type Sql, type UnitOfWork } from '@atrium/platform/database';
import type { RunningApi } from '@atrium/platform/testing';
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
    await client.post(`/files/${held}/hold`, { reason: 'A case.' }).expect(201);
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
    const { file_id } = await storeFile(api, workspace);
    await api.sql('ALTER TABLE file DISABLE TRIGGER USER');
    await api.sql(
      `INSERT INTO file (tenant_id, file_id, file_repo, repo_type, file_name, file_type, file_kind, file_size, file_metadata, file_provider_id, file_bucket, file_folder, file_added_by, file_current_version, file_blob)
       SELECT f.tenant_id, gen_random_uuid(), f.file_repo, f.repo_type, 'photo.jpg', 'image/jpeg', 'image', n, '{}', f.file_provider_id, 'disk', '', f.file_added_by, f.file_current_version, f.file_blob
       FROM file f, generate_series(1, $2) n WHERE f.file_id = $1`,
      [file_id, MANY],
    );
    await api.sql('ALTER TABLE file ENABLE TRIGGER USER');
    await api.sql('ANALYZE file');
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
  const file = declaredResources().find(({ name }) => name === 'File')!;
  await writtenPage(Object.assign(Object.create(tx) as UnitOfWork, keeping), file, query, {
    where: sql`r.repo_key = 'media' AND r.file_deleted IS NULL`,
    steady: true,
  });
  if (!kept) throw new Error('The plan is not kept.');
  return kept;
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Actual Rows': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** How many rows the scans of a plan came across. */
const rowsTouched = (plan: PlanNode): number =>
  (plan['Node Type'].includes('Scan') ? plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0) : 0) +
  (plan.Plans ?? []).reduce((sum, child) => sum + rowsTouched(child), 0);
