import { Injectable } from '@nestjs/common';
import { Problem } from '@atrium/platform/kernel';

/** A file that resembles another one; 1 means no measurable difference. */
export interface LikeFile {
  readonly file_id: string;
  readonly similarity: number;
}

/** How alike files have to be, and how many are wanted, best first. */
export interface SimilarityBounds {
  readonly threshold: number;
  readonly limit: number;
}

/**
 * Port of the context that stores the meaning of files: those of the workspace whose meaning is near to one file's, whatever
 * their repository.
 */
export interface MeaningSource {
  findNear(file_id: string, bounds: SimilarityBounds): Promise<readonly LikeFile[]>;
}

/** Likeness by meaning, once a context with an index of meanings has registered. */
@Injectable()
export class MeaningSimilarity {
  private source: MeaningSource | undefined;

  register(source: MeaningSource): void {
    if (this.source) throw new Error('Two contexts want to tell what files mean.');
    this.source = source;
  }

  findNear(file_id: string, bounds: SimilarityBounds): Promise<readonly LikeFile[]> {
    if (!this.source) throw new Problem('not_configured', 'No embedding provider is configured. Compare by bytes or visual.');
    return this.source.findNear(file_id, bounds);
  }
}
