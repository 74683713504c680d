import { Injectable } from '@nestjs/common';
import { aclAllows, type Principal } from '@atrium/platform/access';
import { Database, requireScope, sql } from '@atrium/platform/database';
import type { DraftReference } from '../domain/page-draft';

/** A page whose draft uses a file. */
export interface UsingNode extends Record<string, unknown> {
  readonly node_id: string;
  readonly node_name: string;
  readonly site_name: string;
}

const MOST_NAMED = 100;
const tenant = (): string => requireScope().tenant_id;

/** What drafts refer to. */
@Injectable()
export class NodeReferenceRows {
  constructor(private readonly db: Database) {}

  /** The references of a node, and no others. */
  async replaceReferences(node_id: string, references: readonly DraftReference[]): Promise<void> {
    const [kinds, refs] = [references.map(({ kind }) => kind), references.map(({ ref }) => ref)];
    const given = sql`unnest(${kinds}::text[], ${refs}::uuid[]) AS w (kind, ref)`;
    const tx = this.db.current();
    await tx.execute(
      sql`DELETE FROM node_reference r WHERE r.tenant_id = ${tenant()} AND r.nref_node = ${node_id} AND NOT EXISTS (SELECT FROM ${given} WHERE w.kind = r.nref_kind AND w.ref = r.nref_ref)`,
    );
    if (references.length > 0)
      await tx.execute(
        sql`INSERT INTO node_reference (tenant_id, nref_node, nref_kind, nref_ref) SELECT ${tenant()}, ${node_id}, w.kind, w.ref FROM ${given} ON CONFLICT DO NOTHING`,
      );
  }

  /** The same references for copies of nodes. */
  async copyReferences(copies: ReadonlyMap<string, string>): Promise<void> {
    await this.db.current().execute(sql`
      INSERT INTO node_reference (tenant_id, nref_node, nref_kind, nref_ref)
      SELECT r.tenant_id, w.copy, r.nref_kind, r.nref_ref FROM unnest(${[...copies.keys()]}::uuid[], ${[...copies.values()]}::uuid[]) AS w (source, copy)
      JOIN node_reference r ON r.tenant_id = ${tenant()} AND r.nref_node = w.source ON CONFLICT DO NOTHING`);
  }

  /** Active pages with drafts that use the file: those that the caller may read, and how many others there are. */
  async findUsers(caller: Principal, file_id: string): Promise<{ readonly data: readonly UsingNode[]; readonly hidden: number }> {
    const may = caller.permissions.has('site:view') || caller.permissions.has('content:view');
    const rows = await this.db.current().query<UsingNode & { readonly is_readable: boolean; readonly uses: number }>(sql`
      SELECT n.node_id, n.node_name, s.site_name, ${may ? aclAllows('s.site_acl', caller, 'view') : sql`false`} AS is_readable, count(*) OVER ()::integer AS uses
      FROM node_reference r JOIN node n ON n.tenant_id = r.tenant_id AND n.node_id = r.nref_node AND n.node_active
      JOIN site s ON s.tenant_id = n.tenant_id AND s.site_id = n.node_site AND s.site_active
      WHERE r.tenant_id = ${tenant()} AND r.nref_kind = 'file' AND r.nref_ref = ${file_id} ORDER BY is_readable DESC, n.node_id LIMIT ${MOST_NAMED}`);
    const data = rows.filter(({ is_readable }) => is_readable);
    return { data: data.map(({ is_readable: _, uses: __, ...row }) => row), hidden: (rows[0]?.uses ?? 0) - data.length };
  }

  /** The active pages of the site among the ids, with their templates and what is above them. */
  async findPages(site_id: string, ids: readonly string[]): Promise<ReadonlyMap<string, PageOfSite>> {
    const rows = await this.db
      .current()
      .query<PageOfSite>(
        sql`SELECT n.node_id, t.tpl_key, n.node_lineage FROM node n JOIN content_schema t ON t.tenant_id = n.tenant_id AND t.tpl_id = n.node_template WHERE n.tenant_id = ${tenant()} AND n.node_site = ${site_id} AND n.node_id = ANY(${[...ids]}::uuid[]) AND n.node_active AND n.node_kind = 'page'`,
      );
    return new Map(rows.map((row) => [row.node_id, row]));
  }
}

export interface PageOfSite extends Record<string, unknown> {
  readonly node_id: string;
  readonly tpl_key: string;
  readonly node_lineage: string;
}
