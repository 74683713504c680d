import request from 'supertest';
import { UnitOfWork } from '@atrium/platform/database';
import { newId } from '@atrium/platform/kernel';
import { Client as Postgres } from 'pg';
import { ask } from '../architecture/asking';
import { upload } from '../files/uploading';
import { signedInMember } from '../identity/signing-in';
import { articles, Syncing } from '../objects/syncing';
import { textBase } from '../knowledge/filling';
import { operationsIn, type OpenApiDocument } from '../openapi/document';
import { sharedAtrium } from '../support/shared-atrium';
import { makeSite } from '../website/sites';
import { eventually, RowsServer, type Client, type Member, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';

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
  return String(row['job_id'] ?? row['run_id'] ?? row['dsr_id'] ?? row['fa_id']);
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
  // Of the same minute as the next one, at the edge of a page of three.
  await seed('download_job', { job_id: newId(), file_ids: [newId()], file_count: 1, total: 1, job_created: minute(5), ...mine });
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
  await seed('privacy_request', {
    ...{ dsr_id: newId(), dsr_kind: 'export', dsr_subject_type: 'user', dsr_subject: user_id, dsr_subject_key: user_id, dsr_user: user_id },
    ...{
      dsr_requested_by: user_id,
      dsr_status: 'scheduled',
      dsr_execute_after: minute(0),
      dsr_created: minute(10),
      dsr_updated: minute(10),
    },
  });
  const { file_id } = await upload(ours.owner.client, 'harbour.txt', Buffer.from('low tide'));
  await seed('file_analysis', {
    ...{ fa_id: newId(), fa_file: file_id, fa_version: 1, fa_schema: newId(), fa_schema_version: 1, fa_status: 'queued' },
    ...{ fa_created_by: user_id, fa_created: minute(11), fa_updated: minute(11) },
  });
  return { base, source };
}

