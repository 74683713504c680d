import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import { DAY } from '@atrium/platform/kernel';
import { planJob, Outbox } from '@atrium/platform/messaging';
import { CHUNK_OPTIONS, type ChunkOptions } from '../domain/chunking';
import type { SourceKey } from '../domain/passage';
import { PassageSourcesRepository } from '../infrastructure/passage-sources.repository';
import { indexSource, purgeSource } from '../jobs/passages.jobs';

/** What of a kind's sources is searched by passages, and where. Everything happens in the unit of work of the change it follows. */
@Injectable()
export class PassageIndex {
  constructor(
    private readonly db: Database,
    private readonly sources: PassageSourcesRepository,
    private readonly outbox: Outbox,
  ) {}

  /**
   * The source is to be found in the scopes, by the passages of its version. Passages that are there already answer at
   * commit; where another version has to be indexed first, the old one answers until then.
   */
  indexSource(source: SourceKey, version: string, scopes: readonly string[], options: ChunkOptions = CHUNK_OPTIONS): Promise<void> {
    return this.db.write(async () => {
      const isToDo = await this.sources.requestVersion(source, version, options);
      await this.sources.setScopes(source, scopes);
      if (isToDo) this.outbox.addJob(planJob(indexSource, { kind: source.kind, id: source.id }));
    });
  }

  /** The same for many sources of a kind with the same scopes, in as many statements as for one. */
  putAll(
    kind: string,
    sources: readonly { readonly id: string; readonly version: string }[],
    scopes: readonly string[],
    options: ChunkOptions = CHUNK_OPTIONS,
  ): Promise<void> {
    if (sources.length === 0) return Promise.resolve();
    return this.db.write(async () => {
      const toDo = await this.sources.requestSources(kind, sources, options);
      await this.sources.setScopesOfAll(
        kind,
        sources.map(({ id }) => id),
        scopes,
      );
      for (const id of toDo) this.outbox.addJob(planJob(indexSource, { kind, id }));
    });
  }

  /** The source is found in these scopes, and at commit in no other one. One that is not in the index stays out of it. */
  setScopes(source: SourceKey, scopes: readonly string[]): Promise<void> {
    return this.db.write(() => this.sources.setScopes(source, scopes));
  }

  /** What citations say of the source has changed, its text has not. */
  refreshSource(source: SourceKey): Promise<void> {
    return this.db.write(async () => {
      if (await this.sources.isReachable(source)) this.outbox.addJob(planJob(indexSource, { kind: source.kind, id: source.id }));
    });
  }

  /** The source is out of reach at commit. Its passages go a day later, so that one which comes back until then is found at once; `forGood`: now. */
  removeSource(source: SourceKey, { forGood = false }: { readonly forGood?: boolean } = {}): Promise<void> {
    return this.db.write(async () => {
      if (!(await this.sources.findSource(source))) return;
      await this.sources.setScopes(source, []);
      this.outbox.addJob(planJob(purgeSource, { kind: source.kind, id: source.id }, { delayMs: forGood ? 0 : DAY }));
    });
  }

  /** The same as `removeSource` for many sources of a kind; those that the index does not know are left out. */
  removeAll(kind: string, ids: readonly string[], { forGood = false }: { readonly forGood?: boolean } = {}): Promise<void> {
    if (ids.length === 0) return Promise.resolve();
    return this.db.write(async () => {
      const known = await this.sources.findIndexed(kind, ids);
      if (known.length === 0) return;
      await this.sources.setScopesOfAll(kind, known, []);
      for (const id of known) this.outbox.addJob(planJob(purgeSource, { kind, id }, { delayMs: forGood ? 0 : DAY }));
    });
  }

  /** Nothing is found in the scope at commit. Passages stay for when sources are put back into it. */
  closeScope(scope: string): Promise<void> {
    return this.db.write(() => this.sources.closeScope(scope));
  }
}
