import type { ImportTables } from '@atrium/imports';
import type { Principal } from '@atrium/platform/access';
import type { Database } from '@atrium/platform/database';
import { Problem } from '@atrium/platform/kernel';
import type { BackgroundJobs } from '@atrium/platform/messaging';
import type { ImportsOfJobs, ObjectImport } from '../infrastructure/imports.rows';
import type { ImportReadings } from './import-reading';
import { ImportsService } from './imports.service';

/** Asks for an import of a file that cannot be looked at; answers what is started. */
function started(problem: Problem): Promise<unknown> {
  const run = (work: () => unknown): unknown => work();
  const imports = new ImportsService(
    { read: run, write: run } as unknown as Database,
    { resolveTable: () => Promise.resolve({ isJson: false, inspectTable: () => Promise.reject(problem) }) } as unknown as ImportTables,
    { openSchema: () => Promise.resolve({}) } as unknown as ImportReadings,
    { insertImport: () => Promise.resolve() } as unknown as ImportsOfJobs,
    { startJob: () => Promise.resolve('a job') } as unknown as BackgroundJobs,
  );
  return imports.startImport({} as Principal, { obj_form: 'f' } as ObjectImport);
}

describe('an import of objects', () => {
  it('begins with a file that is damaged: its job says so', async () => {
    expect(await started(new Problem('unprocessable_content', 'The file is damaged.'))).toBe('a job');
  });

  it('does not begin with a file that no bounded process could read', async () => {
    const ended = new Problem('unprocessable_content', 'Reading the file took too long.', { isMeasured: true });
    await expect(started(ended)).rejects.toBe(ended);
  });
});
