import { Problem, type JsonObject } from '@atrium/platform/kernel';
import { assertFollowed, type StoredContent } from './change-refusals';
import type { CompiledForm } from './compiled-form';
import { FieldTypes } from './field-types';
import { diffForms } from './form-diff';
import { FormReader } from './form-reader';
import { hasStored } from './stored-values';

const NOW = new Date('2026-03-01T12:00:00Z');

function compiled(...fields: JsonObject[]): CompiledForm {
  const read = new FormReader(new FieldTypes(), 'content', NOW).readForm({ fields }, 'tpl_config');
  if ('faults' in read) throw new Error(JSON.stringify(read.faults));
  return read.form;
}

const field = (key: string, type: string, more: JsonObject = {}): JsonObject => ({ key, type, label: key, ...more });
const ROWS = (...fields: JsonObject[]): JsonObject => field('l', 'list', { fields });

function refusal(before: CompiledForm, after: CompiledForm, stored: Partial<StoredContent> = {}) {
  try {
    assertFollowed(
      after,
      diffForms(before, after, {}, NOW, () => null),
      { counts: new Map(), ...stored },
    );
    return null;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { code: error.code, errors: error.errors ?? [], detail: error.detail };
  }
}

describe('a change of a configuration in a row of its owner', () => {
  const before = compiled(field('f', 'number'), ROWS(field('g', 'number')));
  const after = compiled(field('f', 'date'), ROWS(field('g', 'date')));

  it('is refused with the count of values that cannot be converted', () => {
    const [f, g] = [
      {
        path: 'tpl_config.fields[0]',
        code: 'type',
        message: '3 stored values of f have the type number and cannot be converted to date; use a new key.',
      },
      {
        path: 'tpl_config.fields[1].fields[0]',
        code: 'type',
        message: '1 stored values of l.g have the type number and cannot be converted to date; use a new key.',
      },
    ];
    expect(refusal(before, after, { counts: new Map([['f', 3]]) })).toEqual({ code: 'in_use', errors: [f], detail: f?.message });
    expect(
      refusal(before, after, {
        counts: new Map([
          ['f', 3],
          ['l.g', 1],
        ]),
      }),
    ).toEqual({
      code: 'in_use',
      errors: [f, g],
      detail: '2 fields have stored values of another type; see errors.',
    });
    expect(refusal(before, after, { counts: new Map([['f', 0]]) })).toBeNull();
    expect(refusal(before, after)).toBeNull();
  });

  it('counts values where the difference says that they are, in every row of a list', () => {
    const [inField, inRow] = diffForms(before, after, {}, NOW, () => null).blocked.map(({ path }) => path.split('.'));
    const contents: JsonObject[] = [{ f: 1 }, { f: null }, { l: [{}, { g: 2 }] }, { l: [{ h: 2 }] }, { 'l.g': 1 }];
    const count = (path: readonly string[] = []) => contents.map((content) => hasStored(content, path));
    expect(count(inField)).toEqual([true, false, false, false, false]);
    expect(count(inRow)).toEqual([false, false, true, false, false]);
  });

  it('cannot continue a field that is not there', () => {
    expect(refusal(before, compiled(field('h', 'number', { renamed_from: 'gone' })))).toMatchObject({
      code: 'validation_failed',
      errors: [{ path: 'tpl_config.fields[0].renamed_from', code: 'reference' }],
    });
  });

  it('cannot use a key from which values are still to be moved', () => {
    const pending = [{ within: [], from: 'old', to: 'f', convert: null }];
    expect(refusal(before, compiled(field('f', 'number'), field('old', 'text')), { pending })).toMatchObject({
      code: 'invalid_state',
      detail: 'Values of old are still being moved to f. The key is available when they have been moved.',
    });
    expect(refusal(before, compiled(field('f', 'number'), field('new', 'text')), { pending })).toBeNull();
    expect(
      refusal(before, compiled(field('f', 'decimal')), { pending: [{ within: [], from: 'f', to: 'f', convert: 'decimal' }] }),
    ).toBeNull();
  });
});
