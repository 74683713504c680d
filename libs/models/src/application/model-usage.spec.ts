import type { CreditLedger, PriceList, UsageMeter } from '@atrium/governance';
import type { Clock } from '@atrium/platform/kernel';
import { ModelUsage } from './model-usage';

describe('a step of a run', () => {
  const charged = (usage: { input_tokens: number; cached_tokens: number; output_tokens: number }, tool_calls = 0) => {
    const entries: [string, number][] = [];
    const meter = { chargeUsage: ({ param, units }: { param: string; units: number }) => String(entries.push([param, units])) };
    const clock = { now: () => new Date(0) };
    new ModelUsage(
      undefined as unknown as CreditLedger,
      meter as unknown as UsageMeter,
      undefined as unknown as PriceList,
      clock as Clock,
    ).chargeStep({
      source: 'run-1',
      step: 1,
      usage: { ...usage, reasoning_tokens: 0, estimated: false },
      tool_calls,
      model: 'lab/played-1',
      user: null,
      ref: {},
    });
    return entries;
  };

  it('[ai 22] charges each token once: those from the cache at the price of the cache alone', () => {
    expect(charged({ input_tokens: 100, cached_tokens: 64, output_tokens: 7 }, 2)).toEqual([
      ['ai.input_tokens', 36],
      ['ai.cached_tokens', 64],
      ['ai.output_tokens', 7],
      ['ai.tool_calls', 2],
    ]);
  });

  it('charges nothing that was not used', () => {
    expect(charged({ input_tokens: 64, cached_tokens: 64, output_tokens: 0 })).toEqual([['ai.cached_tokens', 64]]);
  });
});
