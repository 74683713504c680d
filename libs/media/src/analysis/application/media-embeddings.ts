import { createHash } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DescribedFiles, FileLifecycle, MeaningSimilarity, type LikeFile, type SimilarityBounds } from '@atrium/files';
import { Embedder, VectorIndex } from '@atrium/retrieval';
import { Database } from '@atrium/platform/database';
import { MINUTE, Problem } from '@atrium/platform/kernel';
import { planJob, Outbox } from '@atrium/platform/messaging';
import { meaningText } from '../domain/meaning-text';
import { embedWaiting } from '../jobs/analysis.jobs';

/** The kind whose ids the vectors of this context have. */
const MEDIA_VECTORS = 'media-file';

/** How long files wait that lack credits, where nobody gives any. */
const WAIT_MS = 15 * MINUTE;

/**
 * What files of the library are about, in the index of meanings: their name, summary, tags and analyses as one text. A
 * text that did not change is not embedded again; files without words have no vector, and vectors go with their file. Where
 * credits lack, files wait for them.
 */
@Injectable()
export class MediaEmbeddings implements OnModuleInit {
  constructor(
    private readonly db: Database,
    private readonly files: DescribedFiles,
    private readonly lifecycle: FileLifecycle,
    private readonly likeness: MeaningSimilarity,
    private readonly embedder: Embedder,
    private readonly vectors: VectorIndex,
    private readonly outbox: Outbox,
  ) {}

  onModuleInit(): void {
    this.lifecycle.register({ onPurged: (ids) => this.vectors.removeVectors(MEDIA_VECTORS, ids) });
    this.likeness.register({ findNear: (file_id, bounds) => this.findNear(file_id, bounds) });
  }

  /** Brings the index up to the files as they are; where that lacks credits it is done once there are some. Called outside of a unit of work. */
  async indexFiles(file_ids: readonly string[]): Promise<void> {
    try {
      await this.indexNow(file_ids);
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'credits_exhausted') throw error;
      await this.awaitCredits();
    }
  }

  /** All that waits is looked at again after a while. */
  async awaitCredits(): Promise<void> {
    await this.db.write(() => this.outbox.addOnce(planJob(embedWaiting, { because: 'credits' }, { delayMs: WAIT_MS })));
  }

  /** There are credits: what waits for them goes on, if anything does. */
  async resumeWaiting(): Promise<void> {
    await this.db.write(() => this.outbox.hastenJob(planJob(embedWaiting, { because: 'credits' })));
  }

  /** The same at once, or the problem `credits_exhausted`. Files that left the library leave the index. */
  async indexNow(file_ids: readonly string[]): Promise<void> {
    const { model } = await this.embedder.getCurrentModel();
    const files = await this.files.describeFiles(file_ids, 'media');
    const gone = file_ids.filter((id) => !files.has(id));
    if (gone.length > 0) await this.forgetMoved(gone);
    const known = await this.vectors.findHashes(MEDIA_VECTORS, model, [...files.keys()]);
    const texts = new Map([...files].map(([id, file]) => [id, meaningText(file)]));
    const silent = [...known.keys()].filter((id) => texts.get(id) === null);
    if (silent.length > 0) await this.vectors.removeVectors(MEDIA_VECTORS, silent);
    const fresh = [...texts]
      .flatMap(([id, text]) => (text === null ? [] : [{ id, text, hash: hashOf(text) }]))
      .filter(({ id, hash }) => known.get(id) !== hash);
    if (fresh.length === 0) return;
    const embedded = await this.embedder.embedTexts(
      fresh.map(({ text }) => text),
      'passage',
    );
    await this.db.write(async () => {
      const there = await this.files.describeFiles(
        fresh.map(({ id }) => id),
        'media',
      );
      const entries = fresh
        .map(({ id, hash }, at) => ({ id, hash, vector: embedded.vectors[at] ?? [] }))
        .filter(({ id, vector }) => there.has(id) && vector.length > 0);
      await this.vectors.putVectors(MEDIA_VECTORS, embedded.model, entries);
    });
  }

  /** Files whose meaning is near to one file's, best first. */
  async findNear(file_id: string, { threshold, limit }: SimilarityBounds): Promise<readonly LikeFile[]> {
    const { model } = await this.embedder.getCurrentModel();
    const near = await this.vectors.findNearest(MEDIA_VECTORS, { id: file_id }, { model, threshold, limit });
    return near.map(({ id, similarity }) => ({ file_id: id, similarity }));
  }

  /** Files in the trash keep their vectors for when they come back; those of other repositories do not. */
  private async forgetMoved(ids: readonly string[]): Promise<void> {
    const elsewhere = await this.files.findElsewhere(ids, 'media');
    if (elsewhere.length > 0) await this.vectors.removeVectors(MEDIA_VECTORS, elsewhere);
  }
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
