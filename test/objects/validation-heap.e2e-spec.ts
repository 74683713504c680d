import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { FormReferences, Forms } from '@atrium/forms';
import { SystemClock, TimeOrderedIds, type JsonObject } from '@atrium/platform/kernel';
import { repeated } from '../support/repeated';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const SCHEMAS = 2_000;
const FIELDS = 20;
/** As many times as each schema is used one after the other. */
const IN_A_ROW = repeated('VALIDATIONS_IN_A_ROW', { usual: 10, deep: 50 });
const VALIDATIONS = SCHEMAS * IN_A_ROW;

/** Each has names of its own, so that nothing of one serves another. */
const schema = (nth: number): JsonObject => ({
  title: `name_${nth}`,
  rules: [{ assert: `!has(content.size_${nth}_3) || content.size_${nth}_3 < ${nth + 98}`, message: 'It is too large.' }],
  fields: [
    { key: `name_${nth}`, type: 'text', label: `Name ${nth}`, pattern: `(?:[a-z]{1,9} ?){1,${(nth % 90) + 10}}` },
    {
      key: `rows_${nth}`,
      type: 'list',
      label: `Rows ${nth}`,
      fields: [
        { key: `note_${nth}`, type: 'text', label: 'Note', required: true },
        { key: `more_${nth}`, type: 'text', label: 'More', required: true, show_if: `size(content.name_${nth}) > ${nth + 50}` },
      ],
    },
    ...Array.from({ length: FIELDS }, (_, at) => ({ key: `size_${nth}_${at}`, type: 'number', label: `Size ${at}`, max: nth + at + 100 })),
  ],
});

function heap(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

describe('content of many schemas', () => {
  it('[objects 21] is validated without the heap growing with the number of validations or schemas', async () => {
    const forms = new Forms(new FormReferences(), new SystemClock(), new TimeOrderedIds());
    const schemas = Array.from({ length: SCHEMAS }, (_, nth) => schema(nth));
    let accepted = 0;
    const validate = async (from: number, to: number): Promise<void> => {
      for (let at = from; at < to; at++) {
        const nth = at < 1_000 ? at : Math.floor(at / IN_A_ROW) % SCHEMAS;
        const content = { [`name_${nth}`]: 'harbour', [`size_${nth}_3`]: at % 97, [`rows_${nth}`]: [{ [`note_${nth}`]: `Row ${at}` }] };
        const [outcome] = await forms.validateAll(forms.compileForm(schemas[nth]!), [{ mode: 'create', content }], null);
        if (outcome?.content) accepted += 1;
      }
    };
    const before = heap();
    await validate(0, 1_000);
    const early = heap();
    await validate(1_000, VALIDATIONS);
    const late = heap();
    expect(accepted).toBe(VALIDATIONS);
    expect(late).toBeLessThan(early * 1.5);
    // The test's own heap is large: what the schemas take of it counts on its own, besides a few megabytes of noise.
    expect(late - before).toBeLessThan((early - before) * 1.5 + 8 * 1024 * 1024);
  }, 300_000);
});
