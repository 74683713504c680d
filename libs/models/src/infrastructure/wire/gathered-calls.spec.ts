import { growth, LINEAR } from '../../../../platform/testing/src/growth';
import type { SaidCall } from './chat-message';
import { GatheredCalls } from './gathered-calls';

const piece = (id: string | null, name: string | null, input: string | null, index: number | null = 0): SaidCall => ({
  id,
  name,
  input,
  index,
  extra: null,
});
const gathered = (pieces: readonly SaidCall[]): (readonly string[])[] => {
  const calls = new GatheredCalls();
  for (const one of pieces) calls.addPiece(one);
  return calls.listCalls().map(({ name, input }) => [name, input]);
};

describe('pieces of calls', () => {
  it('behind a whole call take no time of its length', () => {
    const behind = (size: number): readonly SaidCall[] => [
      piece('a', 'one', JSON.stringify({ text: 'x'.repeat(100 * size) })),
      ...Array.from({ length: size }, (_, at) => piece(null, at % 2 === 0 ? null : 'one', 'x')),
    ];
    expect(growth(behind, 2_000, (pieces) => gathered(pieces).length)).toBeLessThan(LINEAR);
  });

  it('of a call beyond those that are taken go on with none of these', () => {
    const many = Array.from({ length: 200 }, (_, at) => piece(`c${at}`, 'one', '{}', null));
    const found = gathered([...many, piece('beyond', 'two', '{"y"', null), piece(null, null, ':2}', null)]);
    expect([found.length, found.at(-1)]).toEqual([200, ['one', '{}']]);
  });

  const [X, Y] = [
    ['one', '{"x":1}'],
    ['two', '{"y":2}'],
  ];

  it.each<[string, readonly SaidCall[], readonly (readonly string[])[]]>([
    [
      'have one place for all calls',
      [piece('a', 'one', '{"x"'), piece(null, null, ':1}'), piece('b', 'two', '{"y"'), piece(null, null, ':2}')],
      [X, Y],
    ],
    [
      'have no places',
      [piece('a', 'one', '{"x"', null), piece(null, null, ':1}', null), piece('b', 'two', '{"y"', null), piece(null, null, ':2}', null)],
      [X, Y],
    ],
    [
      'have their ids in each piece, one between the other',
      [piece('a', 'one', '', null), piece('b', 'two', '', null), piece('a', null, '{"x":1}', null), piece('b', null, '{"y":2}', null)],
      [X, Y],
    ],
    [
      'come one between the other',
      [piece('a', 'one', ''), piece('b', 'two', '', 1), piece(null, null, '{"x":1}'), piece(null, null, '{"y":2}', 1)],
      [X, Y],
    ],
    ['have one id for all calls', [piece('a', 'one', '{"x":1}'), piece('a', 'two', '{"y":2}', 1)], [X, Y]],
    ['have one place, one name and no ids', [piece(null, 'one', '{"x":1}'), piece(null, 'one', '{"x":2}')], [X, ['one', '{"x":2}']]],
    [
      'have one place and one name',
      [piece('a', 'one', '{}'), piece('b', 'one', '{}')],
      [
        ['one', '{}'],
        ['one', '{}'],
      ],
    ],
    [
      'call twice without an input',
      [piece('a', 'one', ''), piece('b', 'one', '')],
      [
        ['one', ''],
        ['one', ''],
      ],
    ],
    ['have the name in each of them', [piece('a', 'one', '{"x"'), piece('a', 'one', ':1}')], [X]],
    ['have another id in each of them', [piece('a', 'one', '{"x"'), piece('b', null, ':1}')], [X]],
    ['cut the name', [piece('a', 'o', ''), piece(null, 'ne', ''), piece(null, null, '{"x":1}')], [X]],
    ['name the call last', [piece('a', null, ''), piece(null, null, '{"x":1}'), piece(null, 'one', null)], [X]],
    ['say the whole call once more', [piece('a', 'one', '{"x"'), piece(null, null, ':1}'), piece('a', 'one', '{"x":1}')], [X]],
    ['begin with an empty input', [piece('a', 'one', '{}'), piece(null, null, '{"x":'), piece(null, null, '1}')], [X]],
    ['write the input into a text', [piece('a', 'one', '"{\\"x\\":1}"')], [X]],
    ['leave a mark behind', [piece('a', 'one', '{"x":1}\n</tool_call>')], [X]],
    [
      'have braces and quotes in texts',
      [piece('a', 'one', '{"x":"}\\"{"'), piece(null, null, ',"y":1}')],
      [['one', '{"x":"}\\"{","y":1}']],
    ],
    ['leave words behind', [piece('a', 'one', '{"x":1} and more')], [['one', '{"x":1} and more']]],
    ['say nothing', [piece(null, null, null)], []],
  ])('are put together where they %s', (_, pieces, calls) => {
    expect(gathered(pieces)).toEqual(calls);
  });

  it('keep the ids of their calls, and give each an id of its own', () => {
    const calls = new GatheredCalls();
    for (const one of [piece('a', 'one', '{}'), piece('a', 'two', '{}', 1), piece(null, 'three', '{}', 2)]) calls.addPiece(one);
    const ids = calls.listCalls().map(({ id }) => id);
    expect(ids[0]).toBe('a');
    expect(new Set(ids).size).toBe(3);
  });
});
