import { tokenUsageOf } from './token-usage';

const figures = (input: number | undefined, output: number | undefined, { cached = 0, reasoning = 0 } = {}) => ({
  inputTokens: { total: input, noCache: undefined, cacheRead: cached, cacheWrite: undefined },
  outputTokens: { total: output, text: undefined, reasoning },
});
const COUNTED = { input: 100, output: 20 };

describe('the tokens of a call', () => {
  it.each([
    ['as the provider says', figures(90, 10), { input_tokens: 90, output_tokens: 10, estimated: false }],
    ['counted here where nothing is said', figures(undefined, undefined), { input_tokens: 100, output_tokens: 20, estimated: true }],
    ['counted here where all is zero', figures(0, 0), { input_tokens: 100, output_tokens: 20, estimated: true }],
    ['counted here where the output alone is zero', figures(90, 0), { input_tokens: 90, output_tokens: 20, estimated: true }],
    ['counted here where the input alone is zero', figures(0, 10), { input_tokens: 100, output_tokens: 10, estimated: true }],
    [
      'with reasoning that is part of the output',
      figures(90, 330, { reasoning: 320 }),
      { output_tokens: 330, reasoning_tokens: 320, estimated: false },
    ],
    [
      'with reasoning that the output leaves out',
      figures(90, 9, { reasoning: 320 }),
      { output_tokens: 329, reasoning_tokens: 320, estimated: false },
    ],
    ['with what came from the cache as part of the input', figures(90, 10, { cached: 64 }), { input_tokens: 90, cached_tokens: 64 }],
  ])('are %s', (_, usage, expected) => {
    expect(tokenUsageOf(usage, COUNTED)).toMatchObject(expected);
  });

  it('are nothing where nothing was written', () => {
    expect(tokenUsageOf(figures(90, 0), { input: 100, output: 0 })).toMatchObject({ output_tokens: 0, estimated: false });
  });
});
