import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { AppearanceRepository } from './appearance.repository';
import type { FileRow } from '../core/domain/file-row';
import { FileQueries } from '../core/application/file-queries';
import { MeaningSimilarity, type LikeFile, type SimilarityBounds } from './similarity-sources';

export const LIKENESSES = ['bytes', 'visual', 'meaning'] as const;

/** In what files are alike: the same bytes, the looks of a picture, or what they are about. */
export type Similarity = (typeof LIKENESSES)[number];

export interface SimilarityQuery extends SimilarityBounds {
  readonly by: Similarity;
}

/** Bits of a picture's looks; they count as one less the share in which two differ. */
const BITS = 64;

/**
 * Files that resemble another one of their repository. Equal bytes and meanings are found wherever they are; pictures are
 * found surely up to 7 bits of difference (a similarity of 0.89), beyond that where a quarter of their looks agrees.
 */
@Injectable()
export class FileSimilarity {
  constructor(
    private readonly appearances: AppearanceRepository,
    private readonly queries: FileQueries,
    private readonly meaning: MeaningSimilarity,
  ) {}

  /** The files the caller may see that resemble this one, best first. */
  async findSimilar(caller: Principal, file_id: string, wish: SimilarityQuery): Promise<(FileRow & { readonly similarity: number })[]> {
    const file = await this.queries.getFile(caller, file_id);
    const like = new Map((await this.findCandidates(file_id, wish)).map((row) => [row.file_id, row.similarity]));
    const rows = await this.queries.listShownFiles(caller, file, [...like.keys()]);
    const known = new Map(rows.map((row) => [row.file_id, row]));
    return [...like].flatMap(([id, similarity]) => (known.has(id) ? [{ ...(known.get(id) as FileRow), similarity }] : []));
  }

  /** Ids of live files that show this picture turned, mirrored or cropped, or of which it is a crop; nearest first. */
  async findVariants(file_id: string, limit: number): Promise<readonly string[]> {
    return (await this.appearances.findVariants(file_id, limit)).map((like) => like.file_id);
  }

  /** Ids of live files that resemble this one, best first; what of them somebody may see is for the caller to decide. */
  async findCandidates(file_id: string, { by, threshold, limit }: SimilarityQuery): Promise<readonly LikeFile[]> {
    if (by === 'meaning') return this.meaning.findNear(file_id, { threshold, limit });
    if (by === 'bytes') return (await this.appearances.findEqual(file_id, limit)).map((id) => ({ file_id: id, similarity: 1 }));
    const distance = Math.floor((1 - threshold) * BITS + Number.EPSILON * BITS);
    const near = await this.appearances.findNear(file_id, { distance, limit });
    return near.map((row) => ({ file_id: row.file_id, similarity: Math.round((1 - row.distance / BITS) * 10_000) / 10_000 }));
  }
}
