import type { Principal } from '@atrium/platform/access';
import { inWorkspace, type Database } from '@atrium/platform/database';
import { unknownReference } from '@atrium/platform/kernel';
import type { FileAccess } from '../../core/application/file-access';
import type { FileJobs } from '../../bulk/application/file-jobs.service';
import type { ReindexedFileRows } from '../infrastructure/reindexed-files.rows';
import { Reindexing } from './reindexing';

const TENANT = '0190163d-8694-739b-aea5-966c26f8ad91';
const caller = { tenant_id: TENANT, user_id: 'u' } as Principal;

/** Asks in a workspace with one file whose repository nobody may name. */
function reindexing(): Reindexing {
  const rows = {
    findRepository: () => Promise.resolve({ repo_type: 'media', repo_id: null }),
    filterFiles: () => Promise.resolve(['f']),
    countFiles: () => Promise.resolve(1),
  };
  const access = {
    assertFile: () => Promise.resolve(),
    assertNamed: (...asked: unknown[]) => Promise.reject(unknownReference(String(asked[3]), 'owner of files')),
    findRefusals: () => Promise.resolve(new Map()),
  };
  const jobs = { startJob: (_: unknown, order: object) => Promise.resolve(order) };
  return new Reindexing(
    { write: (work: () => unknown) => work() } as unknown as Database,
    access as unknown as FileAccess,
    jobs as unknown as FileJobs,
    rows as unknown as ReindexedFileRows,
  );
}

describe('files that are to be made again', () => {
  it('are refused by repo_id where a repository is named, and never where files alone are', async () => {
    const start = (wanted: Parameters<Reindexing['startReindexing']>[1]) =>
      inWorkspace(TENANT, () => reindexing().startReindexing(caller, wanted));
    await expect(start({ repo_type: 'media' })).rejects.toThrow('repo_id');
    await expect(start({ file_ids: ['f'] })).resolves.toMatchObject({ params: { repo_type: 'media', file_ids: ['f'] } });
  });
});
