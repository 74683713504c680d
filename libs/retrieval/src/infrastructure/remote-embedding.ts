import { Injectable } from '@nestjs/common';
import { ModelHttp, ModelRefusal, type ModelAccess } from '@atrium/models';
import { Problem } from '@atrium/platform/kernel';
import { unit } from '../domain/unit-vector';

/** What a provider answered for a batch of texts. */
export interface RemoteVectors {
  readonly vectors: number[][];
  readonly tokens: number;
}

interface Patience {
  readonly signal?: AbortSignal;
  readonly tries?: number;
  readonly timeoutMs?: number;
}

interface OpenAiAnswer {
  readonly data?: readonly { readonly index?: number; readonly embedding?: unknown }[];
  readonly usage?: { readonly prompt_tokens?: number; readonly total_tokens?: number };
}

interface OllamaAnswer {
  readonly embeddings?: readonly unknown[];
  readonly prompt_eval_count?: number;
}

const MOST_DIMS = 8_192;

/** Asks a provider for vectors, by the protocol of OpenAI or of Ollama. As many come back as texts went out, all of one length, or none counts. */
@Injectable()
export class RemoteEmbedding {
  constructor(private readonly http: ModelHttp) {}

  async embed(access: ModelAccess, texts: readonly string[], patience: Patience = {}): Promise<RemoteVectors> {
    const { protocol, base_url, name, key, headers, model } = access;
    const answer = await this.http.post(protocol === 'ollama' ? `${base_url}/api/embed` : `${base_url}/embeddings`, {
      provider: model.model_provider,
      headers: { ...headers, ...(key === null ? {} : { authorization: `Bearer ${key}` }) },
      body: JSON.stringify(protocol === 'ollama' ? { model: name, input: texts } : { model: name, input: texts, encoding_format: 'float' }),
      ...patience,
    });
    const body = parsed(answer.body);
    const { vectors, tokens } = protocol === 'ollama' ? ofOllama(body) : ofOpenAi(body);
    return { vectors: checked(vectors, texts.length).map((vector) => unit(vector)), tokens };
  }
}

function parsed(body: Buffer): object {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Told below, like any other answer in a form of its own.
  }
  throw unreadable();
}

function ofOpenAi({ data = [], usage = {} }: OpenAiAnswer): { vectors: unknown[]; tokens: number } {
  const inOrder = [...data].sort((a, b) => (a.index ?? 0) - (b.index ?? 0));
  return { vectors: inOrder.map(({ embedding }) => embedding), tokens: usage.prompt_tokens ?? usage.total_tokens ?? 0 };
}

const ofOllama = ({ embeddings = [], prompt_eval_count = 0 }: OllamaAnswer): { vectors: unknown[]; tokens: number } => ({ vectors: [...embeddings], tokens: prompt_eval_count });

function checked(vectors: readonly unknown[], wanted: number): number[][] {
  if (vectors.length !== wanted) throw new Problem('upstream_failed', `The provider of embeddings answered ${vectors.length} of ${wanted} texts.`);
  const dims = Array.isArray(vectors[0]) ? vectors[0].length : 0;
  if (dims < 2 || dims > MOST_DIMS || !vectors.every((vector) => isVector(vector, dims))) throw unreadable();
  return vectors as number[][];
}

const isVector = (value: unknown, dims: number): boolean => Array.isArray(value) && value.length === dims && value.every((part) => typeof part === 'number' && Number.isFinite(part));

const unreadable = (): Problem => new ModelRefusal('upstream_failed', 'The provider of embeddings answered something that is no list of vectors.');