const NEWEST_FIRST = [
  'media.analysis',
  'governance.export',
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
    expect(await kindsOf(client, '?limit=2&offset=6')).toEqual(NEWEST_FIRST.slice(6, 8));
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
    const ann = await signedInMember(api, ours, 'admin');
    const { base } = await oneOfEach(ann);
    const [viewer, stranger] = [await ours.member('viewer'), await (await api.workspace(['module-objects'])).member('admin')];
    expect(await kindsOf(ann.client)).toEqual(NEWEST_FIRST);
    expect(await kindsOf(ours.owner.client)).toEqual([
      ...['media.analysis', 'governance.export', 'forms.migrate', 'governance.retention', 'objects.sync', 'knowledge.import'],
    ]);
    const shared = ['media.analysis', 'forms.migrate', 'objects.sync', 'knowledge.import'];
    expect(await kindsOf(viewer.client)).toEqual(shared);
    expect(await kindsOf(stranger.client)).toEqual([]);
    const all = await jobsOf(ann.client);
    for (const job of all) {
      await stranger.client.get(`/jobs/${job.job_id}`).expect(404);
      await stranger.client.delete(`/jobs/${job.job_id}`).expect(404);
    }
    const hidden = all.filter(({ job_kind }) => !shared.includes(job_kind));
    for (const { job_id } of hidden) await viewer.client.get(`/jobs/${job_id}`).expect(404);
    // A base that is closed to somebody hides its jobs from them, but not from who requested them.
    await api.sql(`UPDATE knowledge_job SET error = 'Row 3 is empty.', result = '{"rows": 3}' WHERE tenant_id = $1`, [ours.tenant_id]);
    expect((await jobsOf(ann.client, '?job_kind=knowledge.import'))[0]).toMatchObject({ error: 'Row 3 is empty.', result: { rows: 3 } });
    await api.sql(`UPDATE knowledge_base SET ds_acl = $2 WHERE ds_id = $1`, [base, { users: { [ours.owner.user_id]: 'owner' } }]);
    expect(await kindsOf(viewer.client)).toEqual(['media.analysis', 'forms.migrate', 'objects.sync']);
    const [closed] = await jobsOf(ann.client, '?job_kind=knowledge.import');
    expect(closed).toMatchObject({ status: 'queued', error: null, result: null });
    expect((await ann.client.get(`/jobs/${closed?.job_id}`).expect(200)).body).toEqual(closed);
    await ann.client.delete(`/jobs/${closed?.job_id}`).expect(200);
  });

  it('are read and cancelled by who requested them without any right to the kind, but not what they came to', async () => {
    const viewer = await signedInMember(api, ours, 'viewer');
    const { base } = await oneOfEach(viewer);
    await api.sql(`UPDATE knowledge_job SET status = 'completed', failed = 1, error = 'Page 3.', result = '{}' WHERE job_base = $1`, [
      base,
    ]);
    await api.sql(`UPDATE object_sync_run SET error = 'Row 3.' WHERE tenant_id = $1`, [ours.tenant_id]);
    const fault = { job_error: 'Row 3.', job_result: { faults: ['Row 3 is empty.'] } };
    await seed('background_job', { job_id: newId(), job_kind: 'objects.import', job_created_by: viewer.user_id, ...fault });
    // Some of what failed is partial, however its context calls it.
    expect(await kindsOf(viewer.client, '?status=partial')).toEqual(['knowledge.import']);
    await api.sql('DELETE FROM licence WHERE tenant_id = $1', [ours.tenant_id]);
    const member = await signedInMember(api, ours, 'viewer');
    expect(await kindsOf(member.client, '?job_kind=objects.sync')).toEqual([]);
    for (const kind of ['objects.sync', 'objects.import']) {
      const [job] = await jobsOf(viewer.client, `?job_kind=${kind}`);
      expect(job).toMatchObject({ status: 'queued', error: null, result: null });
      expect((await viewer.client.delete(`/jobs/${job?.job_id}`).expect(200)).body).toMatchObject({ status: 'cancelled' });
    }
  });

  it('of what people ask of their own data are theirs, and those of who answers for it', async () => {
    const viewer = await signedInMember(api, ours, 'viewer');
    await oneOfEach(viewer);
    const [asked] = await jobsOf(viewer.client, '?job_kind=governance.export');
    expect(asked).toMatchObject({
      status: 'queued',
      subject: { type: 'user', id: viewer.user_id },
      href: `/api/v1/me/privacy-requests/${asked?.job_id}`,
    });
    await viewer.client.get(String(asked?.href).replace('/api/v1', '')).expect(200);
    expect((await jobsOf(ours.owner.client, `?subject=${viewer.user_id}`)).map(({ href }) => href)).toEqual([
      `/api/v1/admin/privacy-requests/${asked?.job_id}`,
    ]);
    // As at the route of its own.
    const key = await api.memberWithKey(ours.tenant_id, viewer.user_id, viewer.email);
    expect(await kindsOf(key.client, '?job_kind=governance.export')).toEqual([]);
    const other = await signedInMember(api, ours, 'viewer');
    await other.client.delete(`/jobs/${asked?.job_id}`).expect(404);
    expect((await viewer.client.delete(`/jobs/${asked?.job_id}`).expect(200)).body).toMatchObject({ status: 'cancelled' });
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
    expect(await kindsOf(later.client)).toEqual(['media.analysis', 'knowledge.import']);
  });

  it('of files are read and cancelled with a key by the permissions of their kind, here and at their own address', async () => {
    const kinds = { 'media.erase-faces': 'admin:settings', reindex: 'thread:edit', 'media.tags': 'media:tag', publish: 'media:publish' };
    const jobs = new Map<string, string>();
    for (const job_kind of Object.keys(kinds))
      jobs.set(job_kind, await seed('file_job', { job_id: newId(), job_kind, job_created_by: ours.owner.user_id }));
    for (const [own, permission] of Object.entries(kinds)) {
      const { client } = await api.memberWithKey(ours.tenant_id, ours.owner.user_id, ours.owner.email, [permission]);
      expect(await kindsOf(client)).toEqual([own.includes('.') ? own : `files.${own}`]);
      for (const [kind, job_id] of jobs) {
        const reached = kind === own;
        await client.get(`/jobs/${job_id}`).expect(reached ? 200 : 404);
        await client.get(`/file-jobs/${job_id}`).expect(reached ? 200 : 404);
        if (reached) continue;
        await client.delete(`/jobs/${job_id}`).expect(404);
        await client.delete(`/file-jobs/${job_id}`).expect(404);
      }
    }
    expect(await api.sql(`SELECT 1 FROM file_job WHERE tenant_id = $1 AND status = 'queued'`, [ours.tenant_id])).toHaveLength(4);
  });

  it('are cancelled by who requested them and by who may change their subject; finished ones are left alone', async () => {
    const ann = await ours.member('admin');
    await oneOfEach(ann);
    const viewer = await ours.member('viewer');
    const byKind = new Map((await jobsOf(ann.client)).map((job) => [job.job_kind, job]));
    const own = ['identity.user-transfer', 'files.reindex', 'files.download', 'governance.export'];
    const shared = ['objects.sync', 'knowledge.import', 'media.analysis'];
    for (const kind of [...own, ...shared]) {
      const job_id = byKind.get(kind)?.job_id ?? '';
      if (shared.includes(kind)) await viewer.client.delete(`/jobs/${job_id}`).expect(403);
      const { etag } = (await ann.client.get(`/jobs/${job_id}`).expect(200)).headers as { etag: string };
      await ann.client.delete(`/jobs/${job_id}`).set('If-Match', '"1"').expect(412);
      const cancelled = await ann.client.delete(`/jobs/${job_id}`).set('If-Match', etag).expect(200);
      expect(cancelled.body).toMatchObject({ job_kind: kind, status: 'cancelled', job_finished: expect.any(String) as string });
      expect((await ann.client.delete(`/jobs/${job_id}`).expect(200)).body).toEqual(cancelled.body);
    }
    const job_base = byKind.get('knowledge.import')?.subject?.id;
    const others = await seed('knowledge_job', { job_id: newId(), job_kind: 'import', job_base, job_created_by: ann.user_id });
    const editor = await ours.member('editor');
    const users = { [ours.owner.user_id]: 'owner', [editor.user_id]: 'view' };
    await api.sql(`UPDATE knowledge_base SET ds_acl = $2 WHERE ds_id = $1`, [job_base, { users }]);
    await editor.client.delete(`/jobs/${others}`).expect(403);
    expect((await ours.owner.client.delete(`/jobs/${others}`).expect(200)).body).toMatchObject({ status: 'cancelled' });
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
    await api.sql(`UPDATE object_sync_run SET beat = now() WHERE tenant_id = $1`, [ours.tenant_id]);
    expect((await jobsOf(client, '?job_kind=objects.sync'))[0]).toMatchObject({ status: 'running', stalled: false });
    await api.sql(`UPDATE object_sync_run SET status = 'completed', beat = now() - interval '2 minutes' WHERE tenant_id = $1`, [
      ours.tenant_id,
    ]);
    expect((await jobsOf(client, '?job_kind=objects.sync'))[0]).toMatchObject({ status: 'completed', stalled: false });
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

/** Jobs by the schema of the 202 that names them; of the others, why they are none. */
const ACCEPTED: Readonly<Record<string, { readonly shows: string } | { readonly isNone: string }>> = {
  AnalysisJobView: { shows: 'media.analyze' },
  CmsRunView: { shows: 'website.sync' },
  DownloadJobView: { shows: 'files.download' },
  FileAnalysisView: { shows: 'media.analysis' },
  FileJobView: { shows: 'files.reindex' },
  FinishedRunView: { shows: 'website.sync' },
  JobView: { shows: 'identity.user-transfer' },
  KnowledgeJobView: { shows: 'knowledge.import' },
  ObjectSyncRunView: { shows: 'objects.sync' },
  PrivacyRequestView: { shows: 'governance.export' },
  StartedCrawlView: { shows: 'knowledge.import' },
  AskedView: { isNone: 'an answer is read and stopped in its thread' },
  RunView: { isNone: 'an answer is read and stopped as a run of its agent' },
  StartedPromptView: { isNone: 'an answer is read and stopped in its thread' },
  SocialPostView: { isNone: 'a post shows itself what became of it' },
  PublicArchiveJob: { isNone: 'a visitor of a link has no jobs' },
  none: { isNone: 'a mail or a report, listed below' },
};

/** They answer 202 without a body: mail is sent, or a leaked key is looked for. */
const WITHOUT_BODY = [
  'post /api/v1/auth/leak-reports',
  'post /api/v1/auth/password/forgot',
  'post /api/v1/me/email',
  'post /api/v1/share-links/{id}/send',
];

describe('operations that answer 202', () => {
  it('name a kind of job that is listed, or say why they name none', async () => {
    const { body: document } = (await request(api.url).get('/openapi.json').expect(200)) as { body: OpenApiDocument };
    const accepted = operationsIn(document).flatMap(({ name, operation }) => {
      const answer = operation.responses['202'];
      const schema = answer?.content?.['application/json']?.schema as { readonly $ref?: string } | undefined;
      return answer ? [{ name, schema: schema?.$ref?.split('/').at(-1) ?? 'none', headers: Object.keys(answer.headers ?? {}) }] : [];
    });
    expect([...new Set(accepted.map(({ schema }) => schema))].sort()).toEqual(Object.keys(ACCEPTED).sort());
    expect(
      accepted
        .filter(({ schema }) => schema === 'none')
        .map(({ name }) => name)
        .sort(),
    ).toEqual(WITHOUT_BODY);
    const jobs = accepted.filter(({ schema }) => 'shows' in (ACCEPTED[schema] ?? {}));
    expect(jobs.filter(({ headers }) => !headers.includes('Location'))).toEqual([]);
    await oneOfEach(ours.owner);
    const { site_id } = await makeSite(ours.owner.client);
    await seed('cms_run', { job_id: newId(), site_id, direction: 'pull', trigger: 'manual', queued_at: minute(12) });
    const kinds = (await jobsOf(ours.owner.client)).map(({ job_kind }) => job_kind);
    for (const { schema } of jobs) {
      const { shows } = ACCEPTED[schema] as { readonly shows: string };
      expect(kinds).toContain(shows);
    }
  });
});

describe('a job that ends while it is being cancelled', () => {
  it.each([
    ['identity.user-transfer', "UPDATE background_job SET job_status = 'completed' WHERE job_id = $1"],
    ['files.reindex', "UPDATE file_job SET status = 'completed' WHERE job_id = $1"],
    ['files.download', "UPDATE download_job SET status = 'completed' WHERE job_id = $1"],
    ['knowledge.import', "UPDATE knowledge_job SET status = 'completed' WHERE job_id = $1"],
    ['objects.sync', "UPDATE object_sync_run SET status = 'completed' WHERE job_id = $1"],
    ['governance.export', "UPDATE privacy_request SET dsr_status = 'completed' WHERE dsr_id = $1"],
    ['media.analysis', "UPDATE file_analysis SET fa_status = 'completed' WHERE fa_id = $1"],
  ])('is left alone: %s', async (kind, end) => {
    const { client } = ours.owner;
    await oneOfEach(ours.owner);
    const [job] = await jobsOf(client, `?job_kind=${kind}`);
    const worker = new Postgres({ connectionString: api.database.ownerUrl });
    await worker.connect();
    try {
      await worker.query('BEGIN');
      await worker.query("SELECT set_config('app.tenant_id', $1, true)", [ours.tenant_id]);
      await worker.query(end, [job?.job_id]);
      const {
        rows: [self],
      } = await worker.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      const cancelled = client.delete(`/jobs/${job?.job_id}`).then(({ status, body }) => ({ status, body: body as JobAnswer }));
      await eventually(
        () =>
          ask<{ pid: number }>(api.database.ownerUrl, 'SELECT pid FROM pg_locks WHERE NOT granted AND $1 = ANY(pg_blocking_pids(pid))', {
            values: [self?.pid],
          }),
        (waiting) => waiting.length > 0,
      );
      await worker.query('COMMIT');
      expect(await cancelled).toMatchObject({ status: 200, body: { job_id: job?.job_id, status: 'completed' } });
    } finally {
      await worker.end();
    }
  });
});

interface Plan {
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

const removedIn = (plan: Plan): number =>
  Math.max(plan['Rows Removed by Filter'] ?? 0, ...(plan.Plans ?? []).map((part) => removedIn(part)));

/** What the statement of a list reads, row by row. */
async function removedBy(client: Client, query: string): Promise<number> {
  const spied = jest.spyOn(UnitOfWork.prototype, 'query');
  await jobsOf(client, query);
  const asked = spied.mock.calls.map(([statement]) => statement).find((one) => typeof one !== 'string' && one.text.includes('AS position'));
  spied.mockRestore();
  if (typeof asked !== 'object') throw new Error('No jobs were asked for.');
  const [row] = await ask<{ 'QUERY PLAN': readonly { readonly Plan: Plan }[] }>(
    api.database.appUrl,
    `EXPLAIN (ANALYZE, FORMAT JSON) ${asked.text}`,
    { values: asked.values, tenant: ours.tenant_id },
  );
  return removedIn(row?.['QUERY PLAN'][0]?.Plan ?? {});
}

describe('jobs of a rare kind or status', () => {
  it('are found without a look at the many others of a member', async () => {
    const { client, user_id } = ours.owner;
    await oneOfEach(ours.owner);
    await api.sql(
      `INSERT INTO background_job (tenant_id, job_id, job_kind, job_created_by, job_status, job_created)
       SELECT $1, gen_random_uuid(), 'objects.import', $2, 'completed', now() - n * interval '1 second' FROM generate_series(1, 100000) n`,
      [ours.tenant_id, user_id],
    );
    await api.sql(
      `INSERT INTO file_job (tenant_id, job_id, job_kind, job_created_by, status, job_created)
       SELECT $1, gen_random_uuid(), 'media.tags', $2, 'completed', now() - n * interval '1 second' FROM generate_series(1, 100000) n`,
      [ours.tenant_id, user_id],
    );
    await api.sql(
      `INSERT INTO knowledge_job (tenant_id, job_id, job_kind, job_base, job_created_by, status, job_created, job_finished)
       SELECT $1, gen_random_uuid(), 'import', (SELECT min(ds_id::text)::uuid FROM knowledge_base WHERE tenant_id = $1), $2, 'completed', now() - n * interval '1 second', now() FROM generate_series(1, 100000) n`,
      [ours.tenant_id, user_id],
    );
    for (const table of ['background_job', 'file_job', 'knowledge_job']) await api.sql(`ANALYZE ${table}`);
    for (const kind of ['identity.user-transfer', 'files.reindex']) {
      expect(await kindsOf(client, `?job_kind=${kind}`)).toEqual([kind]);
      expect(await removedBy(client, `?job_kind=${kind}`)).toBeLessThan(100);
    }
    for (const status of ['queued', 'running', 'failed', 'partial']) {
      await api.sql(`UPDATE background_job SET job_status = $2 WHERE tenant_id = $1 AND job_kind = 'identity.user-transfer'`, [
        ours.tenant_id,
        status,
      ]);
      expect(await kindsOf(client, `?status=${status}`)).toContain('identity.user-transfer');
      expect(await removedBy(client, `?status=${status}`)).toBeLessThan(100);
    }
  }, 120_000);
});
