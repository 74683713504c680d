import type { LanguageModelV3Message, LanguageModelV3Prompt } from '@ai-sdk/provider';
import { fittingPrompt, GrowingCount, PICTURE_TOKENS, tokensOf, type StepInput } from './step-prompt';

const words = (text: string): number => text.split(/\s+/).filter(Boolean).length;
const says = (role: 'user' | 'assistant', text: string): LanguageModelV3Message => ({ role, content: [{ type: 'text', text }] });
const step = (id: string, ...results: readonly string[]): LanguageModelV3Prompt => [
  {
    role: 'assistant',
    content: results.map((_, at) => ({ type: 'tool-call', toolCallId: `${id}-${at}`, toolName: 'probe', input: {} })),
  },
  {
    role: 'tool',
    content: results.map((value, at) => ({
      type: 'tool-result',
      toolCallId: `${id}-${at}`,
      toolName: 'probe',
      output: { type: 'json', value },
    })),
  },
];
const input = (facts: Partial<StepInput> = {}): StepInput => ({
  system: { role: 'system', content: 'Be brief.' },
  turns: [],
  question: says('user', 'What was found?'),
  steps: [],
  tools: [],
  acts: new Map(),
  ...facts,
});
const long = (count: number): string => 'word '.repeat(count);
const resultsIn = (prompt: LanguageModelV3Prompt): string[] =>
  prompt.flatMap(({ role, content }) =>
    role === 'tool'
      ? content.flatMap((part) => (part.type === 'tool-result' && 'value' in part.output ? [JSON.stringify(part.output.value)] : []))
      : [],
  );

