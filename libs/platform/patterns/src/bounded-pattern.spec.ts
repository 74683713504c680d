import { Effort, findEffortBy } from '@atrium/platform/kernel';
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { processorMs } from '../../testing/src/growth';
import { BoundedPattern } from './bounded-pattern';
import { programSize } from './program-size';

function pattern(source: string): BoundedPattern {
  const read = BoundedPattern.of(source);
  if (!(read instanceof BoundedPattern)) throw new Error(read.message);
  return read;
}

describe('a bounded pattern', () => {
  afterEach(() => findEffortBy(() => undefined));

  it('matches a whole text or finds a part of it', () => {
    expect(pattern('[A-Z]{2}-\\d{4}').matches('DE-2026')).toBe(true);
    expect(pattern('[A-Z]{2}-\\d{4}').matches('DE-2026x')).toBe(false);
    expect(pattern('\\d{4}').finds('DE-2026x')).toBe(true);
  });

  it.each(['(a', '(a)\\1', '(?=a)', 'a{2000}', '*'])('is refused where it is none: %s', (source) => {
    expect(BoundedPattern.of(source)).toMatchObject({ code: 'pattern' });
  });

  it.each([
    '(?:(?:.?.?.?.?.?.?.?.?.?.?){31}){31}x',
    `(?:${'a?b?c?d?e?f?g?h?i?j?k?'.repeat(10)}){0,1000}`,
    '(?:(?:a{100}){100}){100}',
    '((a{1,50}){1,50}){1,50}',
    '(?:[a-z]{500}|\\p{Greek}{500}){10}',
    '(?:\\x{10FFFF}{1000}){1000}',
    '(?P<n>(?:x*){999}){999}',
    '[]x]{1000}[[:alpha:]}{]{1000}\\Q{{\\E{1000}(?:z{1000}){1000}',
  ])('is refused before it is compiled where its program would be too large: %s', (source) => {
    const compile = jest.spyOn(RE2JS, 'compile');
    expect(BoundedPattern.of(source)).toMatchObject({ code: 'too_complex' });
    expect(compile).not.toHaveBeenCalled();
    compile.mockRestore();
  });

  it('is compiled once, and is not kept beyond what all of them may take', () => {
    const compile = jest.spyOn(RE2JS, 'compile');
    for (let time = 0; time < 3; time++) pattern('once{3}').finds('once');
    expect(compile).toHaveBeenCalledTimes(1);
    const large = (at: number): string => `(?:a?){1000}${at}`;
    for (let at = 0; at < 60; at++) pattern(large(at));
    compile.mockClear();
    expect(pattern('once{3}').finds('onceee')).toBe(true);
    expect(compile).toHaveBeenCalledTimes(1);
    compile.mockRestore();
  });

  it('spends its program times the text from the effort of the request', () => {
    const effort = Effort.ofRequest();
    findEffortBy(() => effort);
    const large = pattern('(?:(?:.?.?.?.?.?){31}){15}x');
    const small = pattern('[A-Z]{2}-\\d{4}');
    for (let time = 0; time < 100; time++) small.matches('DE-2026');
    expect(() => large.matches('a'.repeat(600))).toThrow('too much work');
  });

  it('costs no more processor time than the effort of a request is worth', () => {
    const all = ['(?:(?:.?.?.?.?.?){31}){15}x', '.*.*.*.*.*x', '[a-z]*a[a-z]{15}x', '(a|b|c)*d(a|b){20}$', '\\p{L}{1,1000}'];
    for (const source of all) {
      const spent = processorMs(() => {
        const effort = Effort.ofRequest();
        findEffortBy(() => effort);
        const read = pattern(source);
        expect(() => {
          for (let time = 0; time < 10_000; time++) read.matches('ab'.repeat(200));
        }).toThrow('too much work');
      });
      expect(spent).toBeLessThan(2_000);
    }
  });
});

describe('the size of a program', () => {
  const atom = fc.constantFrom(
    'a',
    '.',
    '\\d',
    '[a-z]',
    '[^]x]',
    '\\p{L}',
    '[[:alpha:]-]',
    '\\.',
    '(b|c)',
    '(?:d|e|f)',
    '(?i:g)',
    '^',
    'é',
  );
  const operator = fc.constantFrom('', '', '*', '+?', '?', '{3}', '{2,}', '{0,4}', '{1,3}?', '{,2}', '{');
  const part = fc.tuple(atom, operator).map(([one, other]) => one + other);
  const group = fc.tuple(fc.array(part, { minLength: 1, maxLength: 4 }), operator).map(([parts, other]) => `(?:${parts.join('')})${other}`);

  it('is never below that of the compiled program', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(part, group), { minLength: 1, maxLength: 6 }), (parts) => {
        const source = parts.join('');
        let compiled: RE2JS;
        try {
          compiled = RE2JS.compile(source);
        } catch {
          return;
        }
        expect(programSize(source)).toBeGreaterThanOrEqual(compiled.programSize());
      }),
    );
  });

  it('is found in one pass over what is no pattern at all', () => {
    for (const source of ['('.repeat(100_000), ')'.repeat(100_000), '[:'.repeat(50_000), '{'.repeat(100_000), '(?P<'.repeat(25_000)])
      expect(processorMs(() => programSize(source))).toBeLessThan(1_000);
  });
});
