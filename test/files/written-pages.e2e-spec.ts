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
});
