import { join, raw, sql, type Sql } from '@atrium/platform/database';
import type { HoldTargetType } from '../domain/legal-hold';

/** Through what a hold keeps a row: the kind of its target, and a condition on the target's id. */
export interface HoldThrough {
  readonly type: HoldTargetType;
  readonly is: (target_id: Sql) => Sql;
}

const TARGET = raw('h.lh_target_id');
/** Written out, so that plans know the kind. */
const kind = (type: HoldTargetType): Sql => raw(`'${type}'`);

/** An expression: a hold in force that keeps a row of the workspace through one of these, or null. */
export const liveHold = (tenant_id: Sql, through: readonly HoldThrough[]): Sql =>
  sql`(SELECT h.lh_id FROM legal_hold h WHERE h.tenant_id = ${tenant_id} AND h.lh_released_at IS NULL
    AND (${join(
      through.map(({ type, is }) => sql`(h.lh_target_type = ${kind(type)} AND ${is(TARGET)})`),
      ' OR ',
    )}) LIMIT 1)`;
