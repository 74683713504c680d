import { Injectable } from '@nestjs/common';
import { requireScope, sql, type Sql } from '@atrium/platform/database';
import { VectorIndex } from '../embeddings/application/vector-index';
import type { Near } from '../embeddings/domain/nearness';
import { PASSAGE_VECTORS } from '../passages/application/passage-vectors';
import { FILE_SOURCE } from './file-passages';
import { NearFileRows } from './near-files.rows';

/** Passages that are compared at first; so many times more where they are of too few files, and no more than these. */
const FIRST = 2_000;
const MORE = 8;
const MOST = FIRST * MORE * MORE;

/** What is near, and among which files. */
export interface NearFilesWish {
  readonly vector: readonly number[];
  readonly model: string;
  readonly threshold: number;
  /** Files at most. */
  readonly limit: number;
  /** Only passages that are searched in this scope count. */
  readonly scope: string;
  /** A query that answers the ids of the files in question. */
  readonly among: Sql;
}

/** Files by how near their best passage is to a text. */
@Injectable()
export class NearFiles {
  constructor(
    private readonly vectors: VectorIndex,
    private readonly rows: NearFileRows,
  ) {}

  /** The nearest, best first; ties in the order of their ids. Within a unit of work. */
  async findNearFiles({ vector, model, threshold, limit, scope, among }: NearFilesWish): Promise<Near[]> {
    const passages = sql`
      SELECT p.passage_id FROM passage_scope k JOIN passage p ON p.tenant_id = k.tenant_id AND p.source_kind = k.source_kind AND p.source_id = k.source_id
      WHERE k.tenant_id = ${requireScope().tenant_id} AND k.scope_key = ${scope} AND k.source_kind = ${FILE_SOURCE} AND k.source_id IN (${among})`;
    const mayMiss = (await this.vectors.getEngine()) === 'pgvector';
    for (let most = FIRST; ; most *= MORE) {
      const nearness = { model, limit: most, threshold, among: passages };
      let near = await this.vectors.findNearest(PASSAGE_VECTORS, { vector }, nearness);
      // An index that answers fewer than there may be has left some out.
      if (mayMiss && near.length < most) near = await this.vectors.findNearest(PASSAGE_VECTORS, { vector }, { ...nearness, exact: true });
      const files = near.length === 0 ? [] : await this.rows.findSources(near);
      if (files.length >= limit || near.length < most || most >= MOST) return files.slice(0, limit);
    }
  }
}
