import { Injectable } from '@nestjs/common';
import { ModelRefusal } from '@atrium/models';
import { Database } from '@atrium/platform/database';
import { MINUTE, Problem, rowsOfPieces } from '@atrium/platform/kernel';
import { planJob, Outbox, PermanentFailure, type JobRun } from '@atrium/platform/messaging';
import { join } from 'node:path';
import { Compute, defineTask, type ComputeOptions } from '@atrium/platform/compute';
import { VectorIndex } from '../../embeddings/application/vector-index';
import { Embedder } from '../../embeddings/application/embedder';
import type { SourceKey } from '../domain/passage';
import { LACKS_CREDITS, PassageSourcesRepository, type SourceRow } from '../infrastructure/passage-sources.repository';
import { PassagesRepository } from '../infrastructure/passages.repository';
import { indexWaiting } from '../jobs/passages.jobs';
import { PassageVectors, PASSAGE_VECTORS } from './passage-vectors';
import { SourceKinds, type SourceKind, type SourceText } from './source-kinds';
import type { CutText, IndexedPassage, TextToCut } from '../infrastructure/passages.task';

const CUT = defineTask<typeof import('../infrastructure/passages.task')>(join(__dirname, '../infrastructure/passages.task'), {
  what: 'text',
});

/** What was made of a text. */
export interface CutPassages extends Omit<CutText, 'pieces'> {
  readonly passages: readonly IndexedPassage[];
}

const WAIT_MS = 15 * MINUTE;

/** How often a run looks whether it still works for anything. */
const LOOK_MS = 3_000;
const GIVEN_UP = 'Indexing failed several times because of errors of the service. Index the source again, or change it.';

type Run = Pick<JobRun, 'signal' | 'heartbeat' | 'givesUpOn'>;

/** What one run makes of a source before it is committed. */
interface Made extends CutPassages {
  readonly text: SourceText;
  readonly model: string;
}

/** The source is gone, out of reach, or is to have another text: there is nothing to make any more. */
class Unwanted extends Error {}

/**
 * Brings the passages of a source up to its text. Vectors are kept batch by batch, so a run that was cut off goes on where
 * it ended; passages are committed at once, and only while the version they are of is still the one.
 */
@Injectable()
export class IndexRun {
  constructor(
    private readonly db: Database,
    private readonly kinds: SourceKinds,
    private readonly sources: PassageSourcesRepository,
    private readonly passages: PassagesRepository,
    private readonly embedder: Embedder,
    private readonly making: PassageVectors,
    private readonly vectors: VectorIndex,
    private readonly outbox: Outbox,
    private readonly compute: Compute,
  ) {}

  async indexSource(source: SourceKey, run: Run, { afresh = false }: { readonly afresh?: boolean } = {}): Promise<void> {
    const kind = this.kinds.findKind(source.kind);
    if (!kind) throw new PermanentFailure(`Nothing here knows sources of the kind ${source.kind}.`);
    const row = await this.db.read(() => this.sources.findSource(source));
    if (!row) return;
    try {
      const text = await kind.readText(source.id);
      if (!text || (!afresh && (await this.isDone(row, text)))) return;
      const made = await this.whileWanted(row, run.signal, async (signal) => {
        const cut = await this.make(row, text, { afresh, signal });
        await this.making.makeVectors(text.title, cut.passages, cut.model, {
          signal,
          heartbeat: async () => {
            await run.heartbeat();
            if (!(await this.isWanted(row))) throw new Unwanted();
          },
        });
        return cut;
      });
      await this.db.write(() => this.commit(source, kind, row, made));
    } catch (error) {
      if (error instanceof Unwanted) return;
      await this.settle(source, error, run);
    }
  }

  /** The queue has given the work up, and no run can say so. */
  giveUp(source: SourceKey, reason: string): Promise<void> {
    return this.db.write(() => this.sources.giveUp(source, reason));
  }

