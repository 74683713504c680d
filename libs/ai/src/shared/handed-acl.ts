import type { ContentMove } from '@atrium/identity';
import { raw, sql, type Sql } from '@atrium/platform/database';

/** Condition: the row belongs to the member whose content is handed over, as its creator or by an entry of its access list. */
export const isHandedOver = ({ creator, acl }: { readonly creator: string; readonly acl: string }, move: ContentMove): Sql =>
  sql`(${raw(creator)} = ${move.from}::uuid OR ${namesGiver(acl, move)})`;

/** Condition: the access list names the member whose content is handed over. */
export const namesGiver = (acl: string, { from }: ContentMove): Sql => sql`(${raw(acl)} #>> ARRAY['users', ${from}::text]) IS NOT NULL`;

/** The access list with the taker in the place of the giver, as in all contexts. */
export const handedAcl = (acl: string, { from, to }: ContentMove): Sql => sql`acl_handed_over(${raw(acl)}, ${from}::uuid, ${to}::uuid)`;