describe('the input of a step', () => {
  const turns = [says('user', long(100)), says('assistant', long(100)), says('user', 'Short'), says('assistant', 'Brief')];

  it('is whole where the model takes it', () => {
    const { prompt, tokens } = fittingPrompt(input({ turns, steps: [step('a', long(50))] }), 1_000, words);
    expect(prompt).toHaveLength(8);
    expect(tokens).toBe(tokensOf(prompt, words));
  });

  it('leaves the oldest turns out first', () => {
    const { prompt } = fittingPrompt(input({ turns, steps: [step('a', long(50))] }), 150, words);
    expect(prompt.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user', 'assistant', 'tool']);
    expect(resultsIn(prompt)).toEqual([JSON.stringify(long(50))]);
  });

  it('then shortens the oldest results of tools, says so, and keeps the newest', () => {
    const steps = [step('a', long(500), long(500)), step('b', long(500))];
    const { prompt, tokens } = fittingPrompt(input({ turns, steps }), 1_100, words);
    expect(tokens).toBeLessThanOrEqual(1_100);
    const [oldest, older, newest] = resultsIn(prompt);
    expect(oldest).toMatch(/^"word .*Cut: these are \d+ of \d+ characters.*Call the tool again/);
    expect(words(oldest ?? '')).toBeLessThan(100);
    expect(words(older ?? '')).toBeGreaterThan(300);
    expect(newest).toBe(JSON.stringify(long(500)));
    expect(prompt.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'assistant', 'tool']);
  });

  it('then leaves the oldest steps out, each with its calls and their results', () => {
    const steps = ['a', 'b', 'c', 'd'].map((id) => step(id, long(500)));
    const { prompt, tokens } = fittingPrompt(input({ steps }), 180, words);
    expect(tokens).toBeLessThanOrEqual(180);
    const ids = (role: string): string[] =>
      prompt.flatMap((message) =>
        message.role === role && typeof message.content !== 'string'
          ? message.content.flatMap((part) => ('toolCallId' in part ? [part.toolCallId] : []))
          : [],
      );
    expect(ids('tool').at(-1)).toBe('d-0');
    expect(ids('tool').length).toBeLessThan(4);
    expect(ids('assistant')).toEqual(ids('tool'));
  });

  it('leads the model to call tools again that read, and no others', () => {
    const { prompt } = fittingPrompt(input({ steps: [step('a', long(500), long(500))], acts: new Map([['a-0', 'done']]) }), 300, words);
    const [acted, read] = resultsIn(prompt);
    expect(acted).toMatch(/Cut: these are \d+ of \d+ characters/);
    expect(acted).not.toContain('again');
    expect(read).toContain('Call the tool again');
  });

  it('names what was done in the steps that it leaves out, before the question', () => {
    const steps = ['a', 'b', 'c', 'd'].map((id) => step(id, long(500)));
    const acts = new Map([
      ['a-0', 'done'],
      ['b-0', 'done'],
      ['d-0', 'failed'],
    ]);
    const { prompt, tokens } = fittingPrompt(input({ steps, acts }), 170, words);
    expect(tokens).toBeLessThanOrEqual(170);
    const { content } = prompt.find(({ role }) => role === 'user') ?? {};
    expect(content).toEqual([
      { type: 'text', text: expect.stringMatching(/left out.* not to be made again: probe: done \(2 times\)\.\]$/) },
      { type: 'text', text: 'What was found?' },
    ]);
    const { prompt: bare } = fittingPrompt(input({ steps }), 170, words);
    expect(bare.find(({ role }) => role === 'user')?.content).toHaveLength(1);
  });

  it('counts each step once, however many are left out', () => {
    const steps = Array.from({ length: 400 }, (_, at) => step(`s${at}`, 'Found.'));
    const acts = new Map(steps.map((_, at) => [`s${at}-0`, `done for ${at}`]));
    let counted = 0;
    const counting = (text: string): number => {
      counted++;
      return words(text);
    };
    const whole = fittingPrompt(input({ steps, acts }), 100_000, words).tokens;
    const { prompt, tokens } = fittingPrompt(input({ steps, acts }), whole / 2, counting);
    expect(tokens).toBe(tokensOf(prompt, words));
    expect(tokens).toBeLessThanOrEqual(whole / 2);
    expect(prompt.length).toBeGreaterThan(100);
    expect(counted).toBeLessThan(10 * steps.length);
  });

  it('counts the tools that are offered, and pictures', () => {
    const tool = { type: 'function' as const, name: 'probe', description: long(100), inputSchema: { type: 'object' as const } };
    expect(fittingPrompt(input({ turns, tools: [tool] }), 150, words).prompt).toHaveLength(4);
    const question: LanguageModelV3Message = {
      role: 'user',
      content: [
        { type: 'file', data: new Uint8Array(1), mediaType: 'image/png' },
        { type: 'text', text: 'What is this?' },
      ],
    };
    expect(fittingPrompt(input({ question }), 5_000, words).tokens).toBeGreaterThan(PICTURE_TOKENS);
  });

  it('leaves the pictures of the question out before it is refused', () => {
    const question: LanguageModelV3Message = {
      role: 'user',
      content: [
        { type: 'file', data: new Uint8Array(1), mediaType: 'image/png' },
        { type: 'text', text: 'What is this?' },
      ],
    };
    const { prompt } = fittingPrompt(input({ question, steps: [step('a', long(50))] }), 1_000, words);
    expect(prompt[1]?.content).toEqual([
      { type: 'text', text: '[The pictures of this message are not shown any more.]' },
      { type: 'text', text: 'What is this?' },
    ]);
  });

  it('is refused where nothing more can be left out', () => {
    expect(() => fittingPrompt(input({ question: says('user', long(200)) }), 100, words)).toThrow('too long for the model');
  });
});

describe('a count of texts that grow', () => {
  function growing() {
    const read: string[] = [];
    const counts = new GrowingCount((text) => {
      read.push(text);
      return words(text);
    });
    return { read, counts };
  }

  it('reads what was added alone', async () => {
    const { read, counts } = growing();
    expect(await counts.countTexts(['one two'])).toBe(2);
    expect(await counts.countTexts(['one two three'])).toBe(3);
    expect(await counts.countTexts(['one two three'])).toBe(3);
    expect(await counts.countTexts(['one two three', 'four'])).toBe(4);
    expect(read).toEqual(['one two', ' three', 'four']);
  });

  it('begins again where a text is another one', async () => {
    const { read, counts } = growing();
    expect(await counts.countTexts(['one two', 'three'])).toBe(3);
    expect(await counts.countTexts(['two'])).toBe(1);
    expect(await counts.countTexts(['two', 'three four'])).toBe(3);
    expect(read).toEqual(['one two', 'three', 'two', ' four']);
  });

  it('reads a long text in pieces, between which other work goes on', async () => {
    const { read, counts } = growing();
    let atFirst = 0;
    const counted = counts.countTexts(['x'.repeat(50_000)]);
    setImmediate(() => (atFirst = read.length));
    await counted;
    expect(atFirst).toBeLessThan(5);
    expect(Math.max(...read.map(({ length }) => length))).toBeLessThanOrEqual(2_000);
    expect(read.join('')).toHaveLength(50_000);
  });
});
