import 'reflect-metadata';
import { Choice, Flag, IdList, Json, Nested, NestedList, Ref, Stamp, Text, TextList, Whole } from '@atrium/platform/database';
import type { FieldFault, Problem } from '@atrium/platform/kernel';
import { Allow } from 'class-validator';
import { Accepts } from './bodies';
import { hasFieldsAlone } from './entries';
import { FieldConstraint } from './field-rules';
import { createValidationPipe } from './validation.pipe';

/** Another rule than those of its fields leaves a class to class-validator and class-transformer. */
type Way = () => PropertyDecorator;
const DIRECTLY: Way = () => () => undefined;
const BY_LIBRARY: Way = () => Allow();

/** The same input twice: its lists are read directly, or entry by entry with the libraries. */
function inputOf(way: Way): new () => object {
  @Accepts()
  class Part {
    @way() @Whole({ min: 1, max: 100 }) part!: number;
    @Text({ min: 1, max: 8 }) etag!: string;
  }
  @Accepts()
  class Item {
    @way() @Text({ min: 2, max: 5, form: { pattern: /^[^!]*$/, words: 'a name without !' } }) name!: string;
    @Text({ optional: true, max: 6_000 }) long?: string | null;
    @Whole({ omittable: true, min: 0 }) size?: number;
    @Flag({ optional: true }) active?: boolean | null;
    @Choice(['one', 'two'] as const, { omittable: true }) kind?: string;
    @Stamp({ optional: true }) due?: Date | null;
    @Ref({ omittable: true }) id?: string;
    @Json({ optional: true, max: 60 }) more?: object | null;
    @Json({ optional: true, max: 60, isOfAnyType: true }) any?: unknown;
    @TextList({ omittable: true, max: 3 }) words?: string[];
    @IdList({ omittable: true, max: 3 }) ids?: string[];
    @Nested(() => Part, { optional: true }) one?: Part | null;
    @NestedList(() => Part, { omittable: true, min: 1, max: 4 }) parts?: Part[];
  }
  @Accepts()
  class Input {
    @Text({ min: 1 }) title!: string;
    @NestedList(() => Item, { omittable: true, min: 1, max: 10_000 }) items?: Item[];
    @NestedList(() => Part, { omittable: true, max: 10_000 }) receipts?: Part[];
  }
  expect([Part, Item].map(hasFieldsAlone)).toEqual(way === DIRECTLY ? [true, true] : [false, false]);
  return Input;
}

const pipe = createValidationPipe();
const outcome = (body: object, metatype: new () => object): Promise<unknown> =>
  (pipe.transform(structuredClone(body), { type: 'body', metatype }) as Promise<unknown>).then(
    (input) => ({ input }),
    (problem: Problem) => ({ detail: problem.detail, errors: problem.errors }),
  );

const ID = '01a21aba-9817-71a0-8886-678da16fe8ab';
const DUE = '2026-03-14T09:26:53.589Z';
const PART = { part: 1, etag: 'x' };
const GOOD = { name: ' ab ', long: ' x ', size: 0, active: true, kind: 'one', due: DUE, id: ID, more: { a: [1] }, any: [1], words: ['a'] };
/** What is put in the place of every field, and of whole entries and lists. */
const STRANGE: readonly unknown[] = [
  undefined, null, true, false, 0, -1, 1, 1.5, 101, 2 ** 60, '', ' ', 'a', ' a ', 'ab', 'a!', 'abcdef', '👩👩👩👩👩', '👩', '\u0000ab', '\ud800ab', 'a\u0301'.repeat(9),
  'one', 'three', DUE, '2026-02-31', '14 March', ID, ID.toUpperCase(), [], [null], [[]], [1], ['a', 1], ['a', ''], ['a', 'b', 'c', 'd'], [ID], [ID, 'x'],
  {}, { a: 1 }, { a: 'x'.repeat(99) }, { 'a\u0000': 1 }, { part: 1 }, PART, { ...PART, other: 1 }, { part: '1', etag: [] }, [PART], [PART, {}], [PART, null, {}],
  [PART, [PART]], [PART, PART, PART, PART, PART], { length: 1 }, { toString: null },
]; // prettier-ignore
const FIELDS = ['name', 'long', 'size', 'active', 'kind', 'due', 'id', 'more', 'any', 'words', 'ids', 'one', 'parts'];

