import type { ContentMove } from '@atrium/identity';
import { raw, sql, type Sql } from '@atrium/platform/database';

/** Condition: the row belongs to the member whose content is handed over, as its creator or as an owner in its access list. */
export const isHandedOver = ({ creator, acl }: { readonly creator: string; readonly acl: string }, { from }: ContentMove): Sql =>
  sql`(${raw(creator)} = ${from}::uuid OR ${entryOf(acl, from)} = 'owner')`;

/** Condition: the access list names the member whose content is handed over. */
export const namesGiver = (acl: string, { from }: ContentMove): Sql => sql`${entryOf(acl, from)} IS NOT NULL`;

/**
 * The access list with the taker in the place of the giver; of two levels the higher one stays. Without that, a list that names
 * only somebody who has left would keep everyone out.
 */
export const handedAcl = (acl: string, { from, to }: ContentMove): Sql => sql`CASE WHEN ${entryOf(acl, from)} IS NULL THEN ${raw(acl)}
  ELSE jsonb_set(${raw(acl)}, '{users}', (${raw(acl)} -> 'users') - ${from}::text
    || CASE WHEN coalesce(${rankOf(acl, to)}, 0) < ${rankOf(acl, from)} THEN jsonb_build_object(${to}::text, ${entryOf(acl, from)}) ELSE '{}' END) END`;

const entryOf = (acl: string, user_id: string): Sql => sql`(${raw(acl)} #>> ARRAY['users', ${user_id}::text])`;

const rankOf = (acl: string, user_id: string): Sql => sql`array_position(ARRAY['view', 'edit', 'owner'], ${entryOf(acl, user_id)})`;
