import { Cells } from '../domain/cells';
import { FieldTypes } from '../domain/field-types';
import { FormReader } from '../domain/form-reader';
import { CellNames } from './cell-names';
import { FormReferences } from './form-references';

describe('what names in cells refer to', () => {
  it('is said with what else they may mean, unless those read it who may not see that', async () => {
    const fields = [{ key: 'topic', type: 'taxonomy', label: 'Topic', taxonomy: '0190a8c4-0000-7000-8000-00000000000a' }];
    const read = new FormReader(new FieldTypes(), 'object', new Date('2026-03-01T12:00:00Z')).read({ fields }, 'form_config');
    if ('faults' in read) throw new Error(JSON.stringify(read.faults));
    const references = new FormReferences();
    references.register('taxonomy', {
      misfits: () => Promise.resolve([]),
      meant: (questions) => Promise.resolve(questions.map(() => ({ misfit: 'names no term', detail: 'did you mean Lighting?' }))),
    });
    const cells = Cells.of(read.form, { Topic: 'topic' });
    const row = { Topic: 'Lightning' };
    const saidTo = async (terse?: boolean) =>
      cells.readValues(row, await new CellNames(references).of(cells, [row], { actor: null, ...(terse ? { terse } : {}) })).faults[0]
        ?.message;
    expect(await saidTo()).toBe('Topic: "Lightning" names no term (did you mean Lighting?).');
    expect(await saidTo(true)).toBe('Topic: "Lightning" names no term.');
  });
});