const strange = (at: number): Record<string, unknown> => ({
  ...GOOD,
  [FIELDS[at % FIELDS.length] ?? '']: STRANGE[Math.floor(at / FIELDS.length) % STRANGE.length],
});
const whole = JSON.parse as (text: string) => object;
/** As it comes: without what is undefined. */
const received = (body: object): object => whole(JSON.stringify(body));

describe('entries of a list that are read directly', () => {
  const [direct, library] = [inputOf(DIRECTLY), inputOf(BY_LIBRARY)];
  const same = async (body: object): Promise<unknown> => {
    const given = received(body);
    const [found, wanted] = [await outcome(given, direct), await outcome(given, library)];
    expect(found).toEqual(wanted);
    return found;
  };

  it('have the same faults and become the same as with the libraries, whatever is in the place of a field', async () => {
    const outcomes: unknown[] = [];
    for (let at = 0; at < FIELDS.length * STRANGE.length; at++) outcomes.push(await same({ title: 'x', items: [GOOD, strange(at), GOOD] }));
    const refused = outcomes.filter((each) => (each as { errors?: unknown }).errors);
    expect([refused.length > 300, outcomes.length - refused.length > 100]).toEqual([true, true]);
  });

  it('have the same faults in the same order where many are wrong, also in lists within them and beside other faults', async () => {
    for (let from = 0; from < FIELDS.length * STRANGE.length; from += 23) {
      const items = Array.from({ length: 120 }, (_, n) => (n % 3 === 0 ? GOOD : strange(from + n * 7)));
      expect(await same({ title: from % 2 === 0 ? '' : 'x', receipts: [PART, { part: 0 }], items })).toMatchObject({
        errors: expect.any(Array) as unknown,
      });
    }
    const parts = Array.from({ length: 4 }, () => ({ part: 0, etag: '' }));
    const full = (await same({ receipts: [PART, {}], items: Array.from({ length: 100 }, () => ({ ...GOOD, size: -1, parts })) })) as {
      errors: FieldFault[];
    };
    expect(full.errors).toHaveLength(50);
  });

  it('are refused with their list where one of them is no object, and the list by its size', async () => {
    for (const one of STRANGE) {
      await same({ title: 'x', items: [GOOD, one, { name: 1 }] });
      await same({ title: 'x', items: one, receipts: one });
    }
  });

  it('are instances of their classes, and so is what is within them', async () => {
    const body = { title: 'x', items: [{ ...GOOD, one: PART, parts: [PART] }], receipts: [PART] };
    const { input } = (await outcome(body, direct)) as { input: Record<string, Record<string, unknown>[]> };
    const [item] = input.items ?? [];
    const names = [item, item?.one, (item?.parts as unknown[])[0], input.receipts?.[0]].map((each) => (each as object).constructor.name);
    expect(names).toEqual(['Item', 'Part', 'Part', 'Part']);
    expect(item).toMatchObject({ name: 'ab', long: ' x ', due: new Date(DUE) });
  });

  it.each([
    ['all are valid', (): object => PART, 0],
    ['all are wrong', (): object => ({ part: 0, etag: '' }), 50],
    ['the last one is wrong', (n: number): object => (n === 9_999 ? {} : PART), 2],
  ])('are left to class-validator only where they are wrong: %s', async (_, make, faults) => {
    const validate = jest.spyOn(FieldConstraint.prototype, 'validate');
    const receipts = Array.from({ length: 10_000 }, (__, n) => make(n));
    const found = (await outcome({ title: 'x', receipts }, direct)) as { errors?: FieldFault[]; input?: { receipts: unknown[] } };
    expect(found.errors ?? []).toHaveLength(faults);
    expect(found.input?.receipts ?? receipts).toHaveLength(10_000);
    // Two fields of the input, and two of each entry that is looked at.
    expect(validate.mock.calls.length).toBeLessThanOrEqual(2 + 2 * 50);
    validate.mockRestore();
  });
});
