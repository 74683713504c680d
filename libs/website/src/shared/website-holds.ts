import { liveHold } from '@atrium/governance';
import { raw, sql, type Sql } from '@atrium/platform/database';

/** A hold in force on a person who wrote what a row keeps, or null: what they wrote stays as long as the hold. `t` is the alias of the row. */
const holdOnAuthor = (t: string, is: (user_id: Sql) => Sql): Sql => liveHold(sql`${raw(t)}.tenant_id`, [{ type: 'user', is }]);

const wroteVersion = (t: string, node: Sql, user_id: Sql): Sql =>
  sql`EXISTS (SELECT FROM page_version w WHERE w.tenant_id = ${raw(t)}.tenant_id AND w.ver_node = ${node} AND w.ver_created_by = ${user_id})`;

/** A person made the page or saved a version of it. */
const wrotePage = (t: string, node: Sql, user_id: Sql): Sql =>
  sql`(EXISTS (SELECT FROM node o WHERE o.tenant_id = ${raw(t)}.tenant_id AND o.node_id = ${node} AND o.node_created_by = ${user_id}) OR ${wroteVersion(t, node, user_id)})`;

export const holdOfNode = (t: string): Sql =>
  holdOnAuthor(t, (user_id) => sql`(${user_id} = ${raw(`${t}.node_created_by`)} OR ${wroteVersion(t, raw(`${t}.node_id`), user_id)})`);

export const holdOfVersion = (t: string): Sql => holdOnAuthor(t, (user_id) => sql`${user_id} = ${raw(`${t}.ver_created_by`)}`);

/** Of a row that belongs to the page that a column of it names. */
export const holdOfPage = (t: string, column: string): Sql => holdOnAuthor(t, (user_id) => wrotePage(t, raw(`${t}.${column}`), user_id));

export const holdOfPublication = (t: string): Sql =>
  holdOnAuthor(t, (user_id) => sql`(${user_id} = ${raw(`${t}.np_published_by`)} OR ${wrotePage(t, raw(`${t}.np_node`), user_id)})`);

/** Of a site with all that is on it: it is removed as a whole. */
export const holdOfSite = (t: string): Sql =>
  holdOnAuthor(
    t,
    (
      user_id,
    ) => sql`(${user_id} = ${raw(`${t}.site_created_by`)} OR EXISTS (SELECT FROM node n WHERE n.tenant_id = ${raw(t)}.tenant_id AND n.node_site = ${raw(`${t}.site_id`)}
      AND (n.node_created_by = ${user_id} OR ${wroteVersion('n', sql`n.node_id`, user_id)})))`,
  );
