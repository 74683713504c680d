import { PermissionSet, type Permission, type Principal } from '@atrium/platform/access';
import type { JobDirectory, JobSource } from '@atrium/platform/messaging';
import type { FileAnalysesRepository } from '../infrastructure/file-analyses.repository';
import type { Analyses } from './analyses.service';
import { AnalysisJobSource } from './analysis-job-source';

const ann = (...permissions: Permission[]): Principal =>
  ({ user_id: 'ann', key_id: null, permissions: PermissionSet.of(permissions) }) as unknown as Principal;

/** An unfinished analysis, and whether it was cancelled. */
function analysisOf(by: { readonly fa_created_by: string | null; readonly fa_joined_by: string | null }) {
  const sources: JobSource[] = [];
  const cancelled: string[] = [];
  new AnalysisJobSource(
    { register: (source: JobSource) => void sources.push(source) } as unknown as JobDirectory,
    { lock: () => Promise.resolve({ fa_status: 'queued', isFinished: false, ...by }) } as unknown as FileAnalysesRepository,
    { cancelAnalysis: (fa_id: string) => Promise.resolve(void cancelled.push(fa_id)) } as unknown as Analyses,
  ).onModuleInit();
  return { cancelled, cancel: async (caller: Principal) => sources[0]?.cancelJob(caller, 'fa') };
}

describe('an analysis among all jobs', () => {
  it('is cancelled by the member who requested it, whatever they may do', async () => {
    const { cancel, cancelled } = analysisOf({ fa_created_by: 'ann', fa_joined_by: null });
    await cancel(ann());
    expect(cancelled).toEqual(['fa']);
  });

  it('of the service is cancelled by a member who joined it only with permission', async () => {
    const { cancel, cancelled } = analysisOf({ fa_created_by: null, fa_joined_by: 'ann' });
    await expect(cancel(ann('media:view'))).rejects.toMatchObject({ code: 'permission_denied' });
    expect(cancelled).toEqual([]);
    await cancel(ann('media:edit'));
    expect(cancelled).toEqual(['fa']);
  });
});
