import { NamedReferences, RefusedRows, type AllOrNothingImports } from '@atrium/forms';
import type { Principal } from '@atrium/platform/access';
import type { Database } from '@atrium/platform/database';
import type { JsonValue } from '@atrium/platform/kernel';
import type { JobRun } from '@atrium/platform/messaging';
import type { ImportOrder } from '../domain/import-order';
import type { RowKind } from '../domain/row-kind';
import { ImportRuns } from './import-runs';
import type { FoundTable } from './import-tables';
import type { Cleaned, ImportEntry, ImportJob, ImportStep, ImportTarget } from './import-target';

interface Lamp {
  readonly id?: string;
  readonly text?: string;
}
type Values = Readonly<Record<string, JsonValue>>;
interface Row {
  readonly number: number;
  readonly values: Values;
  readonly fault?: string;
}

const KIND: RowKind = { noun: 'lamp', external_id: 'id', content: 'content', properties: { id: [], text: [] } };

/** An import of rows, and what it came to; what `refuses` says of an entry is its fault. */
async function imported(
  rows: readonly Row[],
  order: Partial<ImportOrder> = {},
  {
    lastRow = 0,
    refuses = () => false,
    clean,
    staged = [],
  }: {
    readonly lastRow?: number;
    readonly refuses?: (lamp: Lamp) => boolean;
    readonly clean?: (lamp: Lamp) => Cleaned<Lamp>;
    readonly staged?: Row[];
  } = {},
) {
  const course: string[] = [];
  const asked: ('asker' | 'lock' | 'heartbeat')[] = [];
  const steps: ImportStep[] = [];
  const written: ImportEntry<Lamp>[] = [];
  let isWriting = false;
  const note = (what: string): number => course.push(`${what}${isWriting ? ' while writing' : ''}`);
  const db = {
    read: (work: () => unknown) => work(),
    write: async (work: () => Promise<unknown>) => {
      isWriting = true;
      return work().finally(() => (isWriting = false));
    },
  };
  const whole: Pick<AllOrNothingImports, 'readLastRow' | 'stageRows' | 'writeStaged'> = {
    readLastRow: () => Promise.resolve(0),
    stageRows: async (_, some, keep) => {
      await keep();
      staged.push(...(some as Row[]));
    },
    writeStaged: async ({ write, finish }) => {
      const { refused, ...counts } = await write(staged as never);
      const rows = new RefusedRows<(typeof refused)[number]>();
      rows.addRows(refused);
      if (rows.count === 0) await finish(counts);
      return rows;
    },
  };
  const job: ImportJob = {
    job_id: 'job',
    lastRow,
    isSurveyed: false,
    isWritten: false,
    findAsker: () => Promise.resolve(void asked.push('asker')).then(() => ({}) as Principal),
    lockRunning: () => Promise.resolve(void asked.push('lock')),
    assertRunning: () => Promise.resolve(),
    recordTotal: (total) => Promise.resolve(void note(`${total} rows`)),
    recordBatch: (step) => {
      note('recorded');
      return Promise.resolve(void steps.push(step));
    },
    recordAll: ({ created }, total) => Promise.resolve(void note(`all ${total}, ${created} created`)),
  };
  const target: ImportTarget<Lamp> = {
    kind: KIND,
    mapping: { ID: 'id', Text: 'text' },
    inspectRows: () => undefined,
    namesIn: () => Promise.resolve(void note('names')).then(() => new NamedReferences()),
    keyOf: ({ id }: Lamp) => id ?? null,
    keyOfValue: () => null,
    readRow: ({ ID, Text }, named) => {
      if (named !== 'aside') note('row');
      return { wish: { ...(ID === undefined ? {} : { id: wordOf(ID) }), text: wordOf(Text) }, faults: [] };
    },
    writeBatch: (entries) => {
      note('batch');
      written.push(...entries);
      return Promise.resolve(
        entries.map(({ wish }) =>
          refuses(wish)
            ? { outcome: 'refused', issues: [{ path: 'content.text', code: 'length', message: 'is too long' }] }
            : { outcome: 'created' },
        ),
      );
    },
    findForm: () => Promise.resolve(null),
    ...(clean ? { cleanWishes: (wishes) => Promise.resolve(wishes.map(clean)) } : {}),
  };
  async function* read() {
    yield* await Promise.resolve(rows);
  }
  const source = { columns: () => Promise.resolve(['ID', 'Text']), rows: read, close: () => Promise.resolve(void note('closed')) };
  const aborted = await new ImportRuns(db as unknown as Database, whole as AllOrNothingImports).runImport(
    {
      job,
      order: { mode: 'insert', on_error: 'skip', ...order },
      table: { isJson: false, openRows: () => Promise.resolve(source) } as unknown as FoundTable,
      openTarget: () => Promise.resolve(target),
    },
    { signal: new AbortController().signal, heartbeat: () => Promise.resolve(void asked.push('heartbeat')) } as unknown as JobRun,
  );
  const count = (what: (typeof asked)[number]): number => asked.filter((one) => one === what).length;
  return { aborted, course, steps, written, count };
}

