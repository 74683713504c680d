import type { LanguageModelV3 } from '@ai-sdk/provider';
import type { Database } from '@atrium/platform/database';
import { Problem } from '@atrium/platform/kernel';
import { NotAsked } from '../domain/not-asked';
import type { ModelUsage } from './model-usage';
import { TextGeneration } from './text-generation';
import type { TextModels } from './text-models';

const ABORT = new DOMException('The time is over.', 'TimeoutError');

/** What a question is charged whose model fails as the test says. */
async function chargedFor(failure: Error): Promise<{ readonly units: number[]; readonly error: unknown }> {
  const units: number[] = [];
  const usage = {
    reserveCredits: () => Promise.resolve({ hold_id: 'h1' }),
    releaseHold: () => Promise.resolve(),
    chargeCall: (made: { units: number }) => void units.push(made.units),
  };
  const language = { doGenerate: () => Promise.reject(failure) } as unknown as LanguageModelV3;
  const models = {
    resolveModel: () =>
      Promise.resolve({ model: { model_id: 'lab/slow', model_capabilities: [] }, openModel: () => Promise.resolve(language) }),
  };
  const db = { write: (work: () => Promise<void>) => work() };
  const generation = new TextGeneration(models as unknown as TextModels, usage as unknown as ModelUsage, db as unknown as Database);
  const error: unknown = await generation
    .generateText({
      messages: [{ role: 'user', text: 'one two three four five' }],
      param: 'ai.assist_tokens',
      user: null,
      call: 'c1',
      ref: {},
    })
    .catch((failed: unknown) => failed);
  return { units, error };
}

describe('a question whose answer is not waited for', () => {
  it('is charged for what the provider was reading', async () => {
    const { units, error } = await chargedFor(ABORT);
    expect(units).toEqual([expect.any(Number)]);
    expect(units[0]).toBeGreaterThanOrEqual(5);
    expect(error).toBe(ABORT);
  });

  it.each([
    ['it was given up before it was sent', new NotAsked(ABORT), ABORT],
    ['the provider refused it', new Problem('upstream_failed', 'The provider failed.'), expect.any(Problem)],
  ])('is free where %s', async (_, failure, thrown) => {
    expect(await chargedFor(failure)).toEqual({ units: [], error: thrown });
  });
});
