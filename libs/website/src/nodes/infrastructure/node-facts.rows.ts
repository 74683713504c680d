import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';
import type { NodeState } from '../domain/node-locale';

/** What is shown of a locale of a node beside its content. */
export interface LocaleFacts extends Record<string, unknown> {
  readonly nl_node: string;
  readonly locale: string;
  readonly state: NodeState;
  readonly changed: Date;
  readonly missing: number;
  readonly stale: number;
  /** Within the locale; null where nothing is live. */
  readonly np_path: string | null;
  readonly version: number | null;
  readonly published: Date | null;
  readonly published_by: string | null;
  readonly scheduled: Date | null;
}

/** Whether drafts are live and what is planned for them, read beside nodes. */
@Injectable()
export class NodeFactsRows {
  constructor(private readonly db: Database) {}

  /** One statement for all nodes. */
  async findLocaleFacts(node_ids: readonly string[]): Promise<ReadonlyMap<string, readonly LocaleFacts[]>> {
    const rows = await this.db.current().query<LocaleFacts>(sql`
      SELECT l.nl_node, l.nl_locale AS locale, l.nl_status AS state, l.nl_updated AS changed, l.nl_missing AS missing, l.nl_stale AS stale,
        p.np_path, v.ver_number AS version, p.np_published AS published, p.np_published_by AS published_by, s.scheduled
      FROM node_locale l
      LEFT JOIN page_publication p ON p.tenant_id = l.tenant_id AND p.np_node = l.nl_node AND p.np_locale = l.nl_locale AND p.np_to_seq IS NULL AND p.np_kind <> 'segment'
      LEFT JOIN page_version v ON v.tenant_id = p.tenant_id AND v.ver_id = p.np_version
      LEFT JOIN LATERAL (
        SELECT min(h.sch_at) AS scheduled FROM publish_schedule_node n JOIN publish_schedule h ON h.tenant_id = n.tenant_id AND h.sch_id = n.schn_schedule
        WHERE n.tenant_id = l.tenant_id AND n.schn_node = l.nl_node AND h.sch_status = 'waiting' AND (h.sch_locales IS NULL OR l.nl_locale = ANY(h.sch_locales))) s ON true
      WHERE l.tenant_id = ${requireScope().tenant_id} AND l.nl_node = ANY(${[...node_ids]}::uuid[])`);
    const found = new Map<string, LocaleFacts[]>(node_ids.map((id) => [id, []]));
    for (const row of rows) found.get(row.nl_node)?.push(row);
    return found;
  }

  /** The pages among these that visitors see in a locale. */
  async findLivePages(site_id: string, locale: string, node_ids: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.db.current().query<{ np_node: string }>(sql`
      SELECT p.np_node FROM page_publication p
      WHERE p.tenant_id = ${requireScope().tenant_id} AND p.np_site = ${site_id} AND p.np_node = ANY(${[...node_ids]}::uuid[]) AND p.np_locale = ${locale} AND p.np_to_seq IS NULL AND p.np_kind = 'page'`);
    return new Set(rows.map(({ np_node }) => np_node));
  }

  /** The version that is live in a locale; null where none is. */
  async findLiveVersion(node_id: string, locale: string): Promise<string | null> {
    const row = await this.db.current().first<{ np_version: string | null }>(sql`
      SELECT p.np_version FROM page_publication p WHERE p.tenant_id = ${requireScope().tenant_id} AND p.np_node = ${node_id} AND p.np_locale = ${locale} AND p.np_to_seq IS NULL`);
    return row?.np_version ?? null;
  }
}
