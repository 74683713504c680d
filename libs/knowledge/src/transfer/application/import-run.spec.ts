import type { ImportAbort, ImportRuns } from '@atrium/imports';
import type { Database } from '@atrium/platform/database';
import type { JobRun } from '@atrium/platform/messaging';
import type { JobRuns, RunOutcome } from '../../work/application/job-runs';
import type { KnowledgeJob } from '../../work/domain/knowledge-job';
import type { FaultRow, JobFaultRows } from '../../work/infrastructure/job-faults.rows';
import type { JobObjects } from '../../work/infrastructure/job-objects';
import type { JobsRepository } from '../../work/infrastructure/jobs.repository';
import type { BaseTables } from './base-tables';
import { ImportRun } from './import-run';
import type { RecordImportJob } from './record-import-job';
import type { RecordTargets } from './record-target';

const FAULT: FaultRow = { fault_row: 3, fault_place: 0, fault_field: 'Price', fault_code: 'format', fault_reason: 'is not a number' };
const run = { signal: new AbortController().signal, heartbeat: () => Promise.resolve() } as unknown as JobRun;
const order = { file_id: 'f', mapping: {}, mode: 'create', on_error: 'abort' };

/** A run over stored faults and a stored place; `work` is what the engine does with the job. */
async function outcomeOf(
  stored: { faults: FaultRow[]; place: object },
  work: (job: RecordImportJob) => Promise<ImportAbort | null> = () => Promise.resolve(null),
): Promise<{ readonly outcome: RunOutcome; readonly report: string }> {
  const row = { job_id: 'j', job_base: 'b', job_order: order, job_place: stored.place, failed: 0 } as unknown as KnowledgeJob;
  let report = '';
  const db = { read: (read: () => unknown) => read(), write: (write: () => unknown) => write() };
  const runs: Partial<JobRuns> = {
    findAsker: () => Promise.resolve({} as never),
    recordStep: (_, { place }) => Promise.resolve(void (stored.place = { ...stored.place, ...place })),
  };
  const faults: Partial<JobFaultRows> = {
    removeAll: () => Promise.resolve(void (stored.faults = [])),
    countFaults: () => Promise.resolve(stored.faults.length),
    readFaults: async function* () {
      yield* await Promise.resolve(stored.faults);
    },
  };
  const objects = {
    putObject: async (_: string, __: string, pieces: AsyncIterable<Uint8Array | string>) => {
      for await (const piece of pieces) report += String(piece);
      return { key: 'report' };
    },
  };
  const imports = new ImportRun(
    db as unknown as Database,
    { runImport: ({ job }: { job: RecordImportJob }) => work(job) } as unknown as ImportRuns,
    { resolveTable: () => Promise.resolve({}) } as unknown as BaseTables,
    {} as RecordTargets,
    runs as JobRuns,
    { findRow: () => Promise.resolve({ job_place: stored.place }) } as unknown as JobsRepository,
    faults as JobFaultRows,
    objects as unknown as JobObjects,
  );
  return { outcome: await imports.runImport(row, run), report };
}

describe('a run of an import of records', () => {
  it('completes it once all rows are written, whatever a run before refused', async () => {
    const stored = { faults: [FAULT], place: { surveyed: true, listed: 1, unlisted: 7 } };
    const { outcome, report } = await outcomeOf(stored, async (job) => {
      await job.recordAll({ created: 3, updated: 0, unchanged: 0 }, 3);
      return null;
    });
    expect([outcome, report]).toEqual([{ status: 'completed', report: null }, '']);
    expect(stored.place).toEqual({ surveyed: true, written: true, listed: 0, unlisted: 0 });
  });

  it('reports faults that a host of the release before stored without their number', async () => {
    const { outcome, report } = await outcomeOf({ faults: [FAULT], place: { row: 500 } });
    expect(outcome).toEqual({ status: 'partial', report: 'report' });
    expect(report).toContain('3,Price,format,is not a number');
  });

  it('has no report without faults, whatever their number is said to be, and says how many are not listed', async () => {
    expect((await outcomeOf({ faults: [], place: { listed: 2, unlisted: 0 } })).outcome).toEqual({ status: 'completed', report: null });
    expect((await outcomeOf({ faults: [FAULT], place: { listed: 1, unlisted: 7 } })).report).toContain('7 more faults are not listed.');
  });
});
