import { Run } from '../domain/run';
import type { RunSource } from '../domain/run-source';
import { RunRecords } from './run-records';

const source = (n: number, source_kind: string, source_id: string): RunSource => ({ n, source_kind, source_id }) as RunSource;

/** The records of one run with those of its memories that are still there. */
function recordsOf(there: readonly string[]) {
  const run = Object.assign(new Run(), { run_id: 'r1', run_message: 'm1', run_status: 'running', run_attempt: 1, run_sources: [] });
  const recalled: string[] = [];
  const records: RunRecords = Object.assign(Object.create(RunRecords.prototype) as RunRecords, {
    db: { write: (work: () => unknown) => work() },
    runs: { lock: () => Promise.resolve(run), save: () => Promise.resolve() },
    answers: { recalls: (id: string) => Promise.resolve(void recalled.push(id)) },
    memories: { holdThose: (ids: readonly string[]) => Promise.resolve(new Set(ids.filter((id) => there.includes(id)))) },
  });
  return { run, recalled, records, held: { run, attempt: 1 } };
}

const FOUND = [source(1, 'memory', 'kept'), source(2, 'memory', 'gone'), source(3, 'file', 'gone')];

describe('what was found for a run', () => {
  it('is kept without memories that were deleted since, which are named to the run', async () => {
    const { records, run, recalled, held } = recordsOf(['kept']);
    expect(await records.found(held, FOUND, { taint: null, recalls: false })).toEqual([FOUND[1]]);
    expect([run.run_sources, recalled]).toEqual([[FOUND[0], FOUND[2]], ['m1']]);
  });

  it('says nothing of memories where all of them are gone, unless the conversation does', async () => {
    for (const recalls of [false, true]) {
      const { records, recalled, held } = recordsOf([]);
      await records.found(held, FOUND, { taint: null, recalls });
      expect(recalled).toEqual(recalls ? ['m1'] : []);
    }
  });
});
