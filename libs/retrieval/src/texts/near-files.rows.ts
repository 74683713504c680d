import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';
import type { Near } from '../embeddings/domain/nearness';

/** Which sources passages are of. */
@Injectable()
export class NearFileRows {
  constructor(private readonly db: Database) {}

  /** Each source once, by the nearest of its passages; ties in the order of their ids. */
  findSources(passages: readonly Near[]): Promise<Near[]> {
    return this.db.current().query<Near>(sql`
      SELECT p.source_id AS id, max(n.similarity) AS similarity
      FROM unnest(${passages.map(({ id }) => id)}::uuid[], ${passages.map(({ similarity }) => similarity)}::double precision[]) AS n (id, similarity)
      JOIN passage p ON p.tenant_id = ${requireScope().tenant_id} AND p.passage_id = n.id GROUP BY 1 ORDER BY 2 DESC, 1`);
  }
}
