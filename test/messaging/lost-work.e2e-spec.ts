import { newId } from '@atrium/platform/kernel';
import { ScheduleHost } from '@atrium/platform/messaging';
import { RowsServer, type Client, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { textBase } from '../knowledge/filling';
import { Syncing } from '../objects/syncing';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { makeSite } from '../website/sites';

let api: RunningApi;
let server: RowsServer;
let ours: TestWorkspace;
let client: Client;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
  server = await RowsServer.start();
  ours = await api.workspace(['module-objects']);
  ({ client } = ours.owner);
}, 120_000);
afterAll(async () => {
  await server.stop();
  await api.close();
});

interface Row {
  readonly table: string;
  readonly age: string;
  readonly columns: Readonly<Record<string, unknown>>;
}

/** When a run was requested, where its table has another name for that. */
const QUEUED: Readonly<Record<string, string>> = { object_sync_run: 'queued', cms_run: 'queued_at' };

/** A row that says it runs, requested so long ago. */
async function running({ table, age, columns }: Row): Promise<string> {
  const job_id = newId();
  const [status, created] = table === 'background_job' ? ['job_status', 'job_created'] : ['status', QUEUED[table] ?? 'job_created'];
  const row = { job_id, [status]: 'running', job_created_by: ours.owner.user_id, ...columns };
  const since = table === 'file_job' ? 'job_created, job_updated' : created;
  const ago = `now() - interval '${age}'`;
  await api.sql(
    `INSERT INTO ${table} (tenant_id, ${since}, ${Object.keys(row).join(', ')}) VALUES ('${ours.tenant_id}', ${table === 'file_job' ? `${ago}, ${ago}` : ago}, ${Object.keys(
      row,
    )
      .map((_, at) => `$${at + 1}`)
      .join(', ')})`,
    Object.values(row),
  );
  return job_id;
}

const QUEUES: Readonly<Record<string, string>> = {
  background_job: 'identity.user-transfer',
  knowledge_job: 'knowledge.import',
  file_job: 'files.bulk',
  download_job: 'files.zip',
  object_sync_run: 'objects.sync',
  cms_run: 'website.sync',
};

const waitingFor = (name: string, job_id: string): Promise<unknown> =>
  api.sql(
    `INSERT INTO outbox (tenant_id, ev_id, ev_kind, ev_name, ev_key, ev_payload, ev_actor, ev_request, ev_due) VALUES ($1, $2, 'job', $3, $4, '{}', '{}', 'r', now() + interval '1 day')`,
    [ours.tenant_id, job_id, name, job_id],
  );

describe('work that says it runs', () => {
  it('is ended with a reason where its queue has no job for it any more, and nothing else is', async () => {
    const base = await textBase(client);
    const tables: readonly Omit<Row, 'age'>[] = [
      { table: 'background_job', columns: { job_kind: 'identity.user-transfer' } },
      { table: 'knowledge_job', columns: { job_kind: 'import', job_base: base } },
      { table: 'file_job', columns: { job_kind: 'reindex' } },
      { table: 'download_job', columns: { file_ids: [newId()], file_count: 1, total: 1 } },
      { table: 'object_sync_run', columns: { trigger: 'manual' } },
      { table: 'cms_run', columns: { direction: 'pull', trigger: 'manual' } },
    ];
    // A source and a site have one run at a time.
    const columnsOf = async ({ table, columns }: Omit<Row, 'age'>): Promise<Row['columns']> => {
      if (table === 'object_sync_run') return { ...columns, job_source: (await Syncing.set(api, ours, server)).osr_id };
      return table === 'cms_run' ? { ...columns, site_id: (await makeSite(client)).site_id } : columns;
    };
    const lost: string[] = [await running({ table: 'file_job', columns: { job_kind: 'reindex', status: 'queued' }, age: '2 hours' })];
    const kept: string[] = [];
    for (const kind of tables) {
      const { table } = kind;
      lost.push(await running({ table, columns: await columnsOf(kind), age: '2 hours' }));
      kept.push(await running({ table, columns: await columnsOf(kind), age: '10 minutes' }));
      const waiting = await running({ table, columns: await columnsOf(kind), age: '2 hours' });
      await waitingFor(QUEUES[table] ?? '', waiting);
      kept.push(waiting);
    }
    const [schema, waiting, recent] = [
      await Syncing.set(api, ours, server),
      await Syncing.set(api, ours, server),
      await Syncing.set(api, ours, server),
    ];
    for (const [{ form_id }, age] of [
      [schema, '2 hours'],
      [waiting, '2 hours'],
      [recent, '10 minutes'],
    ] as const)
      await api.sql(
        `INSERT INTO form_migration (tenant_id, mig_form, mig_revision, mig_status, mig_updated) VALUES ($1, $2, 2, 'running', now() - $3::interval)`,
        [ours.tenant_id, form_id, age],
      );
    await waitingFor('forms.migrate', waiting.form_id);
    await api.worker.get(ScheduleHost).runNow('messaging.lost-work');
    expect((await client.get(`/object-schemas/${schema.form_id}`).expect(200)).body).toMatchObject({
      form_migration: { status: 'failed' },
    });
    for (const { form_id } of [waiting, recent])
      expect((await client.get(`/object-schemas/${form_id}`).expect(200)).body).toMatchObject({ form_migration: { status: 'running' } });
    for (const job_id of lost)
      expect((await client.get(`/jobs/${job_id}`).expect(200)).body).toMatchObject({
        status: 'failed',
        error: 'The work was given up because its workers were lost. Start it again.',
        job_finished: expect.any(String) as string,
      });
    for (const job_id of kept) expect((await client.get(`/jobs/${job_id}`).expect(200)).body).toMatchObject({ status: 'running' });
    // The context hears of the end as of any other.
    const events = await api.sql<{ ev_name: string }>(`SELECT ev_name FROM outbox WHERE tenant_id = $1 AND ev_kind = 'event'`, [
      ours.tenant_id,
    ]);
    expect(events.map(({ ev_name }) => ev_name)).toEqual(
      expect.arrayContaining(['knowledge.job_finished', 'object.synced', 'cms.sync_failed']),
    );
  });
});
