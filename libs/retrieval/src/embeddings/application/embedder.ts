import { createHash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { ModelRefusal, ModelRegistry, ModelUsage, type ModelAccess } from '@atrium/models';
import { Database, requireScope } from '@atrium/platform/database';
import { newId, SECOND } from '@atrium/platform/kernel';
import type { Embedded, EmbeddingKind, EmbeddingModel } from '../domain/embedding';
import { hasDirection } from '../domain/unit-vector';
import { EmbeddingCacheRows } from '../infrastructure/embedding-cache.rows';
import { HASH_DIMS, HASH_MODEL, HashEmbedding } from '../infrastructure/hash-embedding';
import { RemoteEmbedding } from '../infrastructure/remote-embedding';

/** Likeness below which texts have nothing in common, by who embeds them. */
const HASH_THRESHOLD = 0.12;
const REMOTE_THRESHOLD = 0.2;
const BATCH = 96;
const QUERIES_KEPT = 10_000;
const MODELS_KEPT = 10_000;
const QUERY_TIMEOUT_MS = 3 * SECOND;
/** A token is about so many characters; for setting credits aside. */
const CHARACTERS_A_TOKEN = 3;
const PARAM = 'ai.embedding_tokens';

/**
 * Turns texts into vectors with the workspace's model of embeddings, or with the local one where there is none. Vectors of
 * one model can be compared with each other only. What is bought is remembered and charged once. Called outside of a unit of work.
 */
@Injectable()
export class Embedder {
  private readonly log = new Logger(Embedder.name);
  private readonly queries = new LRUCache<string, readonly number[]>({ max: QUERIES_KEPT });
  /** Lengths of vectors as the models of workspaces answered first; another one is no vector of that model. */
  private readonly dims = new LRUCache<string, number>({ max: MODELS_KEPT });

  constructor(
    private readonly db: Database,
    private readonly registry: ModelRegistry,
    private readonly usage: ModelUsage,
    private readonly cache: EmbeddingCacheRows,
    private readonly hash: HashEmbedding,
    private readonly remote: RemoteEmbedding,
  ) {}

  /** The model that embeds at the moment. */
  async getCurrentModel(): Promise<EmbeddingModel> {
    return modelOf(await this.access());
  }

  /** The texts as vectors, or the problem of the provider. */
  async embedTexts(texts: readonly string[], kind: EmbeddingKind): Promise<Embedded> {
    return this.embedBy(await this.access(), texts, kind);
  }

  private access(): Promise<ModelAccess | null> {
    return this.registry.findModel({ model_kind: 'embedding' });
  }

  private async embedBy(access: ModelAccess | null, texts: readonly string[], kind: EmbeddingKind): Promise<Embedded> {
    if (!access) return { vectors: await this.hash.embedTexts(texts), model: HASH_MODEL, dims: HASH_DIMS, tokens: 0 };
    const { vectors, tokens } = kind === 'query' ? await this.asQueries(access, texts) : await this.asPassages(access, texts);
    return { vectors, model: access.model.model_id, dims: vectors[0]?.length ?? 0, tokens };
  }

  /** A text to search with, within three seconds; null when it has no words, or when the provider does not manage, which is written to the log. */
  async embedQuery(text: string): Promise<(EmbeddingModel & { readonly vector: readonly number[]; readonly tokens: number }) | null> {
    try {
      const access = await this.access();
      const { vectors, tokens } = await this.embedBy(access, [text], 'query');
      return vectors[0] && hasDirection(vectors[0]) ? { ...modelOf(access), vector: vectors[0], tokens } : null;
    } catch (error) {
      this.log.warn({ msg: 'a text can not be searched by meaning', err: error });
      return null;
    }
  }

  private async asQueries(access: ModelAccess, texts: readonly string[]): Promise<{ vectors: (readonly number[])[]; tokens: number }> {
    const keyOf = (text: string): string => `${requireScope().tenant_id} ${access.model.model_id} ${text}`;
    const missing = texts.filter((text) => !this.queries.has(keyOf(text)));
    const { vectors, tokens } =
      missing.length > 0
        ? await this.buy(access, missing, { call: `query:${newId()}`, patience: { tries: 1, timeoutMs: QUERY_TIMEOUT_MS } })
        : { vectors: [], tokens: 0 };
    const fresh = new Map(missing.map((text, at) => [text, vectors[at] ?? []]));
    for (const [text, vector] of fresh) this.queries.set(keyOf(text), vector);
    return { vectors: texts.map((text) => fresh.get(text) ?? this.queries.get(keyOf(text)) ?? []), tokens };
  }

  private async asPassages(access: ModelAccess, texts: readonly string[]): Promise<{ vectors: (readonly number[])[]; tokens: number }> {
    const { model_id } = access.model;
    const hashes = texts.map((text) => createHash('sha256').update(text).digest('hex'));
    const vectors = new Map(await this.cache.findVectors(model_id, hashes));
    const missing = [...new Map(texts.map((text, at) => [hashes[at] ?? '', text]))].filter(([hash]) => !vectors.has(hash));
    let tokens = 0;
    for (let at = 0; at < missing.length; at += BATCH) {
      const batch = missing.slice(at, at + BATCH);
      const call = createHash('sha256')
        .update(batch.map(([hash]) => hash).join())
        .digest('hex');
      const bought = await this.buy(
        access,
        batch.map(([, text]) => text),
        { call: `embed:${model_id}:${call}`, hashes: batch.map(([hash]) => hash) },
      );
      tokens += bought.tokens;
      batch.forEach(([hash], index) => vectors.set(hash, bought.vectors[index] ?? []));
    }
    return { vectors: hashes.map((hash) => vectors.get(hash) ?? []), tokens };
  }

  /** One call of the provider: credits aside, the call, and in one unit of work the charge and what it brought. */
  private async buy(
    access: ModelAccess,
    texts: readonly string[],
    {
      call,
      hashes,
      patience = {},
    }: {
      readonly call: string;
      readonly hashes?: readonly string[];
      readonly patience?: { readonly tries?: number; readonly timeoutMs?: number };
    },
  ): Promise<{ vectors: number[][]; tokens: number }> {
    const { model_id: model } = access.model;
    const user = requireScope().actor.user_id;
    const estimate = Math.ceil(texts.reduce((sum, text) => sum + text.length, 0) / CHARACTERS_A_TOKEN);
    const { hold_id } = await this.usage.reserveCredits({ param: PARAM, units: estimate, model, user }, call);
    try {
      const { vectors, tokens } = await this.remote.embedTexts(access, texts, patience);
      this.assertDims(model, vectors[0]?.length ?? 0);
      await this.db.write(async () => {
        if (hashes) await this.cache.saveVectors(model, new Map(hashes.map((hash, at) => [hash, vectors[at] ?? []])));
        this.usage.chargeCall({ param: PARAM, units: tokens, model, user, call, ref: {}, hold: hold_id });
      });
      return { vectors, tokens };
    } finally {
      await this.usage.releaseHold(hold_id);
    }
  }

  private assertDims(model: string, dims: number): void {
    const key = `${requireScope().tenant_id} ${model}`;
    const known = this.dims.get(key);
    if (known === undefined) this.dims.set(key, dims);
    else if (known !== dims) throw wrongDims(model, known, dims);
  }
}

const wrongDims = (model: string, known: number, dims: number): ModelRefusal =>
  new ModelRefusal('upstream_failed', `${model} returned vectors with ${dims} dimensions instead of ${known}.`);

const modelOf = (access: ModelAccess | null): EmbeddingModel =>
  access
    ? { model: access.model.model_id, threshold: REMOTE_THRESHOLD, knowsMeaning: true }
    : { model: HASH_MODEL, threshold: HASH_THRESHOLD, knowsMeaning: false };
