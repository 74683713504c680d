import type { FormValues, OpenForm, WholeImports } from '@atrium/forms';
import type { ImportTables } from '@atrium/imports';
import type { ActingCallers } from '@atrium/identity';
import type { Principal } from '@atrium/platform/access';
import { inWorkspace, type Database } from '@atrium/platform/database';
import type { BackgroundJobs, JobRun } from '@atrium/platform/messaging';
import type { ObjectWrites } from '../../objects/application/object-writes';
import type { ObjectStore } from '../../objects/infrastructure/object-store';
import type { ImportsOfJobs } from '../infrastructure/imports.rows';
import { ImportBatches } from './import-batch';
import type { ImportReadings } from './import-reading';
import { ImportRun } from './import-run';

const TENANT = '0190163d-8694-739b-aea5-966c26f8ad91';
const COUNTS = { created: 1, updated: 0, unchanged: 0, failed: 0 };

async function* rows() {
  yield await Promise.resolve({ number: 1, values: { name: 'Lamp' } });
}

describe('an import of objects', () => {
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
    } as unknown as Database;
    const reading = {
      mapping: {},
      look: () => undefined,
      namesIn: () => Promise.resolve(note('names')),
      reader: { read: () => (note('row'), { facts: { obj_name: 'Lamp' }, faults: [] }) },
    };
    const readings = {
      schema: (_: string, lock?: string) => (lock === 'share' && note('schema'), Promise.resolve({} as OpenForm)),
      of: () => Promise.resolve(reading),
    };
    const table = { columns: () => Promise.resolve(['name']), rows, close: () => Promise.resolve() };
    const imports = {
      find: () => Promise.resolve({ imp_order: { obj_form: 'f', mode: 'insert', on_error: 'skip' }, imp_row: 0, imp_total: 1 }),
      addFaults: () => Promise.resolve(),
      advance: () => Promise.resolve(COUNTS),
      result: () => Promise.resolve(COUNTS),
    };
    const writes = {
      apply: (_: unknown, changes: readonly unknown[]) => {
        if (changes.length > 0) note('objects');
        return Promise.resolve(changes.map(() => ({ action: 'created' })));
      },
    };
    const jobs = { report: () => Promise.resolve(true), progress: () => Promise.resolve(), complete: () => Promise.resolve() };
    const caller = { permissions: new Set(['object:create', 'object:edit']) } as unknown as Principal;
    const running = new ImportRun(
      db,
      { find: () => Promise.resolve({ isJson: false, open: () => Promise.resolve(table) }) } as unknown as ImportTables,
      readings as unknown as ImportReadings,
      new ImportBatches({} as ObjectStore, writes as unknown as ObjectWrites, {} as FormValues),
      imports as unknown as ImportsOfJobs,
      {} as WholeImports,
      jobs as unknown as BackgroundJobs,
      { of: () => Promise.resolve(caller) } as unknown as ActingCallers,
    );
    const run = { job_id: 'j', signal: new AbortController().signal, heartbeat: () => Promise.resolve() } as unknown as JobRun;
    expect(await inWorkspace(TENANT, () => running.run(run), { kind: 'person', user_id: 'u', key_id: null })).toEqual(COUNTS);
    expect(course).toEqual(['names', 'row', 'schema while writing', 'objects while writing']);
  });
});
