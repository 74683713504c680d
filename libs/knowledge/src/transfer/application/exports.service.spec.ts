import type { Principal } from '@atrium/platform/access';
import type { Database } from '@atrium/platform/database';
import { findEndingBy } from '@atrium/platform/kernel';
import type { BaseAccess } from '../../bases/application/base-access';
import type { JobRuns } from '../../work/application/job-runs';
import type { JobsService } from '../../work/application/jobs.service';
import type { ExportedRecordRows } from '../infrastructure/exported-records.rows';
import { ExportsService } from './exports.service';
import type { RecordExport } from './record-export';

const MIB = 1024 * 1024;

/** An export of a base with so many records and bytes, and the signal of what is written at once. */
async function exporting(records: number, bytes: number) {
  const run = (work: () => unknown): unknown => work();
  const signals: unknown[] = [];
  const exports = new ExportsService(
    { read: run, write: run } as unknown as Database,
    { requireReadable: () => Promise.resolve({}), countRecords: () => Promise.resolve(records) } as unknown as BaseAccess,
    {
      writeExport: ({ signal }: { signal?: AbortSignal }) => {
        signals.push(signal);
        return Promise.resolve({ key: 'k', facts: { record_count: records } });
      },
    } as unknown as RecordExport,
    {
      startJob: () => Promise.resolve('a job'),
      insertFinished: () => Promise.resolve({}),
      toAnswer: () => Promise.resolve({ result: 'a file' }),
    } as unknown as JobsService,
    {} as JobRuns,
    { next: () => 'id' },
    { countBytes: () => Promise.resolve(bytes) } as unknown as ExportedRecordRows,
  );
  return { taken: await exports.startExport({} as Principal, 'b', 'jsonl'), signals };
}

describe('an export of a base', () => {
  it('is written at once where its records are few and small, and a job otherwise', async () => {
    expect((await exporting(20_000, 64 * MIB)).taken).toEqual({ file: 'a file' });
    expect((await exporting(20_001, 1)).taken).toEqual({ job: 'a job' });
    expect((await exporting(1, 64 * MIB + 1)).taken).toEqual({ job: 'a job' });
  });

  it('ends with its request where it is written at once', async () => {
    const { signal } = new AbortController();
    const forget = findEndingBy(() => signal);
    try {
      expect((await exporting(1, 1)).signals).toEqual([signal]);
    } finally {
      forget();
    }
  });
});
