import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import type { JobRun } from '@atrium/platform/messaging';
import { VectorIndex } from '../../embeddings/application/vector-index';
import type { SourceKey } from '../domain/passage';
import { PassageSourcesRepository } from '../infrastructure/passage-sources.repository';
import { PassagesRepository } from '../infrastructure/passages.repository';
import { PASSAGE_VECTORS } from './passage-vectors';

const AT_ONCE = 2_000;

/** Removes the passages of a source that is out of reach; one that came back in the meantime keeps what is left. */
@Injectable()
export class PurgeRun {
  constructor(
    private readonly db: Database,
    private readonly sources: PassageSourcesRepository,
    private readonly passages: PassagesRepository,
    private readonly vectors: VectorIndex,
  ) {}

  async purgeSource(source: SourceKey, { signal, heartbeat }: Pick<JobRun, 'signal' | 'heartbeat'>): Promise<void> {
    while (await this.step(source)) {
      signal.throwIfAborted();
      await heartbeat();
    }
  }

  /** Whether there may be more. */
  private step(source: SourceKey): Promise<boolean> {
    return this.db.write(async () => {
      if (!(await this.sources.lockSource(source)) || (await this.sources.isReachable(source))) return false;
      await this.sources.clearVersion(source);
      const gone = await this.passages.removeBatch(source, AT_ONCE);
      if (gone.length > 0) await this.vectors.removeVectors(PASSAGE_VECTORS, gone);
      if (gone.length === AT_ONCE) return true;
      await this.sources.deleteSource(source);
      return false;
    });
  }
}
