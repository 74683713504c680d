import { readAskedTags, tagsByGroup } from './asked-tags';

const asked = (sent: unknown): object => readAskedTags(tagsByGroup(sent) as Record<string, unknown>, 'tags');

describe('tags that are asked for', () => {
  it.each([
    ['tags=v', 'v', [], ['v']],
    ['tags=v&tags=w', ['v', 'w'], [], ['v', 'w']],
    ['tags[G]=x', { G: 'x' }, [['G', 'x']], []],
    [
      'tags[G]=x&tags[G]=y&tags[H]=z',
      { G: ['x', 'y'], H: 'z' },
      [
        ['G', 'x', 'y'],
        ['H', 'z'],
      ],
      [],
    ],
    ['tags=v&tags[G]=x', ['v', { G: 'x' }], [['G', 'x']], ['v']],
    ['tags=v&tags=w&tags[G]=x', { 0: 'v', 1: 'w', G: 'x' }, [['G', 'x']], ['v', 'w']],
    ['tags[2024]=x', { 2024: 'x' }, [['2024', 'x']], []],
    ['tags[G]=… more than twenty times', { G: { 0: 'x', 1: 'y' } }, [['G', 'x', 'y']], []],
  ] as const)('are read: %s', (_, sent, groups, anywhere) => {
    expect(asked(sent)).toEqual({ groups: groups.map(([group, ...values]) => ({ group, values })), anywhere });
  });

  it('are values, each of them a text', () => {
    for (const sent of ['', { G: '' }, { G: [] }, ['v', '']])
      expect(() => asked(sent)).toThrow(expect.objectContaining({ code: 'validation_failed' }));
    expect(() => asked({ G: [{ a: 'b' }] })).toThrow(expect.objectContaining({ errors: [expect.objectContaining({ path: 'tags[G]' })] }));
  });

  it('are none where none are', () => {
    expect(readAskedTags(undefined, 'tags')).toEqual({ groups: [], anywhere: [] });
  });
});