  /** Ends work on what is deleted, hidden or changed in the meantime. */
  private async whileWanted<T>(row: SourceRow, jobSignal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const unwanted = new AbortController();
    const look = setInterval(() => {
      this.isWanted(row).then(
        (isWanted) => (isWanted ? undefined : unwanted.abort(new Unwanted())),
        // The work itself meets what is wrong.
        () => undefined,
      );
    }, LOOK_MS);
    try {
      return await work(AbortSignal.any([jobSignal, unwanted.signal]));
    } finally {
      clearInterval(look);
    }
  }

  private isWanted({ source_kind, source_id, source_wanted }: SourceRow): Promise<boolean> {
    const source = { kind: source_kind, id: source_id };
    return this.db.read(
      async () => (await this.sources.findSource(source))?.source_wanted === source_wanted && (await this.sources.isReachable(source)),
    );
  }

  private async isDone(
    { source_status, source_version, source_title, source_model }: SourceRow,
    { version, title }: SourceText,
  ): Promise<boolean> {
    return (
      source_status === 'live' &&
      source_version === version &&
      source_title === title &&
      source_model === (await this.embedder.getCurrentModel()).model
    );
  }

  private async make(
    { source_kind, source_id, source_options }: SourceRow,
    text: SourceText,
    { afresh, signal }: { readonly afresh: boolean; readonly signal: AbortSignal },
  ): Promise<Made> {
    const source = { kind: source_kind, id: source_id };
    const { beginnings } = await this.db.read(() => this.passages.findKnownPassages(source));
    const { markdown, pages, format, title, language } = text;
    const cut = await this.cutPassages(
      { source, markdown, pages, format, title, language, options: source_options, beginnings: afresh ? new Set() : beginnings },
      { signal },
    );
    return { ...cut, text, model: (await this.embedder.getCurrentModel()).model };
  }

  /** One generation takes the place of the one before, unless the source changed in the meantime: another run follows then. */
  private async commit(source: SourceKey, kind: SourceKind, { source_options }: SourceRow, made: Made): Promise<void> {
    if (!(await this.sources.lockSource(source)) || !(await this.sources.isReachable(source))) return;
    if ((await kind.findVersion(source.id)) !== made.text.version) return;
    const { text, language, passages, truncated, model } = made;
    const gone = await this.passages.retainPassages(
      source,
      passages.map(({ passage_id }) => passage_id),
    );
    if (gone.length > 0) await this.vectors.removeVectors(PASSAGE_VECTORS, gone);
    await this.passages.putPassages(source, passages);
    const { version, version_id, title, url, meta } = text;
    await this.sources.publishVersion(source, {
      version,
      version_id,
      title,
      url,
      meta,
      language,
      options: source_options,
      model,
      passages: passages.length,
      truncated,
    });
    await kind.onIndexed?.(source.id, passages.length);
  }

  /** What lacks credits waits for them; what a provider refuses, and what cannot be read, is not tried again. */
  private async settle(source: SourceKey, error: unknown, run: Run): Promise<void> {
    if (error instanceof Problem && error.code === 'credits_exhausted')
      return this.db.write(async () => {
        await this.sources.markWaiting(source, LACKS_CREDITS);
        await this.outbox.addOnce(planJob(indexWaiting, { because: 'credits' }, { delayMs: WAIT_MS }));
      });
    const reason = reasonOf(error);
    if (reason === undefined) {
      if (await run.givesUpOn(error)) await this.db.write(() => this.sources.markFailed(source, GIVEN_UP));
      throw error;
    }
    await this.db.write(() => this.sources.markFailed(source, reason));
    throw new PermanentFailure(reason, { cause: error });
  }

  /** Cuts texts into passages with their words, in bounded processes: the text says how long that takes. */
  private async cutPassages(text: TextToCut, options: ComputeOptions): Promise<CutPassages> {
    const { pieces, ...cut } = await this.compute.runTask(CUT, text, options);
    return { ...cut, passages: await rowsOfPieces<IndexedPassage>(pieces) };
  }
}

/** Why trying again would end the same; undefined where it may not. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof ModelRefusal) return error.detail ?? error.message;
  return error instanceof Problem && error.code === 'unprocessable_content' ? error.detail : undefined;
}
