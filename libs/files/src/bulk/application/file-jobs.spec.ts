import { PermissionSet, type Permission, type Principal } from '@atrium/platform/access';
import type { Database } from '@atrium/platform/database';
import { defineFileJob } from './file-job-definition';
import { FileJobs } from './file-jobs.service';

defineFileJob('spec.sorted', { seenWith: ['media:edit'] });

const OUTCOME = { result: { last: 'a' }, error: 'One album is closed.', errors: [{ file_id: 'f', code: 'not_found' }] };

/** The job of Ann, as she reads it with these permissions. */
function readJob(...permissions: Permission[]): Promise<unknown> {
  const unit = (work: () => unknown): unknown => work();
  const row = { job_id: 'j', job_kind: 'spec.sorted', status: 'partial', failed: 1, job_created_by: 'ann', ...OUTCOME };
  const jobs = new FileJobs(
    ...([
      { read: unit } as unknown as Database,
      { findShownJob: () => Promise.resolve(row) },
      {},
      {},
      {},
      {},
    ] as unknown as ConstructorParameters<typeof FileJobs>),
  );
  return jobs.get({ user_id: 'ann', key_id: null, permissions: PermissionSet.of(permissions) } as unknown as Principal, 'j');
}

describe('a file job', () => {
  it('says what it came to while who requested it has a permission of its kind', async () => {
    expect(await readJob('media:edit')).toMatchObject({ status: 'partial', failed: 1, ...OUTCOME });
  });

  it('says only how it ended once they have none', async () => {
    expect(await readJob('thread:edit')).toMatchObject({ status: 'partial', failed: 1, result: null, error: null, errors: [] });
  });
});
