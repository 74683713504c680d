import type { WholeImports } from '@atrium/forms';
import type { Principal } from '@atrium/platform/access';
import type { Database } from '@atrium/platform/database';
import type { JobRun } from '@atrium/platform/messaging';
import type { BaseAccess } from '../../bases/application/base-access';
import type { RecordBodies } from '../../records/application/record-bodies';
import type { RecordShapes } from '../../records/application/record-shapes';
import type { RecordWriter } from '../../records/application/record-writer';
import type { JobRuns } from '../../work/application/job-runs';
import type { KnowledgeJob } from '../../work/domain/knowledge-job';
import type { JobFaultRows } from '../../work/infrastructure/job-faults.rows';
import type { JobObjects } from '../../work/infrastructure/job-objects';
import type { JobsRepository } from '../../work/infrastructure/jobs.repository';
import type { BaseTables } from './base-tables';
import type { ImportReadings } from './import-reading';
import { ImportRun } from './import-run';

async function* rows() {
  yield await Promise.resolve({ number: 1, values: { name: 'Lamp' } });
}

async function* none() {
  yield* await Promise.resolve([]);
}

describe('an import of records', () => {
  it('finds out names and reads its rows before it opens the unit of work that writes them', async () => {
    const course: string[] = [];
    let isWriting = false;
    const note = (what: string): number => course.push(`${what}${isWriting ? ' while writing' : ''}`);
    const db = {
      read: (work: () => unknown) => work(),
      write: async (work: () => Promise<unknown>) => {
        isWriting = true;
        return work().finally(() => (isWriting = false));
      },
    };
    const reading = {
      mapping: {},
      look: () => undefined,
      namesIn: () => Promise.resolve(note('names')),
      reader: { read: () => (note('row'), { wish: { rec_content: { name: 'Lamp' } }, faults: [] }) },
    };
    const table = { columns: () => Promise.resolve(['name']), rows, close: () => Promise.resolve() };
    const writer = {
      writeMany: (_: string, wishes: readonly unknown[]) => {
        note('records');
        return Promise.resolve(wishes.map(() => ({ outcome: 'created' })));
      },
    };
    const running = new ImportRun(
      db as unknown as Database,
      { find: () => Promise.resolve({ isJson: false, open: () => Promise.resolve(table) }) } as unknown as BaseTables,
      { of: () => Promise.resolve(reading) } as unknown as ImportReadings,
      { readable: () => Promise.resolve({ form_id: 'f' }), keep: () => Promise.resolve() } as unknown as BaseAccess,
      writer as unknown as RecordWriter,
      {} as RecordBodies,
      {} as JobsRepository,
      { add: () => Promise.resolve(), of: none } as unknown as JobFaultRows,
      {} as JobObjects,
      { findAsker: () => Promise.resolve({} as Principal), recordStep: () => Promise.resolve() } as unknown as JobRuns,
      {} as RecordShapes,
      {} as WholeImports,
    );
    const order = { mode: 'insert', on_error: 'skip' };
    const job = { job_id: 'j', job_base: 'b', job_order: order, job_place: { surveyed: true } } as unknown as KnowledgeJob;
    const run = { signal: new AbortController().signal, heartbeat: () => Promise.resolve() } as unknown as JobRun;
    expect(await running.run(job, run)).toEqual({ status: 'completed', report: null });
    expect(course).toEqual(['names', 'row', 'records while writing']);
  });
});
