import { Injectable } from '@nestjs/common';
import type { SearchScope } from '@atrium/files';
import { requireScope, sql, type Sql } from '@atrium/platform/database';

/** Tags as conditions on the file row `r`, for lists that name values without their groups. */
@Injectable()
export class TagConditions {
  /** The file bears one of the values, in whatever group of the library; synonyms stand for their value. */
  taggedCondition(values: readonly string[], scope: SearchScope): Sql {
    const { tenant_id } = requireScope();
    const groups = sql`SELECT g.mtg_id FROM media_tag_group g WHERE g.tenant_id = ${tenant_id}::uuid AND g.mtg_scope = ${scope}`;
    const tags = sql`
      SELECT w.mtw_tag FROM media_tag_word w WHERE w.tenant_id = ${tenant_id}::uuid AND w.mtw_group = ANY(ARRAY(${groups}))
      AND w.mtw_word = ANY(ARRAY(SELECT folded(v) FROM unnest(${[...values]}::text[]) v))`;
    return sql`EXISTS (SELECT FROM file_tag t WHERE t.tenant_id = r.tenant_id AND t.ft_file = r.file_id AND t.ft_tag = ANY(ARRAY(${tags})))`;
  }
}
