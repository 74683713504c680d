import { Injectable } from '@nestjs/common';
import { ModelHttp, ModelRefusal, type ModelAccess } from '@atrium/models';
import { Problem } from '@atrium/platform/kernel';
import { unitVector } from '../domain/unit-vector';

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

/** Answers as far as they are read; nothing in them is taken for granted. */
interface OpenAiAnswer {
  readonly data?: unknown;
  readonly usage?: { readonly prompt_tokens?: unknown; readonly total_tokens?: unknown } | null;
}

interface OllamaAnswer {
  readonly embeddings?: unknown;
  readonly prompt_eval_count?: unknown;
}

interface Item {
  readonly index?: unknown;
  readonly embedding?: unknown;
}

const MOST_DIMS = 8_192;

/** Asks a provider for vectors, by the protocol of OpenAI or of Ollama. As many come back as texts went out, all of one length, or none counts. */
@Injectable()
export class RemoteEmbedding {
  constructor(private readonly http: ModelHttp) {}

  async embedTexts(access: ModelAccess, texts: readonly string[], patience: Patience = {}): Promise<RemoteVectors> {
    const { protocol, base_url, name, key, headers, model } = access;
    const answer = await this.http.post(protocol === 'ollama' ? `${base_url}/api/embed` : `${base_url}/embeddings`, {
      provider: model.model_provider,
      headers: { ...headers, ...(key === null ? {} : { authorization: `Bearer ${key}` }) },
      body: JSON.stringify(protocol === 'ollama' ? { model: name, input: texts } : { model: name, input: texts, encoding_format: 'float' }),
      ...patience,
    });
    const body = parsed(answer.body);
    const { vectors, tokens } = protocol === 'ollama' ? ofOllama(body) : ofOpenAi(body);
    return { vectors: checked(vectors, texts.length).map((vector) => unitVector(vector)), tokens };
  }
}

function parsed(body: Buffer): object {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Reported below, like any other answer in a form of its own.
  }
  throw unreadable();
}

function ofOpenAi({ data, usage }: OpenAiAnswer): { vectors: unknown[]; tokens: number } {
  const items = listOf(data).map((item): Item => (typeof item === 'object' && item !== null ? item : {}));
  const inOrder = [...items].sort((a, b) => countOf(a.index) - countOf(b.index));
  return { vectors: inOrder.map(({ embedding }) => embedding), tokens: countOf(usage?.prompt_tokens ?? usage?.total_tokens) };
}

const ofOllama = ({ embeddings, prompt_eval_count }: OllamaAnswer): { vectors: unknown[]; tokens: number } => ({
  vectors: listOf(embeddings),
  tokens: countOf(prompt_eval_count),
});

function listOf(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw unreadable();
  return value as unknown[];
}

const countOf = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.trunc(value) : 0);

function checked(vectors: readonly unknown[], wanted: number): number[][] {
  if (vectors.length !== wanted)
    throw new Problem('upstream_failed', `The embedding provider returned ${vectors.length} vectors for ${wanted} texts.`);
  const dims = Array.isArray(vectors[0]) ? vectors[0].length : 0;
  if (dims < 2 || dims > MOST_DIMS || !vectors.every((vector) => isVector(vector, dims))) throw unreadable();
  return vectors as number[][];
}

const isVector = (value: unknown, dims: number): boolean =>
  Array.isArray(value) && value.length === dims && value.every((part) => typeof part === 'number' && Number.isFinite(part));

const unreadable = (): Problem =>
  new ModelRefusal('upstream_failed', 'The embedding provider returned something that is not a list of vectors.');
