import { RetentionTargets } from '@atrium/governance';
import { Sweep } from '@atrium/files';
import { Database, inWorkspace } from '@atrium/platform/database';
import { newId } from '@atrium/platform/kernel';
import { ObjectStore } from '@atrium/platform/storage';
import { eventually, readZip, type Client, type Member, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { setRoles, signedInMember } from '../identity/signing-in';
import { startAtrium, startWorker } from '../support/api';
import { storeFile } from './stored-files';

let api: RunningApi;
let ours: TestWorkspace;

beforeAll(async () => {
  api = await startAtrium();
  ours = await api.workspace();
}, 120_000);
afterAll(() => api.close());

interface Job {
  readonly job_id: string;
  readonly status: string;
  readonly skipped: readonly { readonly file_id: string; readonly reason: string }[];
  readonly download_url?: string;
}

const order = async (client: Client, file_ids: readonly string[]): Promise<string> =>
  ((await client.post('/download-jobs', { file_ids }).expect(202)).body as Job).job_id;
const read = async (client: Client, job_id: string): Promise<Job> => (await client.get(`/download-jobs/${job_id}`).expect(200)).body as Job;
const completed = (client: Client, job_id: string): Promise<Job> =>
  eventually(
    () => read(client, job_id),
    ({ status }) => status === 'completed',
  );
const rowOf = async (
  job_id: string,
): Promise<{ status: string; error: string | null; archive_key: string | null; skipped: Job['skipped'] }> =>
  (
    await api.sql<{ status: string; error: string | null; archive_key: string | null; skipped: Job['skipped'] }>(
      'SELECT status, error, archive_key, skipped FROM download_job WHERE job_id = $1',
      [job_id],
    )
  )[0] ?? { status: 'gone', error: null, archive_key: null, skipped: [] };
const storedArchives = async (): Promise<string[]> => {
  const keys: string[] = [];
  for await (const { key } of api.app.get(ObjectStore, { strict: false }).list(`t/${ours.tenant_id}/archives/`)) keys.push(key);
  return keys;
};

describe('an archive that waited', () => {
  let file_id: string;
  let removed: { readonly member: Member; readonly job_id: string };
  let narrowed: { readonly member: Member; readonly job_id: string };
  let unchanged: { readonly member: Member; readonly job_id: string };
  beforeAll(async () => {
    ({ file_id } = await storeFile(api, ours, { name: 'plan.txt', bytes: Buffer.from('plan') }));
    const waiting = async (): Promise<{ readonly member: Member; readonly job_id: string }> => {
      const member = await ours.member('editor');
      return { member, job_id: await order(member.client, [file_id]) };
    };
    [removed, narrowed, unchanged] = [await waiting(), await waiting(), await waiting()];
    await ours.owner.client.delete(`/admin/users/${removed.member.user_id}`).expect((answer) => expect(answer.status).toBeLessThan(300));
    await setRoles(api, ours.tenant_id, narrowed.member, []);
    await startWorker(api);
  }, 120_000);

  it('is packed with what its member may download then', async () => {
    const row = await eventually(
      () => rowOf(narrowed.job_id),
      ({ status }) => status !== 'queued' && status !== 'running',
    );
    expect(row).toMatchObject({ status: 'completed', skipped: [{ file_id, reason: 'not_found' }] });
    const { download_url } = await completed(unchanged.member.client, unchanged.job_id);
    const archive = readZip(Buffer.from(await (await fetch(download_url ?? '')).arrayBuffer()));
    expect(archive.entries.map(({ name }) => name)).toEqual(['plan.txt']);
  });

  it('is not packed for a member who is gone', async () => {
    const row = await eventually(
      () => rowOf(removed.job_id),
      ({ status }) => status !== 'queued' && status !== 'running',
    );
    expect(row).toMatchObject({ status: 'failed', error: 'The archive could not be created. Request it again.' });
    expect((await storedArchives()).filter((key) => key.includes(removed.job_id))).toEqual([]);
  });

  it('that skipped files is partial among all jobs, and found as such', async () => {
    const kept = await storeFile(api, ours, { name: 'kept.txt' });
    const lost = await storeFile(api, ours, { name: 'lost.txt', lost: true });
    const ann = await ours.member('editor');
    const [whole, part] = [await order(ann.client, [kept.file_id]), await order(ann.client, [kept.file_id, lost.file_id])];
    for (const job_id of [whole, part]) await completed(ann.client, job_id);
    const listed = async (status: string): Promise<string[]> =>
      ((await ann.client.get(`/jobs?job_kind=files.download&status=${status}`).expect(200)).body as { data: Job[] }).data.map(
        ({ job_id }) => job_id,
      );
    expect([await listed('completed'), await listed('partial')]).toEqual([[whole], [part]]);
    expect((await ann.client.get(`/jobs/${part}`).expect(200)).body).toMatchObject({ status: 'partial', done: 1, failed: 1, total: 2 });
    expect(await read(ann.client, part)).toMatchObject({
      status: 'completed',
      done: 2,
      skipped: [{ file_id: lost.file_id, reason: 'lost' }],
    });
    const none = await order(ann.client, [lost.file_id]);
    await completed(ann.client, none);
    expect([await listed('completed'), await listed('partial'), await listed('failed')]).toEqual([[whole], [part], [none]]);
    const error = 'None of the files could be added to the archive.';
    expect((await ann.client.get(`/jobs/${none}`).expect(200)).body).toMatchObject({
      status: 'failed',
      done: 0,
      failed: 1,
      total: 1,
      error,
    });
  });

  it('is handed out to its member and to the key that ordered it, not to another key, and no more without rights', async () => {
    const ann = await signedInMember(api, ours, 'editor');
    const mine = await order(ann.client, [file_id]);
    expect(await completed(ann.client, mine)).toHaveProperty('download_url');
    const narrow = await api.memberWithKey(ours.tenant_id, ann.user_id, ann.email, ['prompt:view']);
    const wide = await api.memberWithKey(ours.tenant_id, ann.user_id, ann.email, ['media:download']);
    for (const { client } of [narrow, wide]) {
      expect(await completed(client, mine)).not.toHaveProperty('download_url');
      const { data } = (await client.get('/download-jobs').expect(200)).body as { data: Job[] };
      expect(data.map(({ job_id, download_url }) => [job_id, download_url])).toEqual([[mine, undefined]]);
    }
    const ofKey = await order(wide.client, [file_id]);
    expect(await completed(wide.client, ofKey)).toHaveProperty('download_url');
    expect(await read(narrow.client, ofKey)).not.toHaveProperty('download_url');
    expect(await read(ann.client, ofKey)).toHaveProperty('download_url');
    const skipped = [{ file_id: newId(), reason: 'lost' }];
    await api.sql('UPDATE download_job SET skipped = $2, error = $3 WHERE job_id = $1', [mine, JSON.stringify(skipped), 'One is lost.']);
    expect(await read(ann.client, mine)).toMatchObject({ skipped, error: 'One is lost.' });
    await setRoles(api, ours.tenant_id, ann, []);
    const { body } = await eventually(
      () => ann.client.get(`/download-jobs/${mine}`),
      ({ status, body }) => status === 200 && !('download_url' in (body as Job)),
    );
    expect(body).toMatchObject({ status: 'completed', skipped: [], error: null });
    expect((await ann.client.get(`/jobs/${mine}`).expect(200)).body).toMatchObject({ status: 'partial', error: null, result: null });
  });

  it('is cancelled once: a second deletion leaves it as it is', async () => {
    const { client } = await ours.member('editor');
    const job_id = await order(client, [file_id]);
    await completed(client, job_id);
    for (let time = 0; time < 2; time++)
      expect((await client.delete(`/download-jobs/${job_id}`).expect(200)).body).toEqual({ job_id, status: 'completed' });
    await api.sql("UPDATE download_job SET status = 'queued' WHERE job_id = $1", [job_id]);
    for (let time = 0; time < 2; time++)
      expect((await client.delete(`/download-jobs/${job_id}`).expect(200)).body).toEqual({ job_id, status: 'cancelled' });
  });
});

describe('what downloads leave', () => {
  const seeded = async (status: string, columns: { readonly archive_key?: string; readonly age?: string } = {}): Promise<string> => {
    const job_id = newId();
    await api.sql(
      `INSERT INTO download_job (tenant_id, job_id, status, file_ids, file_count, total, archive_key, job_created_by, job_created, job_finished)
       VALUES ($1, $2, $3, '{}', 1, 1, $4, $5, now() - $6::interval, now() - $6::interval)`,
      [ours.tenant_id, job_id, status, columns.archive_key ?? null, ours.owner.user_id, columns.age ?? '0 days'],
    );
    return job_id;
  };

  it.each(['failed', 'cancelled'])('in storage goes where the job is %s, of whatever run', async (status) => {
    const [job_id, recent] = [await seeded(status, { age: '2 hours' }), await seeded(status, { age: '10 minutes', archive_key: 'k' })];
    const keys = ['first', 'second'].map((run) => `t/${ours.tenant_id}/archives/${job_id}/${run}`);
    const store = api.app.get(ObjectStore, { strict: false });
    for (const key of keys) await store.putObject(key, Buffer.from('zip'));
    await api.sql('UPDATE download_job SET archive_key = $2 WHERE job_id = $1', [job_id, keys[1]]);
    await api.worker.get(Sweep, { strict: false }).sweepFiles();
    expect((await storedArchives()).filter((key) => keys.includes(key))).toEqual([]);
    expect(await rowOf(job_id)).toMatchObject({ status, archive_key: null });
    // Its worker may still be storing it.
    expect(await rowOf(recent)).toMatchObject({ status, archive_key: 'k' });
  });

  it('of records is kept as long as the workspace keeps those of jobs, and as long as there is an archive', async () => {
    const due = [await seeded('failed', { age: '40 days' }), await seeded('expired', { age: '40 days' })];
    const kept = [
      await seeded('completed', { age: '40 days', archive_key: 'k' }),
      await seeded('expired', { age: '40 days', archive_key: 'k' }),
      await seeded('queued', { age: '40 days' }),
      await seeded('cancelled', { age: '20 days' }),
    ];
    const fileJob = async (status: string, age: string): Promise<string> => {
      const job_id = newId();
      await api.sql(
        `INSERT INTO file_job (tenant_id, job_id, job_kind, status, job_created_by, job_updated) VALUES ($1, $2, 'reindex', $3, $4, now() - $5::interval)`,
        [ours.tenant_id, job_id, status, ours.owner.user_id, age],
      );
      return job_id;
    };
    const work = {
      due: await fileJob('partial', '40 days'),
      kept: [await fileJob('failed', '20 days'), await fileJob('running', '40 days')],
    };
    const before = new Date(Date.now() - 30 * 24 * 3_600_000);
    await inWorkspace(ours.tenant_id, () =>
      api.app.get(Database, { strict: false }).write(async () => {
        for (const target of api.app.get(RetentionTargets, { strict: false }).findTargets('job_rows')) {
          const counted = await target.countDue(before);
          let removed = 0;
          for (let left = true; left;) {
            const batch = await target.purgeBatch(before, 1);
            removed += batch.removed;
            ({ left } = batch);
          }
          expect(removed).toBe(counted.rows);
        }
      }),
    );
    const found = async (table: string, ids: readonly string[]): Promise<string[]> =>
      (await api.sql<{ job_id: string }>(`SELECT job_id FROM ${table} WHERE job_id = ANY($1::uuid[]) ORDER BY job_id`, [ids])).map(
        ({ job_id }) => job_id,
      );
    expect(await found('download_job', [...due, ...kept])).toEqual([...kept].sort());
    expect(await found('file_job', [work.due, ...work.kept])).toEqual([...work.kept].sort());
  });
});
