import { newId } from '@atrium/platform/kernel';
import { articles, Syncing } from '../objects/syncing';
import { textBase } from '../knowledge/filling';
import { sharedAtrium } from '../support/shared-atrium';
import { RowsServer, type Client, type Member, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';

let api: RunningApi;
let server: RowsServer;
let ours: TestWorkspace;

beforeAll(async () => {
  api = await sharedAtrium();
  server = await RowsServer.start();
}, 120_000);
beforeEach(async () => {
  ours = await api.workspace(['module-objects']);
});
afterAll(async () => {
  await server.stop();
  await api.close();
});

interface JobAnswer {
  readonly job_id: string;
  readonly job_kind: string;
  readonly status: string;
  readonly subject: { readonly type: string; readonly id: string } | null;
  readonly href: string;
  readonly stalled: boolean;
}

const jobsOf = async (client: Client, query = ''): Promise<JobAnswer[]> =>
  ((await client.get(`/jobs${query}`).expect(200)).body as { data: JobAnswer[] }).data;
const kindsOf = async (client: Client, query = ''): Promise<string[]> => (await jobsOf(client, query)).map(({ job_kind }) => job_kind);

/** A row of work in a table, newer by so many minutes than the first. */
async function seed(table: string, row: Readonly<Record<string, unknown>>): Promise<string> {
  const columns = Object.keys(row);
  await api.sql(
    `INSERT INTO ${table} (tenant_id, ${columns.join(', ')}) VALUES ('${ours.tenant_id}', ${columns.map((_, at) => `$${at + 1}`).join(', ')})`,
    Object.values(row),
  );
  return String(row['job_id'] ?? row['run_id']);
}
const minute = (at: number): Date => new Date(Date.parse('2026-11-30T08:00:00Z') + at * 60_000);

/** One job of each table; those of people are requested by the member. */
async function oneOfEach({ user_id }: Pick<Member, 'user_id'>): Promise<{ readonly base: string; readonly source: Syncing }> {
  server.rows = articles(1);
  const base = await textBase(ours.owner.client);
  const source = await Syncing.set(api, ours, server);
  const mine = { job_created_by: user_id };
  await seed('background_job', { job_id: newId(), job_kind: 'identity.user-transfer', job_created: minute(1), ...mine });
  await seed('file_job', { job_id: newId(), job_kind: 'reindex', job_created: minute(2), ...mine });
  await seed('file_job', { job_id: newId(), job_kind: 'media.analyze', job_created: minute(3), ...mine });
  await seed('download_job', { job_id: newId(), file_ids: [newId()], file_count: 1, total: 1, job_created: minute(4), ...mine });
  await seed('knowledge_job', { job_id: newId(), job_kind: 'import', job_base: base, job_created: minute(5), ...mine });
  await seed('object_sync_run', { job_id: newId(), job_source: source.osr_id, trigger: 'manual', queued: minute(6), ...mine });
  await seed('retention_run', {
    ...{ run_id: newId(), ret_key: 'trash', run_date: '2026-11-30', run_before: minute(0), run_status: 'completed' },
    ...{ run_removed: 3, run_started: minute(7), run_finished: minute(8) },
  });
  await api.sql(
    `INSERT INTO form_migration (tenant_id, mig_form, mig_revision, mig_status, mig_done, mig_total, mig_created) VALUES ($1, $2, 2, 'done', 4, 4, $3)`,
    [ours.tenant_id, source.form_id, minute(9)],
  );
  return { base, source };
}

const NEWEST_FIRST = [
  'forms.migrate',
  'governance.retention',
  'objects.sync',
  'knowledge.import',
  'files.download',
  'media.analyze',
  'files.reindex',
  'identity.user-transfer',
];

describe('the jobs of a workspace', () => {
  it('are listed in one shape, newest first, a page at a time in both directions', async () => {
    const { client } = ours.owner;
    const { base, source } = await oneOfEach(ours.owner);
    expect(await kindsOf(client)).toEqual(NEWEST_FIRST);
    for (const sort of ['', '&sort=job_created']) {
      const kinds: string[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const page = (await client.get(`/jobs?limit=3${sort}${cursor && `&cursor=${cursor}`}`).expect(200)).body as {
          data: JobAnswer[];
          has_more: boolean;
          next_cursor: string | null;
        };
        kinds.push(...page.data.map(({ job_kind }) => job_kind));
        expect(page.has_more).toBe(page.next_cursor !== null);
        cursor = page.next_cursor;
      }
      expect(kinds).toEqual(sort === '' ? NEWEST_FIRST : [...NEWEST_FIRST].reverse());
    }
    expect(await kindsOf(client, '?limit=2&offset=6')).toEqual(NEWEST_FIRST.slice(6));
    expect(await kindsOf(client, '?limit=2&offset=10001')).toEqual([]);
    const subjects = new Map((await jobsOf(client)).map(({ job_kind, subject, href }) => [job_kind, { subject, href }]));
    expect(subjects.get('knowledge.import')).toMatchObject({ subject: { type: 'knowledge_base', id: base } });
    expect(subjects.get('objects.sync')).toMatchObject({ subject: { type: 'object_source', id: source.osr_id } });
    expect(subjects.get('forms.migrate')).toEqual({
      subject: { type: 'object_schema', id: source.form_id },
      href: `/api/v1/object-schemas/${source.form_id}`,
    });
  });

  it('are filtered by kind, status and subject', async () => {
    const { client } = ours.owner;
    const { base } = await oneOfEach(ours.owner);
    expect(await kindsOf(client, '?job_kind=files.reindex')).toEqual(['files.reindex']);
    expect(await kindsOf(client, '?job_kind=media.analyze')).toEqual(['media.analyze']);
    expect(await kindsOf(client, '?job_kind=files.nothing')).toEqual([]);
    expect(await kindsOf(client, '?status=completed')).toEqual(['forms.migrate', 'governance.retention']);
    expect(await kindsOf(client, `?subject=${base}`)).toEqual(['knowledge.import']);
    await client.get('/jobs?status=lost').expect(400);
    await client.get('/jobs?subject=nothing').expect(400);
  });

  it('are read one by one, and where their context shows them in full', async () => {
    const { client } = ours.owner;
    await oneOfEach(ours.owner);
    for (const job of await jobsOf(client)) {
      const { headers, body } = await client.get(`/jobs/${job.job_id}`).expect(200);
      expect(body).toEqual(job);
      expect(headers['etag']).toBeDefined();
      await client.get(job.href.replace('/api/v1', '')).expect(200);
    }
  });

  it('are for who requested them, and for who can see their subject', async () => {
    const ann = await ours.member('admin');
    const { base } = await oneOfEach(ann);
    const [viewer, stranger] = [await ours.member('viewer'), await (await api.workspace(['module-objects'])).member('admin')];
    expect(await kindsOf(ann.client)).toEqual(NEWEST_FIRST);
    expect(await kindsOf(ours.owner.client)).toEqual(['forms.migrate', 'governance.retention', 'objects.sync', 'knowledge.import']);
    expect(await kindsOf(viewer.client)).toEqual(['forms.migrate', 'objects.sync', 'knowledge.import']);
    expect(await kindsOf(stranger.client)).toEqual([]);
    const all = await jobsOf(ann.client);
    for (const job of all) {
      await stranger.client.get(`/jobs/${job.job_id}`).expect(404);
      await stranger.client.delete(`/jobs/${job.job_id}`).expect(404);
    }
    const hidden = all.filter(({ job_kind }) => !['forms.migrate', 'objects.sync', 'knowledge.import'].includes(job_kind));
    for (const { job_id } of hidden) await viewer.client.get(`/jobs/${job_id}`).expect(404);
    // A base that is closed to somebody hides its jobs from them, but not from who requested them.
    await api.sql(`UPDATE knowledge_base SET ds_acl = $2 WHERE ds_id = $1`, [base, { users: { [ours.owner.user_id]: 'owner' } }]);
    expect(await kindsOf(viewer.client)).toEqual(['forms.migrate', 'objects.sync']);
    expect(await kindsOf(ann.client, '?job_kind=knowledge.import')).toEqual(['knowledge.import']);
  });

  it('are hidden from a key whose scopes do not reach them, and without the module', async () => {
    await oneOfEach(ours.owner);
    const narrowed = await api.memberWithKey(ours.tenant_id, ours.owner.user_id, ours.owner.email, ['knowledge-base:view']);
    expect(await kindsOf(narrowed.client)).toEqual(['knowledge.import', 'files.download']);
    // It is the key of who requested the work, and may not do what cancelling it takes.
    const [record] = await jobsOf(narrowed.client, '?job_kind=knowledge.import');
    await narrowed.client.delete(`/jobs/${record?.job_id}`).expect(403);
    const reader = await api.memberWithKey(ours.tenant_id, ours.owner.user_id, ours.owner.email, ['object:view']);
    const [sync] = await jobsOf(reader.client, '?job_kind=objects.sync');
    await reader.client.delete(`/jobs/${sync?.job_id}`).expect(403);
    const editor = await api.memberWithKey(ours.tenant_id, ours.owner.user_id, ours.owner.email, ['object:edit']);
    expect(await kindsOf(editor.client)).not.toContain('identity.user-transfer');
    const people = await api.memberWithKey(ours.tenant_id, ours.owner.user_id, ours.owner.email, ['admin:users']);
    expect(await kindsOf(people.client)).toContain('identity.user-transfer');
    const other = await api.memberWithKey(ours.tenant_id, ours.owner.user_id, ours.owner.email, ['agent:view']);
    expect(await kindsOf(other.client)).toEqual([]);
    await api.sql('DELETE FROM licence WHERE tenant_id = $1', [ours.tenant_id]);
    const later = await ours.member('viewer');
    expect(await kindsOf(later.client)).toEqual(['knowledge.import']);
  });

  it('are cancelled by who requested them and by who may change their subject; finished ones are left alone', async () => {
    const ann = await ours.member('admin');
    await oneOfEach(ann);
    const viewer = await ours.member('viewer');
    const byKind = new Map((await jobsOf(ann.client)).map((job) => [job.job_kind, job]));
    for (const kind of ['identity.user-transfer', 'files.reindex', 'files.download', 'objects.sync', 'knowledge.import']) {
      const job_id = byKind.get(kind)?.job_id ?? '';
      if (kind === 'objects.sync' || kind === 'knowledge.import') await viewer.client.delete(`/jobs/${job_id}`).expect(403);
      const { etag } = (await ann.client.get(`/jobs/${job_id}`).expect(200)).headers as { etag: string };
      await ann.client.delete(`/jobs/${job_id}`).set('If-Match', '"1"').expect(412);
      const cancelled = await ann.client.delete(`/jobs/${job_id}`).set('If-Match', etag).expect(200);
      expect(cancelled.body).toMatchObject({ job_kind: kind, status: 'cancelled', job_finished: expect.any(String) as string });
      expect((await ann.client.delete(`/jobs/${job_id}`).expect(200)).body).toEqual(cancelled.body);
    }
    const done = byKind.get('forms.migrate')?.job_id ?? '';
    expect((await ann.client.delete(`/jobs/${done}`).expect(200)).body).toMatchObject({ status: 'completed' });
  });

  it('say so when they cannot be cancelled', async () => {
    await oneOfEach(ours.owner);
    await api.sql(`UPDATE form_migration SET mig_status = 'running' WHERE tenant_id = $1`, [ours.tenant_id]);
    await api.sql(`UPDATE retention_run SET run_status = 'running' WHERE tenant_id = $1`, [ours.tenant_id]);
    for (const kind of ['forms.migrate', 'governance.retention']) {
      const [job] = await jobsOf(ours.owner.client, `?job_kind=${kind}`);
      const { body } = await ours.owner.client.delete(`/jobs/${job?.job_id}`).expect(409);
      expect(body).toMatchObject({ code: 'invalid_state', detail: expect.stringContaining('cannot be cancelled') as string });
    }
  });

  it('show what they wait for, and that their worker was lost', async () => {
    const { client } = ours.owner;
    await oneOfEach(ours.owner);
    await api.sql(`UPDATE knowledge_job SET status = 'running' WHERE tenant_id = $1`, [ours.tenant_id]);
    await api.sql(`UPDATE object_sync_run SET status = 'running', beat = now() - interval '2 minutes' WHERE tenant_id = $1`, [
      ours.tenant_id,
    ]);
    const [job] = await jobsOf(client, '?job_kind=knowledge.import');
    expect(job).toMatchObject({ stalled: false, waits_for: null });
    const parked = { ev_kind: 'job', ev_name: 'knowledge.import', ev_key: job?.job_id, ev_payload: '{}', ev_actor: '{}', ev_request: 'r' };
    await seed('outbox', { ev_id: newId(), ev_due: minute(9_999_999), ev_waiting_since: minute(0), ev_waits_for: 'storage', ...parked });
    expect((await jobsOf(client, '?job_kind=knowledge.import'))[0]).toMatchObject({ stalled: false, waits_for: 'storage' });
    await api.sql(`UPDATE outbox SET ev_waits_for = NULL WHERE tenant_id = $1 AND ev_key = $2`, [ours.tenant_id, job?.job_id]);
    expect((await jobsOf(client, '?job_kind=knowledge.import'))[0]).toMatchObject({ stalled: true, waits_for: null });
    expect((await jobsOf(client, '?job_kind=objects.sync'))[0]).toMatchObject({ stalled: true });
    // Another worker has gone on.
    await api.sql(`UPDATE outbox SET ev_sent = now() WHERE tenant_id = $1 AND ev_key = $2`, [ours.tenant_id, job?.job_id]);
    expect((await jobsOf(client, '?job_kind=knowledge.import'))[0]).toMatchObject({ stalled: false });
  });

  it('say when they ended, also where a host of the release before did not, and go with their source', async () => {
    const { client } = ours.owner;
    const { source } = await oneOfEach(ours.owner);
    await api.sql(`UPDATE background_job SET job_status = 'completed', job_updated = $2 WHERE tenant_id = $1`, [
      ours.tenant_id,
      minute(30),
    ]);
    await api.sql(`UPDATE file_job SET status = 'completed', job_updated = $2 WHERE tenant_id = $1`, [ours.tenant_id, minute(30)]);
    for (const kind of ['identity.user-transfer', 'files.reindex'])
      expect((await jobsOf(client, `?job_kind=${kind}`))[0]).toMatchObject({ job_finished: minute(30).toISOString() });
    await api.sql(`UPDATE form_migration SET mig_id = NULL, mig_created = NULL, mig_updated = $2 WHERE tenant_id = $1`, [
      ours.tenant_id,
      minute(9),
    ]);
    expect((await jobsOf(client, '?job_kind=forms.migrate'))[0]).toMatchObject({
      job_id: source.form_id,
      job_created: minute(9).toISOString(),
    });
    await api.sql(`UPDATE object_source SET osr_removed = now() WHERE osr_id = $1`, [source.osr_id]);
    expect(await kindsOf(client, '?job_kind=objects.sync')).toEqual([]);
  });
});
