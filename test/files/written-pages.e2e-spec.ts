import { Database, inWorkspace, sql } from '@atrium/platform/database';
import type { RunningApi } from '@atrium/platform/testing';
import { startAtrium } from '../support/api';
import { storeFile } from './stored-files';

let api: RunningApi;

beforeAll(async () => {
  api = await startAtrium();
});
afterAll(() => api.close());

interface Row {
  readonly file_id: string;
}

describe('a page that the database writes', () => {
  it('shows files as they are shown by themselves, to the millisecond, however they stand and whatever they are called', async () => {
    const workspace = await api.workspace();
    const { client, user_id } = workspace.owner;
    const stored = await Promise.all(['plain.txt', 'quo"ted \\ 東京.txt', 'held.txt'].map((name) => storeFile(api, workspace, { name, metadata: { note: 'line\nbreak', exact: 0.1, none: null } })));
    const [plain, , held] = stored.map(({ file_id }) => file_id);
    await api.sql("UPDATE file SET file_created = '2026-01-02T03:04:05Z', file_updated = '2026-01-02T03:04:05.060Z' WHERE file_id = $1", [plain]);
    await api.sql('INSERT INTO file_pref (tenant_id, file_id, user_id, favorite) VALUES ($1, $2, $3, true)', [workspace.tenant_id, plain, user_id]);
    await client.post(`/files/${held}/hold`, { reason: 'A case.' }).expect(201);
    const page = (await client.get('/files?repo_type=media&sort=file_name&limit=2').expect(200)).body as { data: Row[]; has_more: boolean; next_cursor: string };
    const rest = (await client.get(`/files?repo_type=media&sort=file_name&limit=2&cursor=${page.next_cursor}`).expect(200)).body as typeof page;
    expect([page.has_more, rest.has_more, rest.next_cursor]).toEqual([true, false, null]);
    const rows = [...page.data, ...rest.data];
    expect(rows).toHaveLength(3);
    for (const row of rows) expect(row).toEqual((await client.get(`/files/${row.file_id}`).expect(200)).body);
    const shown = new Map(rows.map((row) => [row.file_id, row]));
    expect(shown.get(plain ?? '')).toMatchObject({ file_created: '2026-01-02T03:04:05.000Z', file_updated: '2026-01-02T03:04:05.060Z', file_pref: { favorite: true } });
    expect(shown.get(held ?? '')).toMatchObject({ file_metadata: { system: { hold: true } } });
  });

  it('keeps its plan on the connection, and none of a statement that is planned for its values', async () => {
    const mode = sql`SELECT current_setting('plan_cache_mode') AS mode`;
    const { tenant_id } = await api.workspace();
    const modes = await inWorkspace(tenant_id, () =>
      api.app.get(Database, { strict: false }).read(async (tx) => [await tx.querySteady(mode), await tx.query(mode), await tx.querySteady(mode)]),
    );
    expect(modes.flat()).toEqual([{ mode: 'force_generic_plan' }, { mode: 'auto' }, { mode: 'force_generic_plan' }]);
  });

  it('is planned once for its filters where the same is asked again and again, and shows each workspace its own files as they are now', async () => {
    const [mine, theirs] = [await api.workspace(), await api.workspace()];
    const question = '/files?repo_type=media&file_status=active&sort=-file_size&limit=7';
    const shown = async ({ owner }: typeof mine): Promise<string[]> => ((await owner.client.get(question).expect(200)).body as { data: Row[] }).data.map(({ file_id }) => file_id);
    const first = await storeFile(api, mine, { name: 'first.txt' });
    for (let n = 0; n < 12; n++) expect(await shown(mine)).toEqual([first.file_id]);
    const second = await storeFile(api, mine, { name: 'second.txt' });
    for (let n = 0; n < 12; n++) expect((await shown(mine)).sort()).toEqual([first.file_id, second.file_id].sort());
    for (let n = 0; n < 12; n++) expect(await shown(theirs)).toEqual([]);
    await api.sql("UPDATE file SET file_status = 'archived' WHERE file_id = $1", [first.file_id]);
    expect(await shown(mine)).toEqual([second.file_id]);
  });

  it('keeps such a plan on the connection that made it', async () => {
    const { tenant_id } = await api.workspace();
    const question = sql`SELECT file_id FROM file WHERE tenant_id = ${tenant_id} AND file_status = ${'active'}`;
    const plans = await inWorkspace(tenant_id, () =>
      api.app.get(Database, { strict: false }).read(async (tx) => {
        for (let n = 0; n < 12; n++) await tx.queryFrequent(question);
        return tx.query(sql`SELECT generic_plans, custom_plans, position(${tenant_id} IN statement) > 0 AS has_literal FROM pg_prepared_statements WHERE statement LIKE ${'SELECT file_id FROM file WHERE tenant_id = %'} ORDER BY generic_plans DESC LIMIT 1`);
      }),
    );
    expect(plans).toEqual([{ generic_plans: 4, custom_plans: 0, has_literal: true }]);
  });
});
