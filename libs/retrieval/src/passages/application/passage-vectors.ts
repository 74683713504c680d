import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import type { JobRun } from '@atrium/platform/messaging';
import { Embedder } from '../../embeddings/application/embedder';
import { VectorIndex } from '../../embeddings/application/vector-index';
import { embeddedText, type Passage } from '../domain/passage';

/** Whose ids the vectors of passages bear. */
export const PASSAGE_VECTORS = 'passage';

const TEXTS_AT_ONCE = 96;
const TOKENS_AT_ONCE = 64_000;
const KNOWN_AT_ONCE = 5_000;

/** Makes the vectors of passages that have none of the model yet, batch by batch; each batch stays, whatever follows. */
@Injectable()
export class PassageVectors {
  constructor(
    private readonly db: Database,
    private readonly embedder: Embedder,
    private readonly vectors: VectorIndex,
  ) {}

  async makeVectors(
    title: string,
    passages: readonly Passage[],
    model: string,
    { signal, heartbeat }: Pick<JobRun, 'signal' | 'heartbeat'>,
  ): Promise<void> {
    const missing = await this.missing(passages, model);
    for (const batch of batchesOf(missing)) {
      signal.throwIfAborted();
      const { vectors, model: made } = await this.embedder.embedTexts(
        batch.map((passage) => embeddedText(title, passage)),
        'passage',
      );
      const entries = batch.map(({ passage_id, hash }, at) => ({ id: passage_id, hash, vector: vectors[at] ?? [] }));
      await this.db.write(() => this.vectors.putVectors(PASSAGE_VECTORS, made, entries));
      await heartbeat();
    }
  }

  private async missing(passages: readonly Passage[], model: string): Promise<Passage[]> {
    const missing: Passage[] = [];
    for (let at = 0; at < passages.length; at += KNOWN_AT_ONCE) {
      const some = passages.slice(at, at + KNOWN_AT_ONCE);
      const known = await this.vectors.findHashes(
        PASSAGE_VECTORS,
        model,
        some.map(({ passage_id }) => passage_id),
      );
      missing.push(...some.filter(({ passage_id, hash }) => known.get(passage_id) !== hash));
    }
    return missing;
  }
}

function batchesOf(passages: readonly Passage[]): Passage[][] {
  const batches: Passage[][] = [];
  let open: Passage[] = [];
  let tokens = 0;
  for (const passage of passages) {
    if (open.length === TEXTS_AT_ONCE || (open.length > 0 && tokens + passage.tokens > TOKENS_AT_ONCE)) {
      batches.push(open);
      [open, tokens] = [[], 0];
    }
    open.push(passage);
    tokens += passage.tokens;
  }
  if (open.length > 0) batches.push(open);
  return batches;
}