const lamps = (count: number): Row[] => Array.from({ length: count }, (_, at) => ({ number: at + 1, values: { ID: `l${at}`, Text: 'x' } }));

const wordOf = (cell: unknown): string => (typeof cell === 'string' ? cell : JSON.stringify(cell));

describe('a run of an import', () => {
  it('finds out names and reads its rows before it opens the unit of work that writes them', async () => {
    const { course } = await imported(lamps(1));
    expect(course).toEqual(['1 rows while writing', 'names', 'row', 'batch while writing', 'recorded while writing', 'closed']);
  });

  it('writes 500 rows at a time, and says where the next batch begins', async () => {
    const { steps } = await imported(lamps(1_001));
    expect(steps.map(({ from, to, rows, created, total }) => [from, to, rows, created, total])).toEqual([
      [0, 500, 500, 500, 1_001],
      [500, 1_000, 500, 500, 1_001],
      [1_000, 1_001, 1, 1, 1_001],
    ]);
  });

  it('asks for each batch who requested it, and shows after each batch that it is alive, while it reads and while it writes', async () => {
    const { count } = await imported(lamps(1_001));
    expect([count('asker'), count('heartbeat')]).toEqual([3, 6]);
  });

  it('goes on behind the last row that is written', async () => {
    const { written } = await imported(lamps(3), {}, { lastRow: 2 });
    expect(written.map(({ row }) => row)).toEqual([3]);
  });

  it('leaves out rows that cannot be read, have no key or one that a later row has, and those that are not valid, each by its column', async () => {
    const rows: Row[] = [
      { number: 1, values: { ID: 'a', Text: 'first' } },
      { number: 2, values: {}, fault: 'The row is damaged.' },
      { number: 3, values: { Text: 'without' } },
      { number: 4, values: { ID: 'a', Text: 'last' } },
      { number: 5, values: { ID: 'b', Text: 'long' } },
    ];
    const { steps } = await imported(rows, { mode: 'upsert' }, { refuses: ({ text }) => text === 'long' });
    expect(steps).toHaveLength(1);
    expect(steps[0]).toMatchObject({ created: 1, updated: 0, unchanged: 0 });
    expect(steps[0]?.refused.map(({ row, faults }) => [row, ...faults.map(({ path, code }) => `${path} ${code}`)])).toEqual([
      [1, 'ID duplicate_key'],
      [2, ' unreadable'],
      [3, 'ID required'],
      [5, 'Text length'],
    ]);
  });

  it('takes rows with one key where each is new', async () => {
    const { steps } = await imported([...lamps(1), { number: 2, values: { ID: 'l0', Text: 'y' } }]);
    expect(steps[0]).toMatchObject({ created: 2, refused: [] });
  });

  it('writes texts as they were cleaned, and refuses those that could not be', async () => {
    const clean = ({ text }: Lamp): Cleaned<Lamp> =>
      text === 'x' ? null : text === 'bad' ? { path: 'content.text', code: 'unreadable', message: 'cannot be read' } : { text: 'clean' };
    const rows = ['x', '<b>', 'bad'].map((Text, at) => ({ number: at + 1, values: { ID: `l${at}`, Text } }));
    const { written, steps } = await imported(rows, {}, { clean });
    expect(written.map(({ wish }) => wish)).toEqual([
      { id: 'l0', text: 'x' },
      { id: 'l1', text: 'clean' },
    ]);
    expect(steps[0]?.refused).toMatchObject([{ row: 3, faults: [{ path: 'Text', code: 'unreadable' }] }]);
  });

  it('that must not fail stages all rows, cleaned, and writes them at once', async () => {
    const staged: Row[] = [];
    const { aborted, steps, course, count } = await imported(
      lamps(620),
      { on_error: 'abort' },
      { staged, clean: () => ({ text: 'clean' }) },
    );
    expect([aborted, steps, staged.length]).toEqual([null, [], 620]);
    expect(staged[0]).toMatchObject({ number: 1, values: { ID: 'l0', Text: 'x' }, clean: { text: 'clean' } });
    expect(course.at(-2)).toBe('all 620, 620 created');
    expect([count('lock'), count('heartbeat')]).toEqual([2, 2]);
  });

  it('that must not fail says why nothing was written', async () => {
    const { aborted, course } = await imported(lamps(3), { on_error: 'abort' }, { refuses: ({ id }) => id === 'l1' });
    expect(aborted).toMatchObject({
      reason: '1 of 3 rows are not valid, and nothing was written. The job names them.',
      refused: [{ row: 2, faults: [{ path: 'Text' }] }],
      failed: 1,
      unlisted: 0,
    });
    expect(course.filter((what) => what.startsWith('all '))).toEqual([]);
  });
});
