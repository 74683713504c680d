import type { LanguageModelV3CallOptions } from '@ai-sdk/provider';
import { groundingOptions, type ReasoningEffort } from '../domain/grounding';
import { withEffort, withThinking } from './reasoning';

const options = (reasoning: ReasoningEffort | undefined, more: Partial<LanguageModelV3CallOptions> = {}): LanguageModelV3CallOptions => ({
  prompt: [{ role: 'user', content: [{ type: 'text', text: 'Why?' }] }],
  maxOutputTokens: 8_000,
  temperature: 0.2,
  providerOptions: groundingOptions(reasoning === undefined ? {} : { reasoning }),
  ...more,
});

describe('the effort of reasoning', () => {
  it.each([
    ['off', 'none'],
    ['low', 'low'],
    ['high', 'high'],
  ] as const)('%s is said to Chat Completions as %s', (effort, said) => {
    expect(withEffort(options(effort), true).providerOptions?.openaiCompatible).toEqual({ reasoningEffort: said });
  });

  it.each([
    ['low', 8_000, 2_048],
    ['high', 8_000, 4_000],
    ['high', 64_000, 24_576],
  ] as const)('%s is a budget of thinking for the Messages protocol, within the %d tokens of the answer', (effort, most, budgetTokens) => {
    const asked = withThinking(options(effort, { maxOutputTokens: most }), true, 'lab/m');
    expect(asked.providerOptions?.anthropic).toEqual({ thinking: { type: 'enabled', budgetTokens } });
    expect(asked.maxOutputTokens).toBe(most - budgetTokens);
    expect(asked).not.toHaveProperty('temperature');
  });

  it.each<[string, LanguageModelV3CallOptions]>([
    ['is to be off', options('off')],
    ['has no room', options('high', { maxOutputTokens: 1_500 })],
    ['is asked for JSON', options('high', { responseFormat: { type: 'json' } })],
    [
      'goes on after calls of tools',
      options('high', {
        prompt: [
          { role: 'user', content: [{ type: 'text', text: 'Why?' }] },
          { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c', toolName: 'probe', input: {} }] },
          { role: 'tool', content: [] },
        ],
      }),
    ],
  ])('does not think where it %s', (_, asked) => {
    expect(withThinking(asked, true, 'lab/m')).toMatchObject({
      maxOutputTokens: asked.maxOutputTokens,
      temperature: 0.2,
      providerOptions: { anthropic: { thinking: { type: 'disabled' } } },
    });
  });

  it('is not spoken of where nobody chose one', () => {
    const asked = options(undefined);
    expect(withEffort(asked, true)).toBe(asked);
    expect(withThinking(asked, true, 'lab/m')).toBe(asked);
  });

  it('is not said to models that do not reason, unless it was chosen for one of Chat Completions', () => {
    const [off, high] = [options('off'), options('high')];
    expect(withEffort(off, false)).toBe(off);
    expect(withEffort(high, false).providerOptions?.openaiCompatible).toEqual({ reasoningEffort: 'high' });
    expect([withThinking(off, false, 'lab/m'), withThinking(high, false, 'lab/m')]).toEqual([off, high]);
  });
});
