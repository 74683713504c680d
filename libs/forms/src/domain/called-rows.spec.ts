import { growth, LINEAR } from '../../../platform/testing/src/growth';
import { RowsByName } from './called-rows';

const rows = [
  { id: 'a', name: 'Lamp', external_id: 'L-1' },
  { id: 'b', name: 'lamp', external_id: 'L-2' },
  { id: 'c', name: 'L-1', external_id: null },
  { id: 'd', name: 'Sofa', external_id: null },
  { id: 'e', name: 'Shelf', external_id: 'Mu\u0308' },
];
const keys = new Map([
  ['S-9', 'd'],
  ['X-1', 'hidden'],
]);
const called = new RowsByName(rows, [keys], 'names none');

describe('what a name means among rows', () => {
  it.each([
    ['S-9', { id: 'd' }],
    ['L-1', { id: 'a' }],
    ['SOFA', { id: 'd' }],
    ['M\u00fc', { id: 'e' }],
    ['Mu\u0308', { id: 'e' }],
    ['Lamp', { misfit: 'matches several; use the id of one of them' }],
    ['Table', { misfit: 'names none' }],
    // A key of a row that was not found among those that may be read.
    ['X-1', { misfit: 'names none' }],
  ])('%s is %j', (name, meaning) => {
    expect(called.meaningOf(name)).toEqual(meaning);
  });

  it('takes a time that grows with the number of names and rows alone', () => {
    const rowsOf = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ id: `${at}`, name: `Größe ${at}`, external_id: `${at}` }));
    const work = (many: ReturnType<typeof rowsOf>): void => {
      const among = new RowsByName(many, [], 'names none');
      for (const { name } of many) among.meaningOf(name);
    };
    expect(growth(rowsOf, 1_000, work)).toBeLessThan(LINEAR);
  });
});
