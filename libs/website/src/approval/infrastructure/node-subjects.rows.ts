import { Injectable } from '@nestjs/common';
import { aclAllows, type Principal } from '@atrium/platform/access';
import { Database, requireScope, sql, type Sql } from '@atrium/platform/database';

/** What flows need to know of a node. */
export interface NodeFacts extends Record<string, unknown> {
  readonly node_id: string;
  readonly node_site: string;
  readonly node_name: string;
  readonly node_created_by: string | null;
}

/** Nodes as approvals know them. */
@Injectable()
export class NodeSubjectRows {
  constructor(private readonly db: Database) {}

  /**
   * Condition on the id of a node: the reader may see it, on a site that was not removed before `since`, or change it now. The id may be a
   * column of the statement around it, so the tables have names here that no statement has.
   */
  readableCondition(reader: Principal, id: Sql, { level, since }: { readonly level: 'view' | 'edit'; readonly since: Date }): Sql {
    const usable =
      level === 'edit'
        ? sql`own_site.site_active AND own_node.node_active`
        : sql`(own_site.site_active OR own_site.site_removed >= ${since})`;
    return sql`EXISTS (SELECT FROM node own_node JOIN site own_site ON own_site.tenant_id = own_node.tenant_id AND own_site.site_id = own_node.node_site
      WHERE own_node.tenant_id = ${requireScope().tenant_id} AND own_node.node_id = ${id} AND ${usable} AND ${aclAllows('own_site.site_acl', reader, level)})`;
  }

  async findFacts(node_ids: readonly string[]): Promise<ReadonlyMap<string, NodeFacts>> {
    const rows = await this.db
      .current()
      .query<NodeFacts>(
        sql`SELECT node_id, node_site, node_name, node_created_by FROM node WHERE tenant_id = ${requireScope().tenant_id} AND node_id = ANY(${[...node_ids]}::uuid[])`,
      );
    return new Map(rows.map((row) => [row.node_id, row]));
  }

  /** Condition on the id of a node: it is one of the site, in the trash or not. */
  conditionOf(site_id: string): (id: Sql) => Sql {
    return (id) =>
      sql`EXISTS (SELECT FROM node own_node WHERE own_node.tenant_id = ${requireScope().tenant_id} AND own_node.node_id = ${id} AND own_node.node_site = ${site_id})`;
  }

  async findActiveSites(site_ids: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.db
      .current()
      .query<{ site_id: string }>(
        sql`SELECT site_id FROM site WHERE tenant_id = ${requireScope().tenant_id} AND site_id = ANY(${[...site_ids]}::uuid[]) AND site_active`,
      );
    return new Set(rows.map(({ site_id }) => site_id));
  }

  /** Whom the site of a node notifies. */
  async findContacts(node_id: string): Promise<readonly string[]> {
    const row = await this.db
      .current()
      .first<{ site_contacts: readonly string[] }>(
        sql`SELECT s.site_contacts FROM node n JOIN site s ON s.tenant_id = n.tenant_id AND s.site_id = n.node_site WHERE n.tenant_id = ${requireScope().tenant_id} AND n.node_id = ${node_id}`,
      );
    return row?.site_contacts ?? [];
  }

  /** What the draft of a locale shows now; null where the locale is gone. */
  async findDraftHash(node_id: string, locale: string): Promise<string | null> {
    const row = await this.db
      .current()
      .first<{ nl_hash: string }>(
        sql`SELECT nl_hash FROM node_locale WHERE tenant_id = ${requireScope().tenant_id} AND nl_node = ${node_id} AND nl_locale = ${locale}`,
      );
    return row?.nl_hash ?? null;
  }
}
