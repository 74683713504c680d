import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import type { LanguageModelV3 } from '@ai-sdk/provider';
import { LRUCache } from 'lru-cache';
import type { ModelAccess } from '../domain/model';

const MOST_KEPT = 200;

/** How a model is reached, as far as its library asks. */
type Reached = Pick<ModelAccess, 'name' | 'base_url' | 'key' | 'headers' | 'model'>;

/**
 * Models of a protocol library, kept by how they are reached: a library compiles the schemas of its answers for each model that it
 * makes, which takes longer than to read a short answer. Each question brings the `fetch` by which it is sent.
 */
export class ModelCache {
  private readonly kept = new LRUCache<string, LanguageModelV3>({ max: MOST_KEPT });
  private readonly sending = new AsyncLocalStorage<typeof fetch>();

  /** The model of the library, made when it is first reached this way. */
  modelFor(access: Reached, make: (send: typeof fetch) => LanguageModelV3): LanguageModelV3 {
    const key = keyOf(access);
    const known = this.kept.get(key) ?? make((input, init) => this.send(input, init));
    this.kept.set(key, known);
    return known;
  }

  /** Asks a kept model a question, which is sent by this `fetch`. */
  askWith<T>(send: typeof fetch, question: () => T): T {
    return this.sending.run(send, question);
  }

  private send(...asked: Parameters<typeof fetch>): ReturnType<typeof fetch> {
    const send = this.sending.getStore();
    if (!send) throw new Error('A kept model is asked by KeptModels.ask.');
    return send(...asked);
  }
}

/** Keys of providers are not kept as they are. */
const keyOf = ({ name, base_url, key, headers, model: { model_provider, model_capabilities } }: Reached): string =>
  createHash('sha256')
    .update(JSON.stringify([model_provider, name, base_url, key, Object.entries(headers), model_capabilities.includes('json')]))
    .digest('base64');
