import type { JsonObject } from '@atrium/platform/kernel';
import { Blanking } from './blanked-copies';

const blanking = new Blanking(['My code is 47110815', 'My code'], ['4711', 'text']);

describe('what is blanked of a copy', () => {
  it('are phrases wherever they stand, and short texts where they are words of their own', () => {
    expect(blanking.blankText('So: My code is 47110815! Or 4711, not 14711, 4711a or b-4711.')).toBe(
      'So: [erased]! Or [erased], not 14711, 4711a or b-4711.',
    );
    expect(blanking.blankText(null)).toBeNull();
  });

  it('are texts and names that somebody made up, and no numbers', () => {
    expect(blanking.blankJson({ 'My code': [4711, '4711', null], more: { deep: 'the text' } })).toEqual({
      '[erased]': [4711, '[erased]', null],
      more: { deep: 'the [erased]' },
    });
  });

  it('are never the kinds, ids and states of a message', () => {
    const parts: JsonObject[] = [
      { kind: 'text', text: 'My text' },
      { kind: 'tool', call_id: '4711', tool: 'text', state: 'text', input: { kind: 'text' }, output: '4711' },
    ];
    expect(blanking.blankFacts(parts)).toEqual([
      { kind: 'text', text: 'My [erased]' },
      { kind: 'tool', call_id: '4711', tool: 'text', state: 'text', input: { kind: '[erased]' }, output: '[erased]' },
    ]);
    const asked = { messages: [{ role: 'text', text: '4711' }], files: ['4711'] };
    expect(blanking.blankFacts(asked)).toEqual({ messages: [{ role: 'text', text: '[erased]' }], files: ['4711'] });
  });

  it('is the whole input of calls that are named', () => {
    const parts = [
      { kind: 'tool', call_id: 'a', input: { value: 'x' } },
      { kind: 'tool', call_id: 'b', input: { value: 'x' } },
    ];
    expect(blanking.blankParts(parts, new Set(['a'])).map(({ input }) => input)).toEqual([{}, { value: 'x' }]);
  });
});
