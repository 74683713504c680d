import { ScheduleHost } from '@atrium/platform/messaging';
import type { Member, RunningApi, TestWorkspace } from '@atrium/platform/testing';
import type { INestApplicationContext } from '@nestjs/common';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { ADMIN, archiveOf, orderOf, over, type PrivacyRequest } from './asking-for-data';
import { applyAnew, policy, preview, runs, shorten } from './retaining';
import { assertCounted } from './storing';

let api: RunningApi;
let worker: INestApplicationContext;
let ours: TestWorkspace;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
  worker = api.worker;
});
beforeEach(async () => {
  ours = await api.workspace();
});
afterAll(() => api.close());

/** What exports hold of the storage, and all that counts for the quota. */
async function counted(): Promise<{ readonly bytes: number; readonly objects: number; readonly used: number; readonly shares: number }> {
  const { data } = (await ours.owner.client.get('/admin/storage/consumption?group_by=class').expect(200)).body as {
    data: { key: string; bytes: number; objects: number }[];
  };
  const exports = data.find(({ key }) => key === 'export');
  const [row] = await api.sql<{ used: number; shares: number }>(
    `SELECT coalesce((SELECT quota_used FROM storage_quota WHERE tenant_id = $1), 0)::float8 AS used, coalesce((SELECT sum(per_used) FROM storage_person WHERE tenant_id = $1), 0)::float8 AS shares`,
    [ours.tenant_id],
  );
  return { bytes: exports?.bytes ?? 0, objects: exports?.objects ?? 0, used: row?.used ?? 0, shares: row?.shares ?? 0 };
}

const NOTHING = { bytes: 0, objects: 0, used: 0, shares: 0 };
const exported = async (person: Member): Promise<PrivacyRequest & { readonly dsr_bytes: number; readonly dsr_expires_at: string }> => {
  const { dsr_id } = await orderOf(ours.owner.client, { dsr_kind: 'export', dsr_subject_type: 'user', dsr_subject: person.user_id });
  const done = await over(ours.owner.client, dsr_id);
  expect(done).toMatchObject({ dsr_status: 'completed' });
  return { ...done, dsr_bytes: done.dsr_bytes ?? 0, dsr_expires_at: done.dsr_expires_at ?? '' };
};
const daysLeft = ({ dsr_expires_at }: { readonly dsr_expires_at: string }): number =>
  Math.round((Date.parse(dsr_expires_at) - Date.now()) / 86_400_000);
const endTime = ({ dsr_id }: PrivacyRequest): Promise<object[]> =>
  api.sql(`UPDATE privacy_request SET dsr_expires_at = now() - interval '1 second' WHERE dsr_id = $1`, [dsr_id]);
const sweep = (): Promise<void> => worker.get(ScheduleHost).runNow('governance.privacy-archives');
const download = async ({ dsr_id }: PrivacyRequest): Promise<string> =>
  ((await ours.owner.client.get(`${ADMIN}/${dsr_id}/download-url`).expect(200)).body as { download_url: string }).download_url;

describe('the archive of an export', () => {
  it('counts as stored, byte for byte, until its time is over; then it counts no more, and its bytes go', async () => {
    const done = await exported(await ours.member('editor'));
    expect(done.dsr_bytes).toBeGreaterThan(500);
    expect(await counted()).toEqual({ bytes: done.dsr_bytes, objects: 1, used: done.dsr_bytes, shares: 0 });
    expect(await preview(ours, 'exports')).toMatchObject({ rows: 0, bytes: 0 });
    const address = await download(done);
    expect((await fetch(address)).status).toBe(200);

    await endTime(done);
    expect(await preview(ours, 'exports')).toMatchObject({ rows: 1, bytes: done.dsr_bytes, held: 0 });
    await applyAnew(api, ours);
    expect(await runs(ours, 'exports')).toMatchObject([
      { run_status: 'completed', run_removed: 1, run_bytes: done.dsr_bytes, run_held: 0 },
    ]);
    expect(await counted()).toEqual(NOTHING);
    for (let twice = 0; twice < 2; twice++) await sweep();
    expect((await fetch(address)).status).toBe(404);
    expect((await ours.owner.client.get(`${ADMIN}/${done.dsr_id}/download-url`).expect(410)).body).toMatchObject({ code: 'gone' });
    expect(await counted()).toEqual(NOTHING);
  }, 60_000);

  it('is taken off what is stored once, also where its bytes go before the policy is applied', async () => {
    const done = await exported(await ours.member('editor'));
    await endTime(done);
    await sweep();
    expect(await counted()).toEqual(NOTHING);
    await applyAnew(api, ours);
    // Nothing is left that a run could remove, so none begins.
    expect(await runs(ours, 'exports')).toEqual([]);
    expect(await counted()).toEqual(NOTHING);
  }, 60_000);

  it('is kept for the days that the policy says when it is made; one that is made already keeps its day', async () => {
    expect(await policy(ours, 'exports')).toMatchObject({ ret_days: 7, ret_min: 1, ret_max: 30, ret_default: 7 });
    for (const days of [0, 31]) await ours.owner.client.patch('/admin/retention', { exports: days }).expect(400);
    const person = await ours.member('editor');
    const first = await exported(person);
    await shorten(api, ours, { exports: 2 });
    const second = await exported(person);
    expect([daysLeft(first), daysLeft(second)]).toEqual([7, 2]);
    expect(await counted()).toMatchObject({ bytes: first.dsr_bytes + second.dsr_bytes, objects: 2 });
    await assertCounted(api, ours);
    await applyAnew(api, ours);
    expect((await archiveOf(ours.owner.client, first.dsr_id)).has('manifest.json')).toBe(true);
    expect(await counted()).toMatchObject({ objects: 2 });
  }, 60_000);

  it('goes, and counts no more, when the person in it is erased', async () => {
    const [person, other] = [await ours.member('editor'), await ours.member('editor')];
    const [gone, stays] = [await exported(person), await exported(other)];
    const address = await download(gone);
    const { dsr_id } = await orderOf(ours.owner.client, {
      dsr_kind: 'erasure',
      dsr_subject_type: 'user',
      dsr_subject: person.user_id,
      execute_after_days: 0,
    });
    expect(await over(ours.owner.client, dsr_id)).toMatchObject({ dsr_status: 'completed' });
    expect((await fetch(address)).status).toBe(404);
    expect(await counted()).toEqual({ bytes: stays.dsr_bytes, objects: 1, used: stays.dsr_bytes, shares: 0 });
    await sweep();
    expect(await counted()).toMatchObject({ objects: 1 });
    await assertCounted(api, ours);
  }, 60_000);
});
