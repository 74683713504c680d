import type { Principal } from '@atrium/platform/access';
import { raw, sql, type Sql } from '@atrium/platform/database';
import { MEMORY_TOOLS } from '../domain/memory-answer';

const CITES_MEMORY = JSON.stringify([{ source_kind: 'memory' }]);
const CALLS = [...MEMORY_TOOLS].map((tool) => JSON.stringify([{ kind: 'tool', tool }]));

/** Condition on a row of `message`, by its alias: the caller may read what it says. It says of rows what `isWithheldFrom` says of one. */
export function isSaidTo({ user_id }: Pick<Principal, 'user_id'>, alias = 'r'): Sql {
  const m = raw(alias);
  return sql`(${m}.msg_user = ${user_id}::uuid OR NOT (${m}.msg_recalls OR ${m}.msg_citations @> ${CITES_MEMORY}::jsonb OR EXISTS (SELECT FROM unnest(${CALLS}::text[]) c WHERE ${m}.msg_parts @> c::jsonb)))`;
}
