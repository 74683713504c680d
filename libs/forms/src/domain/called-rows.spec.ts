import { rowCalled } from './called-rows';

const rows = [
  { id: 'a', name: 'Lamp', external_id: 'L-1' },
  { id: 'b', name: 'lamp', external_id: 'L-2' },
  { id: 'c', name: 'L-1', external_id: null },
  { id: 'd', name: 'Sofa', external_id: null },
];
const named = (name: string) =>
  rowCalled(
    name,
    {
      keys: [
        new Map([
          ['S-9', 'd'],
          ['X-1', 'hidden'],
        ]),
      ],
      rows,
    },
    'names none',
  );

describe('what a name means among rows', () => {
  it.each([
    ['S-9', { id: 'd' }],
    ['L-1', { id: 'a' }],
    ['SOFA', { id: 'd' }],
    ['Lamp', { misfit: 'names several; write the id of one of them' }],
    ['Table', { misfit: 'names none' }],
    // A key of a row that was not found among those that may be read.
    ['X-1', { misfit: 'names none' }],
  ])('%s is %j', (name, meaning) => {
    expect(named(name)).toEqual(meaning);
  });
});
