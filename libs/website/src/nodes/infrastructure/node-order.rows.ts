import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql, type Sql } from '@atrium/platform/database';
import { underParent, type InSite } from './nodes.repository';

/** The ranks on both sides of a place; null where there is no neighbour. */
export interface RankGap extends Record<string, unknown> {
  readonly low: string | null;
  readonly high: string | null;
}

/** Ranks of nodes with the same parent. */
@Injectable()
export class NodeOrderRows {
  constructor(private readonly db: Database) {}

  async readLast(place: InSite): Promise<string | null> {
    const row = await this.db
      .current()
      .first<{ last: string | null }>(sql`SELECT max(r.node_order) AS last FROM node r WHERE ${activeAt(place)}`);
    return row?.last ?? null;
  }

  findGap(place: InSite, beside: string, side: 'before' | 'after'): Promise<RankGap | undefined> {
    const neighbour =
      side === 'before'
        ? sql`(SELECT max(r.node_order) FROM node r WHERE ${activeAt(place)} AND r.node_order < b.node_order) AS low, b.node_order AS high`
        : sql`b.node_order AS low, (SELECT min(r.node_order) FROM node r WHERE ${activeAt(place)} AND r.node_order > b.node_order) AS high`;
    return this.db
      .current()
      .first<RankGap>(sql`SELECT ${neighbour} FROM (SELECT r.node_order FROM node r WHERE ${activeAt(place)} AND r.node_id = ${beside}) b`);
  }

  async listOrdered(place: InSite): Promise<readonly string[]> {
    const rows = await this.db
      .current()
      .query<{ node_id: string }>(sql`SELECT r.node_id FROM node r WHERE ${activeAt(place)} ORDER BY r.node_order, r.node_id`);
    return rows.map(({ node_id }) => node_id);
  }

  async writeRanks(node_ids: readonly string[], ranks: readonly string[]): Promise<void> {
    await this.db.current().execute(sql`
      UPDATE node r SET node_order = w.rank FROM unnest(${[...node_ids]}::uuid[], ${[...ranks]}::text[]) AS w (id, rank)
      WHERE r.tenant_id = ${requireScope().tenant_id} AND r.node_id = w.id`);
  }
}

const activeAt = ({ site_id, parent }: InSite): Sql =>
  sql`r.tenant_id = ${requireScope().tenant_id} AND r.node_site = ${site_id} AND ${underParent(parent)} AND r.node_active`;
