import { Injectable } from '@nestjs/common';
import { ModelRefusal } from '@atrium/models';
import { Database } from '@atrium/platform/database';
import { MINUTE, Problem } from '@atrium/platform/kernel';
import { job, Outbox, PermanentFailure, type JobRun } from '@atrium/platform/messaging';
import { VectorIndex } from '../../embeddings/application/vector-index';
import { Embedder } from '../../embeddings/application/embedder';
import { passagesOf, type Passage, type SourceKey } from '../domain/passage';
import { languageOf } from '../infrastructure/language';
import { LACKS_CREDITS, PassageSourcesRepository, type SourceRow } from '../infrastructure/passage-sources.repository';
import { PassagesRepository } from '../infrastructure/passages.repository';
import { stemmingOf } from '../infrastructure/stemmers';
import { indexWaiting } from '../jobs/passages.jobs';
import { chunkMarkdown } from './chunk-markdown';
import { PassageVectors, PASSAGE_VECTORS } from './passage-vectors';
import { SourceKinds, type SourceKind, type SourceText } from './source-kinds';

/** Passages a source has at most; what is beyond is not searched. */
const MOST_PASSAGES = 20_000;
const WAIT_MS = 15 * MINUTE;

type Run = Pick<JobRun, 'signal' | 'heartbeat'>;

/** What one run makes of a source before it is committed. */
interface Made {
  readonly text: SourceText;
  readonly language: string | null;
  readonly passages: readonly Passage[];
  readonly truncated: boolean;
  readonly model: string;
}

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
  ) {}

  async run(source: SourceKey, run: Run, { afresh = false }: { readonly afresh?: boolean } = {}): Promise<void> {
    const kind = this.kinds.of(source.kind);
    if (!kind) throw new PermanentFailure(`Nothing here knows sources of the kind ${source.kind}.`);
    const row = await this.db.read(() => this.sources.find(source));
    if (!row) return;
    try {
      const text = await kind.read(source.id);
      if (!text || (!afresh && (await this.isDone(row, text)))) return;
      const made = await this.make(row, text, afresh);
      run.signal.throwIfAborted();
      await this.making.make(made.text.title, made.passages, made.model, run);
      await this.db.write(() => this.commit(source, kind, row, made));
    } catch (error) {
      await this.settle(source, error);
    }
  }

  /** The queue has given the work up, and no run can say so. */
  giveUp(source: SourceKey, reason: string): Promise<void> {
    return this.db.write(() => this.sources.giveUp(source, reason));
  }

  private async isDone(
    { source_status, source_version, source_title, source_model }: SourceRow,
    { version, title }: SourceText,
  ): Promise<boolean> {
    return (
      source_status === 'live' &&
      source_version === version &&
      source_title === title &&
      source_model === (await this.embedder.current()).model
    );
  }

  private async make({ source_kind, source_id, source_options }: SourceRow, text: SourceText, afresh: boolean): Promise<Made> {
    const source = { kind: source_kind, id: source_id };
    const { beginnings } = await this.db.read(() => this.passages.known(source));
    const chunks = await chunkMarkdown({
      markdown: text.markdown,
      pages: text.pages,
      options: source_options,
      beginnings: afresh ? new Set() : beginnings,
    });
    return {
      text,
      language: text.language ?? (await languageOf(text.markdown)),
      passages: passagesOf(source, chunks.slice(0, MOST_PASSAGES)),
      truncated: chunks.length > MOST_PASSAGES,
      model: (await this.embedder.current()).model,
    };
  }

  /** One generation takes the place of the one before, unless the source changed in the meantime: another run follows then. */
  private async commit(source: SourceKey, kind: SourceKind, { source_options }: SourceRow, made: Made): Promise<void> {
    if (!(await this.sources.locked(source)) || !(await this.sources.isReachable(source))) return;
    if ((await kind.version(source.id)) !== made.text.version) return;
    const { text, language, passages, truncated, model } = made;
    const gone = await this.passages.retain(
      source,
      passages.map(({ passage_id }) => passage_id),
    );
    if (gone.length > 0) await this.vectors.remove(PASSAGE_VECTORS, gone);
    await this.passages.put(source, text.title, passages, await stemmingOf(language));
    const { version, version_id, title, url, meta } = text;
    await this.sources.live(source, {
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
    await kind.indexed?.(source.id, passages.length);
  }

  /** What lacks credits waits for them; what a provider refuses is not asked again. */
  private async settle(source: SourceKey, error: unknown): Promise<void> {
    if (error instanceof Problem && error.code === 'credits_exhausted')
      return this.db.write(async () => {
        await this.sources.wait(source, LACKS_CREDITS);
        await this.outbox.addOnce(job(indexWaiting, { because: 'credits' }, { delayMs: WAIT_MS }));
      });
    if (!(error instanceof ModelRefusal)) throw error;
    await this.db.write(() => this.sources.fail(source, error.detail ?? error.message));
    throw new PermanentFailure(error.detail ?? error.message, { cause: error });
  }
}
