import { inWorkspace, type Database, type Sql } from '@atrium/platform/database';
import { newId, type JsonObject } from '@atrium/platform/kernel';
import { MemoryCopies } from './memory-copies.rows';

const MEMORY = { mem_id: 'mem1', texts: ['My code is 47110815.'] };
const GIVEN = [{ source_kind: 'memory', source_id: 'mem1', text: 'My code is 47110815.' }];

/** What is written where the memory is taken out of one run with one step, which says nothing of it. */
async function written(run: { readonly run_sources: readonly JsonObject[]; readonly run_reason: string | null }): Promise<Sql[]> {
  const all: Sql[] = [];
  const row = { run_id: 'r1', run_input: {}, run_output: null, run_message: null, is_open: false, is_beginning: false, ...run };
  const tx = {
    first: () => Promise.resolve({ hold: null }),
    query: ({ text }: Sql) =>
      Promise.resolve(
        text.includes('FROM run_tool_call')
          ? []
          : text.includes('FROM run_step')
            ? [{ step: 1, attempt: 1, parts: [], correction: null }]
            : [row],
      ),
    execute: (statement: Sql) => Promise.resolve(all.push(statement)),
  };
  const db = { current: () => tx } as unknown as Database;
  await inWorkspace(newId(), () => new MemoryCopies(db).blankCopies('ann', 't1', [MEMORY], { after: null, most: 10 }));
  return all;
}

describe('a memory that is forgotten', () => {
  it('is taken out of what a provider said of a run', async () => {
    const [statement, ...more] = await written({ run_sources: [], run_reason: 'Not allowed: My code is 47110815. – filter' });
    expect(statement?.text).toContain('run_reason =');
    expect(statement?.values).toContain('Not allowed: [erased] – filter');
    expect(more).toEqual([]);
  });

  it('leaves only the names of what a provider said of a run that was given it', async () => {
    const [statement] = await written({ run_sources: GIVEN, run_reason: 'Not allowed: My co-de is 4711... – filter' });
    expect(statement?.values).toContain('– filter');
    const [again] = await written({ run_sources: GIVEN, run_reason: '– filter' });
    expect(again?.values).toContain('– filter');
    expect(JSON.stringify(statement?.values)).not.toContain('4711');
  });

  it('takes with it whatever goes back to the provider of a run that was given it, and of no other run', async () => {
    const carried = (all: readonly Sql[]) => all.filter(({ text }) => text.includes('SET carried = NULL'));
    expect(carried(await written({ run_sources: GIVEN, run_reason: null }))).toHaveLength(1);
    expect(carried(await written({ run_sources: [], run_reason: 'My code is 47110815.' }))).toEqual([]);
  });
});
