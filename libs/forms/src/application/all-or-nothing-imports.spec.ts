import type { Database } from '@atrium/platform/database';
import type { Problem } from '@atrium/platform/kernel';
import { MOST_STAGED } from '../domain/staged-texts';
import type { StagedBytes, StagedRows } from '../infrastructure/staged-rows';
import type { NumberRanges } from './number-ranges';
import { AllOrNothingImports } from './all-or-nothing-imports';

const MIB = 1024 * 1024;
const ROW = { number: 1, values: { a: 'ß'.repeat(1_000) } };
/** The row as JSON in a list, in UTF-8. */
const BYTES = Buffer.byteLength(JSON.stringify([ROW]));

/** What becomes of a row that comes to what is staged: the rows that were added, or the code of the refusal. */
async function staging(staged: StagedBytes): Promise<number[] | string> {
  const added: number[] = [];
  const db = { read: (work: () => unknown) => work(), write: (work: () => unknown) => work() } as unknown as Database;
  const rows = {
    readLastRow: () => Promise.resolve(0),
    countBytes: () => Promise.resolve(staged),
    addBatch: (_: string, last: { number: number }) => Promise.resolve(added.push(last.number)),
  };
  const imports = new AllOrNothingImports(db, rows as unknown as StagedRows, {} as NumberRanges);
  try {
    await imports.stageRows('job', [ROW], () => Promise.resolve());
    return added;
  } catch (error) {
    return (error as Problem).code;
  }
}

describe('rows of an import that must not fail', () => {
  it('are staged up to 512 MiB of one import, and 2 GiB of a workspace', async () => {
    expect(MOST_STAGED).toEqual({ job: 512 * MIB, workspace: 2_048 * MIB });
    const full = { job: MOST_STAGED.job - BYTES, workspace: MOST_STAGED.workspace - BYTES };
    expect(await staging(full)).toEqual([1]);
    expect(await staging({ ...full, job: full.job + 1 })).toBe('payload_too_large');
    expect(await staging({ ...full, workspace: full.workspace + 1 })).toBe('limit_reached');
  });

  it('hold their job while a piece of them is staged, and go on behind the last piece where they were cut off', async () => {
    const large = [1, 2, 3].map((number) => ({ number, values: { a: 'a'.repeat(600 * 1024) } }));
    const told: (string | number)[] = [];
    let last = 0;
    const db = {
      read: (work: () => unknown) => work(),
      write: async (work: () => Promise<void>) => {
        told.push('begin');
        await work();
        told.push('commit');
      },
    };
    const rows = {
      readLastRow: () => Promise.resolve(last),
      countBytes: () => Promise.resolve({ job: 0, workspace: 0 }),
      addBatch: (_: string, row: { number: number }) => Promise.resolve(told.push((last = row.number))),
    };
    const imports = new AllOrNothingImports(db as unknown as Database, rows as unknown as StagedRows, {} as NumberRanges);
    const cancelled = jest.fn(() => (last === 2 ? Promise.reject(new Error('The job has ended.')) : Promise.resolve()));
    await expect(imports.stageRows('job', large, cancelled)).rejects.toThrow('The job has ended.');
    expect(told).toEqual(['begin', 1, 'commit', 'begin', 2, 'commit', 'begin']);
    told.length = 0;
    await imports.stageRows('job', large, () => Promise.resolve());
    expect(told).toEqual(['begin', 3, 'commit']);
  });
});
