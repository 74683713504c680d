import { RetentionTargets, type RetentionKey } from '@atrium/governance';
import { Database, inWorkspace } from '@atrium/platform/database';
import { ObjectStore } from '@atrium/platform/storage';
import { eventually, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { readJob, textBase, type KnowledgeJobAnswer } from './filling';
import { imported } from './importing';

let api: RunningApi;
let ours: TestWorkspace;
let base: string;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
}, 120_000);
beforeEach(async () => {
  ours = await api.workspace();
  base = await textBase(ours.owner.client);
});
afterAll(() => api.close());

const jobs = async (): Promise<KnowledgeJobAnswer[]> =>
  (await ours.owner.client.get(`/knowledge-bases/${base}/jobs`).expect(200)).body.data as KnowledgeJobAnswer[];

/** An import with a report and an export, finished so many days ago. */
async function finished(days: number): Promise<KnowledgeJobAnswer[]> {
  await imported(ours.owner.client, base, { rows: [{ name: 'Lamp', body: 'A lamp.' }, { body: 'Without a name.' }] });
  await ours.owner.client.post(`/knowledge-bases/${base}/export`, {}).expect(200);
  await api.sql("UPDATE knowledge_job SET job_finished = now() - $2 * interval '1 day' WHERE tenant_id = $1", [ours.tenant_id, days]);
  return jobs();
}

const objects = async (): Promise<string[]> => {
  const keys: string[] = [];
  for await (const { key } of api.app.get(ObjectStore, { strict: false }).list(`t/${ours.tenant_id}/knowledge/`)) keys.push(key.slice(-6));
  return keys.sort();
};
const left = (wanted: readonly string[]): Promise<string[]> => eventually(objects, (found) => found.join() === wanted.join());

/** What a workspace that keeps it for so many days removes. */
const kept = (key: RetentionKey, days: number): Promise<number> =>
  inWorkspace(ours.tenant_id, () => {
    const before = new Date(Date.now() - days * 24 * 3_600_000);
    const ours_ = api.app.get(RetentionTargets, { strict: false }).findTargets(key);
    return api.app.get(Database, { strict: false }).write(async () => {
      let removed = 0;
      for (const target of ours_) removed += (await target.purgeBatch(before, 100)).removed;
      return removed;
    });
  });

describe('what jobs of bases have stored', () => {
  it('is kept with records of finished work, and goes with them', async () => {
    expect(await finished(40)).toHaveLength(2);
    expect(await objects()).toEqual(['export', 'report']);
    expect(await kept('job_rows', 41)).toBe(0);
    expect(await kept('job_rows', 39)).toBe(2);
    expect(await jobs()).toEqual([]);
    await left([]);
  });

  it('loses exported files earlier, while their jobs stay', async () => {
    const [exported] = await finished(8);
    expect(await kept('exports', 9)).toBe(0);
    expect(await kept('exports', 7)).toBe(1);
    await left(['report']);
    const job = await readJob(ours.owner.client, base, exported?.job_id ?? '');
    expect(job.result).toMatchObject({ record_count: 1 });
    expect(job.result).not.toHaveProperty('download_url');
  });

  it('stays in other workspaces', async () => {
    await finished(40);
    const before = await jobs();
    const theirs = await api.workspace();
    const mine = ours;
    ours = theirs;
    expect(await kept('job_rows', 1)).toBe(0);
    ours = mine;
    expect((await jobs()).map(({ job_id }) => job_id)).toEqual(before.map(({ job_id }) => job_id));
  });
});
