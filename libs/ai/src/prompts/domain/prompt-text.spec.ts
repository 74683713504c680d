import { filledText, wildcardsOf } from './prompt-text';

describe('a prompt', () => {
  it('leaves open the names between its braces, each once, in order', () => {
    expect(wildcardsOf('{{Tone}} for {{ customer name }}, {{tone}}, {{due-date}}')).toEqual(['Tone', 'customer name', 'due-date']);
  });

  it('leaves nothing open where braces are escaped or hold no name', () => {
    expect(wildcardsOf('\\{{tone}} {{1st}} {{}} {tone} {{a{b}} {{ }}')).toEqual([]);
    expect(wildcardsOf(`{{${'a'.repeat(64)}}} {{${'b'.repeat(65)}}}`)).toEqual(['a'.repeat(64)]);
  });

  it('is filled in once: a value with braces stays text', () => {
    const values: Record<string, string> = { a: '{{b}} $1', b: 'x' };
    expect(filledText('{{A}}-{{ b }}-\\{{a}}-{{1}}', (key) => values[key] ?? '?')).toBe('{{b}} $1-x-{{a}}-{{1}}');
  });

  it('is read in linear time', () => {
    const text = '{{'.repeat(20_000) + 'a '.repeat(20_000);
    expect(wildcardsOf(text)).toEqual([]);
  });
});
