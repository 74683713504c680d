import type { Database } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';
import { Cells } from '../domain/cells';
import { FieldTypes } from '../domain/field-types';
import { FormReader } from '../domain/form-reader';
import { CellNames } from './cell-names';
import { FormReferences } from './form-references';

const TOPIC = { key: 'topic', type: 'taxonomy', label: 'Topic', taxonomy: '0190a8c4-0000-7000-8000-00000000000a' };
const db = { read: (work: () => unknown) => work() } as unknown as Database;

function cellsOf(field: JsonObject): Cells {
  const read = new FormReader(new FieldTypes(), 'object', new Date('2026-03-01T12:00:00Z')).readForm({ fields: [field] }, 'form_config');
  if ('faults' in read) throw new Error(JSON.stringify(read.faults));
  return Cells.of(read.form, { Topic: 'topic' });
}

describe('what names in cells refer to', () => {
  it('is said with what else they may mean, unless those read it who may not see that', async () => {
    const references = new FormReferences();
    references.register('taxonomy', {
      findMisfits: () => Promise.resolve([]),
      resolveNames: (questions) => Promise.resolve(questions.map(() => ({ misfit: 'names no term', detail: 'did you mean Lighting?' }))),
    });
    const cells = cellsOf(TOPIC);
    const row = { Topic: 'Lightning' };
    const saidTo = async (terse?: boolean) =>
      cells.readValues(row, await new CellNames(db, references).resolveNames(cells, [row], { actor: null, ...(terse ? { terse } : {}) }))
        .faults[0]?.message;
    expect(await saidTo()).toBe('Topic: "Lightning" names no term (did you mean Lighting?).');
    expect(await saidTo(true)).toBe('Topic: "Lightning" names no term.');
  });

  it('lets others have their turn, however many names the cells of a batch hold', async () => {
    let others = 0;
    setImmediate(() => others++);
    const row = { Topic: 'a;'.repeat(2_000) };
    const rows = Array.from({ length: 2_000 }, () => row);
    await new CellNames(db, new FormReferences()).resolveNames(cellsOf({ ...TOPIC, multiple: true }), rows, { actor: null });
    expect(others).toBe(1);
  });

  it('is asked once a name, and found behind names that come again', async () => {
    const references = new FormReferences();
    const asked: string[] = [];
    references.register('taxonomy', {
      findMisfits: () => Promise.resolve([]),
      resolveNames: (questions) => {
        asked.push(...questions.map(({ name }) => name));
        return Promise.resolve(questions.map(({ name }) => ({ id: `id of ${name}` })));
      },
    });
    const cells = cellsOf({ ...TOPIC, multiple: true });
    const row = { Topic: `${'a; '.repeat(150)}b` };
    const named = await new CellNames(db, references).resolveNames(cells, [row], { actor: null });
    expect(asked).toEqual(['a', 'b']);
    expect(cells.readValues(row, named)).toEqual({ content: { topic: ['id of a', 'id of b'] }, faults: [] });
  });

  it.each([
    ['one name again and again', 'a;'.repeat(500_000)],
    ['many names', Array.from({ length: 101 }, (_, at) => `n${at}`).join(';')],
    ['a list of them', Array.from({ length: 200_000 }, (_, at) => `n${at}`)],
  ])('is one fault where they are more than a field takes: %s', async (_, Topic) => {
    const cells = cellsOf({ ...TOPIC, multiple: true });
    const named = await new CellNames(db, new FormReferences()).resolveNames(cells, [{ Topic }], { actor: null });
    const message = 'Topic must have at most 100 items.';
    expect(cells.readValues({ Topic }, named).faults).toEqual([{ path: 'Topic', code: 'length', message }]);
  });
});
