import { RowsServer, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { applyAnew, preview, runs } from '../governance/retaining';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { article, articles, Syncing } from './syncing';

let api: RunningApi;
let server: RowsServer;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
  server = await RowsServer.start();
}, 120_000);
afterAll(async () => {
  await server.stop();
  await api.close();
});

const age = (job_id: string, column: 'queued' | 'finished', days: number): Promise<unknown> =>
  api.sql(`UPDATE object_sync_run SET ${column} = now() - $2 * interval '1 day' WHERE job_id = $1`, [job_id, days]);
const left = async ({ tenant_id }: TestWorkspace, table: 'object_sync_run' | 'object_sync_row'): Promise<string[]> =>
  (await api.sql<{ job_id: string }>(`SELECT DISTINCT job_id FROM ${table} WHERE tenant_id = $1 ORDER BY 1`, [tenant_id])).map(
    ({ job_id }) => job_id,
  );

/** A source with a run of 91 days ago and one of 89, each with rows. */
async function aged(workspace: TestWorkspace): Promise<{ readonly source: Syncing; readonly old: string; readonly young: string }> {
  server.rows = articles(3);
  const source = await Syncing.set(api, workspace, server);
  const { job_id: old } = await source.sync();
  server.rows = [article(0, { price: 5 }), ...articles(3).slice(1)];
  const { job_id: young } = await source.sync();
  await age(old, 'finished', 91);
  await age(young, 'finished', 89);
  return { source, old, young };
}

describe('runs of sources', () => {
  it('go with their rows once they have ended for as long as their workspace keeps records of work, and no others', async () => {
    const [ours, theirs] = [await api.workspace(['module-objects']), await api.workspace(['module-objects'])];
    const [mine, other] = [await aged(ours), await aged(theirs)];
    await theirs.owner.client.patch('/admin/retention', { job_rows: 365 }).expect(200);
    // One that has waited for long has not ended.
    await ours.owner.client.patch(mine.source.path, { osr_active: true }).expect(200);
    const [open] = await api.sql<{ job_id: string }>(
      `INSERT INTO object_sync_run (tenant_id, job_id, job_source, status, trigger, queued) VALUES ($1, gen_random_uuid(), $2, 'queued', 'schedule', now() - interval '200 days') RETURNING job_id`,
      [ours.tenant_id, mine.source.osr_id],
    );
    expect(await preview(ours, 'job_rows')).toMatchObject({ rows: 1 });
    await applyAnew(api, ours, theirs);
    expect(await runs(ours, 'job_rows')).toMatchObject([{ run_status: 'completed', run_removed: 1 }]);
    expect(await left(ours, 'object_sync_run')).toEqual([mine.young, open?.job_id].sort());
    expect(await left(ours, 'object_sync_row')).toEqual([mine.young]);
    await ours.owner.client.get(`${mine.source.path}/runs/${mine.old}/rows`).expect(404);
    expect((await ours.owner.client.get(`${mine.source.path}/runs`).expect(200)).body.data).toHaveLength(2);
    expect(await left(theirs, 'object_sync_run')).toEqual([other.old, other.young].sort());
    expect(await left(theirs, 'object_sync_row')).toEqual([other.old, other.young].sort());
    // What they made stays.
    expect(await mine.source.stored()).toMatchObject({ active: 3 });
  }, 60_000);

  it('with more rows than one step removes go all the same', async () => {
    const ours = await api.workspace(['module-objects']);
    const { source, old, young } = await aged(ours);
    await api.sql(
      `INSERT INTO object_sync_row (tenant_id, row_id, job_id, external_id, action) SELECT $1, gen_random_uuid(), $2, 'row-' || n, 'held' FROM generate_series(1, 20001) n`,
      [ours.tenant_id, old],
    );
    await applyAnew(api, ours);
    expect([await left(ours, 'object_sync_run'), await left(ours, 'object_sync_row')]).toEqual([[young], [young]]);
    expect(await runs(ours, 'job_rows')).toMatchObject([{ run_status: 'completed', run_removed: 1 }]);
    expect(await source.stored()).toMatchObject({ active: 3 });
  }, 60_000);
});
