import { changesBetween, changesNothing } from './audit';

describe('changes', () => {
  it('records the fields that differ, as they were and as they are', () => {
    expect(
      changesBetween(
        { role_name: 'Editor', permissions: ['a', 'b'], role_default: false },
        { role_name: 'Editor', permissions: ['a'], role_default: false },
      ),
    ).toEqual({
      before: { permissions: ['a', 'b'] },
      after: { permissions: ['a'] },
    });
  });

  it('records every field of what is new, and of what was removed', () => {
    expect(changesBetween(null, { key_name: 'CI' })).toEqual({ before: null, after: { key_name: 'CI' } });
    expect(changesBetween({ key_name: 'CI' }, null)).toEqual({ before: { key_name: 'CI' }, after: null });
  });

  it('records of a secret only that one is set', () => {
    expect(changesBetween({ sto_secret: 'old' }, { sto_secret: 'new' }, ['sto_secret'])).toEqual({
      before: { sto_secret: '[set]' },
      after: { sto_secret: '[set]' },
    });
    expect(changesBetween({ sto_secret: null }, { sto_secret: 'new' }, ['sto_secret'])).toEqual({
      before: { sto_secret: null },
      after: { sto_secret: '[set]' },
    });
    expect(changesBetween({ sto_secret: 'same' }, { sto_secret: 'same' }, ['sto_secret'])).toEqual({ before: {}, after: {} });
  });

  it('compares moments and absent fields as the API shows them', () => {
    const at = new Date('2026-03-01T10:00:00.000Z');
    expect(changesBetween({ until: at, note: undefined }, { until: '2026-03-01T10:00:00.000Z', note: null })).toEqual({
      before: {},
      after: {},
    });
  });
});

describe('an entry of the audit trail', () => {
  it('changes nothing where no field of what was there before and after differs', () => {
    expect(changesNothing(changesBetween({ state: 'published' }, { state: 'published' }))).toBe(true);
    expect(changesNothing(changesBetween({ secret: 'old' }, { secret: 'new' }, ['secret']))).toBe(false);
    expect(changesNothing(changesBetween({ state: 'draft' }, { state: 'published' }))).toBe(false);
  });

  it('records what is new, what was removed and what has no fields', () => {
    expect([changesBetween(null, {}), changesBetween({}, null), {}, { before: null, after: null }].map(changesNothing)).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });
});
