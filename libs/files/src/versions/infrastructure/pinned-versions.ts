import { requireScope, sql, type Sql } from '@atrium/platform/database';

/** A condition on a version `v`: something shows its bytes as they are. */
export const isPinned = (): Sql =>
  sql`EXISTS (SELECT FROM file_pin p WHERE p.tenant_id = ${requireScope().tenant_id} AND p.file_id = v.fv_file AND p.pin_hash = v.fv_hash)`;
