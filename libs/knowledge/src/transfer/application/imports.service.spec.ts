import type { Principal } from '@atrium/platform/access';
import type { Database } from '@atrium/platform/database';
import { Problem } from '@atrium/platform/kernel';
import type { BaseAccess } from '../../bases/application/base-access';
import type { JobsService } from '../../work/application/jobs.service';
import type { BaseTables } from './base-tables';
import type { ImportReadings } from './import-reading';
import { ImportsService } from './imports.service';
import type { RecordImport } from './record-target';

/** Asks for an import of a file that cannot be looked at; answers what is started. */
function started(problem: Problem): Promise<unknown> {
  const run = (work: () => unknown): unknown => work();
  const imports = new ImportsService(
    { read: run, write: run } as unknown as Database,
    { requireReadable: () => Promise.resolve({ form_id: null }) } as unknown as BaseAccess,
    { resolveTable: () => Promise.resolve({ isJson: false, inspectTable: () => Promise.reject(problem) }) } as unknown as BaseTables,
    {} as ImportReadings,
    { startJob: () => Promise.resolve('a job') } as unknown as JobsService,
  );
  return imports.startImport({} as Principal, 'base', {} as RecordImport);
}

describe('an import of records', () => {
  it('begins with a file that is damaged: its job says so', async () => {
    expect(await started(new Problem('unprocessable_content', 'The file is damaged.'))).toBe('a job');
  });

  it('does not begin with a file that no bounded process could read', async () => {
    const ended = new Problem('unprocessable_content', 'Reading the file took too long.', { isMeasured: true });
    await expect(started(ended)).rejects.toBe(ended);
  });
});
