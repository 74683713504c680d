import { Injectable } from '@nestjs/common';
import { Database, sql } from '@atrium/platform/database';
import { planJob, Outbox } from '@atrium/platform/messaging';
import type { SourceKey } from '../domain/passage';
import { LACKS_CREDITS, PassageSourcesRepository, type IndexCounts } from '../infrastructure/passage-sources.repository';
import { PassagesRepository } from '../infrastructure/passages.repository';
import { indexSource, indexWaiting, purgeSource } from '../jobs/passages.jobs';
import { PASSAGE_VECTORS } from './passage-vectors';
import { SourceKinds } from './source-kinds';

const AT_ONCE = 200;
const VECTORS_AT_ONCE = 2_000;

/** Keeps the index of a workspace in order: what waits goes on, and what lost its source goes. */
@Injectable()
export class PassageUpkeep {
  constructor(
    private readonly db: Database,
    private readonly kinds: SourceKinds,
    private readonly sources: PassageSourcesRepository,
    private readonly passages: PassagesRepository,
    private readonly outbox: Outbox,
  ) {}

  /** Sources that have waited so long are asked for once more. */
  retryPending(ageSeconds: number, signal: AbortSignal): Promise<void> {
    return this.askFor(sql`s.source_status = 'pending' AND s.source_updated < now() - make_interval(secs => ${ageSeconds})`, signal);
  }

  /** There are credits: what waits for them is looked at now, if anything does. */
  async resumeWaiting(): Promise<void> {
    await this.db.write(() => this.outbox.hastenJob(planJob(indexWaiting, { because: 'credits' })));
  }

  /** Everything that lacked credits is tried. */
  retryWaiting(signal: AbortSignal): Promise<void> {
    return this.askFor(sql`s.source_status = 'pending' AND s.source_error = ${LACKS_CREDITS}`, signal);
  }

  /** Sources whose thing is gone are out of reach, and their passages go. */
  async removeLost(signal: AbortSignal): Promise<void> {
    for (const kind of this.kinds.listKinds()) {
      const lost = sql`s.source_kind = ${kind.kind} AND NOT (${kind.existsCondition()})`;
      for (let after: SourceKey | null = null; !signal.aborted;) {
        const at: SourceKey | null = after;
        const page: SourceKey[] = await this.db.write(async () => {
          const found = await this.sources.listSources(lost, at, AT_ONCE);
          for (const source of found) {
            await this.sources.setScopes(source, []);
            await this.outbox.addOnce(planJob(purgeSource, { kind: source.kind, id: source.id }));
          }
          return found;
        });
        if (page.length < AT_ONCE) break;
        after = page.at(-1) ?? null;
      }
    }
  }

  /** Vectors that were made for passages which never came go. */
  async removeOrphans(signal: AbortSignal): Promise<void> {
    while (
      !signal.aborted &&
      (await this.db.write(() => this.passages.removeOrphanVectors(PASSAGE_VECTORS, VECTORS_AT_ONCE))) === VECTORS_AT_ONCE
    );
  }

  private async askFor(condition: ReturnType<typeof sql>, signal: AbortSignal): Promise<void> {
    for (let after: SourceKey | null = null; !signal.aborted;) {
      const at: SourceKey | null = after;
      const page: SourceKey[] = await this.db.write(async () => {
        const found = await this.sources.listSources(condition, at, AT_ONCE);
        for (const { kind, id } of found) await this.outbox.addOnce(planJob(indexSource, { kind, id }));
        return found;
      });
      if (page.length < AT_ONCE) return;
      after = page.at(-1) ?? null;
    }
  }

  /** What the index of a workspace contains, for its administrators. */
  countIndex(): Promise<IndexCounts> {
    return this.db.read(() => this.sources.countIndex(PASSAGE_VECTORS));
  }
}
