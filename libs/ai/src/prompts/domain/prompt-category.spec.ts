import { PromptCategory } from './prompt-category';

const category = (): PromptCategory => Object.assign(new PromptCategory(), { pcat_id: 'c', pcat_parent: null });

describe('a prompt category', () => {
  it('goes below another one and back to the top', () => {
    const one = category();
    one.moveUnder('p', { above: ['p'], levels: 0 });
    expect(one.pcat_parent).toBe('p');
    one.moveUnder(null, { above: [], levels: 4 });
    expect(one.pcat_parent).toBeNull();
  });

  it('never goes into itself or below itself', () => {
    for (const above of [['c'], ['p', 'c']])
      expect(() => category().moveUnder(above[0] ?? null, { above, levels: 1 })).toThrow(expect.objectContaining({ code: 'invalid_move' }));
  });

  it('makes no sixth level, with what is below it', () => {
    category().moveUnder('d', { above: ['d', 'e', 'f', 'g'], levels: 0 });
    category().moveUnder('d', { above: ['d', 'e', 'f'], levels: 1 });
    expect(() => category().moveUnder('d', { above: ['d', 'e', 'f', 'g', 'h'], levels: 0 })).toThrow('at most 5 levels');
    expect(() => category().moveUnder('d', { above: ['d', 'e', 'f', 'g'], levels: 1 })).toThrow('at most 5 levels');
  });
});
