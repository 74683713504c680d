import { runInScope } from '@atrium/platform/database';
import type { BackgroundJobs, WorkEngine } from '@atrium/platform/messaging';
import type { ImportRow, ImportsOfJobs } from '../infrastructure/imports.rows';
import { ObjectImportJob } from './object-import-job';

const ROW = { imp_row: 0, imp_total: null } as unknown as ImportRow;

describe('the job of an import of objects', () => {
  it('needs the rights of who requested it, and the module of the workspace, at each step', async () => {
    const rights: unknown[] = [];
    const engine = {
      findAsker: (_: unknown, wanted: unknown) => (rights.push(wanted), Promise.resolve({ permissions: new Set(['object:edit']) })),
    };
    const job = new ObjectImportJob('j', ROW, {} as ImportsOfJobs, {} as BackgroundJobs, engine as unknown as WorkEngine);
    const scope = { tenant_id: 't', actor: { user_id: 'u', key_id: null }, request_id: 'r' };
    await runInScope(scope as unknown as Parameters<typeof runInScope>[0], () => job.findAsker());
    expect(rights).toEqual([{ permission: 'object:create', module: 'module-objects' }]);
  });

  it('has its row locked before the row of the import is written, in the order in which who ends it takes them', async () => {
    const course: string[] = [];
    const done = (what: string) => (): Promise<unknown> => Promise.resolve(course.push(what)).then(() => ({ created: 0 }));
    const imports = { addFaults: done('faults'), advanceImport: done('import') };
    const jobs = { lockJob: done('lock'), reportResult: done('result'), recordProgress: done('progress') };
    const job = new ObjectImportJob('j', ROW, imports as unknown as ImportsOfJobs, jobs as unknown as BackgroundJobs, {} as WorkEngine);
    const counts = { created: 1, updated: 0, unchanged: 0 };
    await job.recordBatch({ ...counts, refused: [], from: 0, to: 1, rows: 1, total: 1 });
    expect(course.splice(0)).toEqual(['lock', 'faults', 'import', 'result', 'progress']);
    await job.recordAll(counts, 1);
    expect(course[0]).toBe('lock');
  });
});
