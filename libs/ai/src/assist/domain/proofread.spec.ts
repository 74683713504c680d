import { applyEdits, locateEdits, plainEdits } from './proofread';

const fixed = (text: string): string => applyEdits(text, plainEdits(text));

describe('corrections by rules', () => {
  it.each([
    ['two  spaces', 'Two spaces'],
    ['It is done .', 'It is done.'],
    ['It is done. next comes the mast.', 'It is done. Next comes the mast.'],
    ['Boats of of wood', 'Boats of wood'],
    ['Line one \nLine two', 'Line one\nLine two'],
  ])('make of %j %j', (text, expected) => {
    expect(fixed(text)).toBe(expected);
  });

  it.each([
    'See e.g. the mast.',
    'He had had enough of that that day.',
    'Visit harbour.example, or iOS devices.',
    '- item one\n  - item two',
    'A price of 3 . 5',
    'Wörter wie Bettuch-Tuch bleiben.',
  ])('leave %j as it is', (text) => {
    expect(fixed(text)).toBe(text);
  });

  it('stand in the order of the text and do not overlap', () => {
    const text = 'the  the  boat . it sails';
    const edits = plainEdits(text);
    edits.forEach(({ start, end, from }, at) => {
      expect(text.slice(start, end)).toBe(from);
      expect(start).toBeGreaterThanOrEqual(edits[at - 1]?.end ?? 0);
    });
  });

  it('stay quick for long runs', () => {
    for (const run of [' '.repeat(50_000), 'a'.repeat(50_000), 'a '.repeat(25_000), '.\n'.repeat(25_000)])
      expect(fixed(`x${run}`)).toBeDefined();
  });
});

describe('corrections that a model names', () => {
  it('are found in the order of the text; those that are not there are left out', () => {
    const named = (from: string, to: string) => ({ from, to, kind: 'spelling' as const });
    const edits = locateEdits('a bote and a bote', [
      named('bote', 'boat'),
      named('ship', 'x'),
      named('bote', 'boat'),
      named('bote', 'boat'),
      named('a', 'a'),
    ]);
    expect(edits.map(({ start }) => start)).toEqual([2, 13]);
    expect(applyEdits('a bote and a bote', edits)).toBe('a boat and a boat');
  });
});
