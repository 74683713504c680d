import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import type { Entry, Near, Nearness } from '../domain/nearness';
import { hasDirection } from '../domain/unit-vector';
import { VectorsRepository, type Origin, type VectorEngine } from '../infrastructure/vectors.repository';

/**
 * Vectors of things, found by nearness. The kind names whose ids they are (`media-file` …); the model, what made them:
 * vectors of different models are never compared. Everything happens within the unit of work that is open and in its workspace.
 */
@Injectable()
export class VectorIndex {
  constructor(
    private readonly db: Database,
    private readonly vectors: VectorsRepository,
  ) {}

  /** How vectors are kept here. */
  getEngine(): Promise<VectorEngine> {
    return this.vectors.detectEngine();
  }

  /** Keeps or replaces vectors of unit length. One without direction is as near to everything as to nothing: the thing has none. */
  putVectors(kind: string, model: string, entries: readonly Entry[]): Promise<void> {
    return this.db.write(async () => {
      const pointing = entries.filter(({ vector }) => hasDirection(vector));
      const silent = entries.filter(({ vector }) => !hasDirection(vector)).map(({ id }) => id);
      if (silent.length > 0) await this.vectors.removeVectors(kind, silent);
      if (pointing.length > 0) await this.vectors.putVectors(await this.getEngine(), kind, model, pointing);
    });
  }

  /** The things nearest to a vector or to another thing, best first. A thing without a vector is near nothing. */
  findNearest(kind: string, origin: Origin, nearness: Nearness): Promise<Near[]> {
    return this.db.read(async () => this.vectors.findNearest(await this.getEngine(), kind, origin, nearness));
  }

  /** What the vectors of the things were made of, by id; null where nobody said. */
  findHashes(kind: string, model: string, ids: readonly string[]): Promise<ReadonlyMap<string, string | null>> {
    return this.db.read(() => this.vectors.findHashes(kind, model, ids));
  }

  /** Forgets the things, whatever the model. */
  removeVectors(kind: string, ids: readonly string[]): Promise<void> {
    return this.db.write(() => this.vectors.removeVectors(kind, ids));
  }
}
