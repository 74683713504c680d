import type { LanguageModelV3 } from '@ai-sdk/provider';
import type { ModelAccess } from '../domain/model';
import { ModelCache } from './model-cache';

const ACCESS = {
  model: { model_provider: 'lab', model_capabilities: ['json'] },
  name: 'pen',
  base_url: 'https://lab.example/v1',
  key: 'sk-test',
  headers: { 'x-team': 'a' },
} as unknown as ModelAccess;

/** A library whose models send one question by the `fetch` that they were made with, when they are asked. */
function library() {
  const made: string[] = [];
  const make = (send: typeof fetch): LanguageModelV3 => {
    made.push('a model');
    return { doGenerate: async () => (await Promise.resolve(), send('https://lab.example')) } as unknown as LanguageModelV3;
  };
  return { made, make };
}

const answering =
  (text: string): typeof fetch =>
  () =>
    Promise.resolve(new Response(text));

describe('models of a protocol library', () => {
  it('are made once for all questions, whatever is asked and however often', () => {
    const { made, make } = library();
    const kept = new ModelCache();
    const all = Array.from({ length: 5 }, () => kept.modelFor(structuredClone(ACCESS), make));
    expect(new Set(all).size).toBe(1);
    expect(made).toHaveLength(1);
  });

  it.each<[string, Partial<ModelAccess>]>([
    ['key', { key: 'sk-other' }],
    ['address', { base_url: 'https://lab.example/v2' }],
    ['name', { name: 'brush' }],
    ['header', { headers: { 'x-team': 'b' } }],
    ['provider', { model: { ...ACCESS.model, model_provider: 'works' } }],
    ['way to ask for JSON', { model: { ...ACCESS.model, model_capabilities: [] } }],
  ])('are made again for another %s', (_, other) => {
    const { made, make } = library();
    const kept = new ModelCache();
    expect(kept.modelFor({ ...ACCESS, ...other }, make)).not.toBe(kept.modelFor(ACCESS, make));
    expect(made).toHaveLength(2);
  });

  it('send each question in its own way, also when two are asked at once', async () => {
    const kept = new ModelCache();
    const model = kept.modelFor(ACCESS, library().make);
    const ask = (text: string) => kept.askWith(answering(text), () => model.doGenerate({ prompt: [] })) as unknown as Promise<Response>;
    const answers = await Promise.all(['one', 'two'].map(async (text) => (await ask(text)).text()));
    expect(answers).toEqual(['one', 'two']);
  });
});
