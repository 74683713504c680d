import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql, type Sql } from '@atrium/platform/database';
import type { Snapshot } from '../domain/live-page';

/** Bytes of documents that one statement carries. */
const MOST_AT_ONCE = 32 * 1024 * 1024;

/** A file as a snapshot shows it. */
export interface FrozenReference {
  readonly snap_id: string;
  readonly file_id: string;
  readonly hash: string;
}

/** A live page that shows a file. */
export interface FileUse {
  readonly node_id: string;
  readonly locale: string;
  readonly name: string;
  readonly readable: boolean;
}

/** Contents that were frozen, and what they refer to. Nothing but an erasure ever changes them. */
@Injectable()
export class SnapshotsRows {
  constructor(private readonly db: Database) {}

  async insertSnapshots(site_id: string, snapshots: readonly Snapshot[], now: Date): Promise<void> {
    const { tenant_id } = requireScope();
    for (const texts of inPieces(snapshots.map(({ references: _, ...snapshot }) => JSON.stringify(snapshot)))) {
      await this.db.current().execute(sql`
        INSERT INTO page_snapshot (tenant_id, snap_id, snap_site, snap_node, snap_locale, snap_template, snap_hash, snap_doc, snap_created)
        SELECT ${tenant_id}, x.snap_id, ${site_id}, x.node_id, x.locale, x.template, x.hash, x.doc, ${now}
        FROM jsonb_to_recordset(${`[${texts.join(',')}]`}::jsonb) AS x (snap_id uuid, node_id uuid, locale text, template uuid, hash text, doc jsonb)`);
    }
    const references = snapshots.flatMap(({ snap_id, references }) => references.map((reference) => ({ snap_id, ...reference })));
    if (references.length === 0) return;
    await this.db.current().execute(sql`
      INSERT INTO page_snapshot_ref (tenant_id, snref_snapshot, snref_kind, snref_ref, snref_hash)
      SELECT ${tenant_id}, x.snap_id, x.kind, x.ref, x.hash FROM jsonb_to_recordset(${JSON.stringify(references)}::jsonb) AS x (snap_id uuid, kind text, ref uuid, hash text)
      ON CONFLICT DO NOTHING`);
  }

  /** The files that these snapshots show, as they were frozen. */
  findFrozenFiles(snap_ids: readonly string[]): Promise<readonly FrozenReference[]> {
    return this.db
      .current()
      .query<FrozenReference & Record<string, unknown>>(
        sql`SELECT snref_snapshot AS snap_id, snref_ref AS file_id, snref_hash AS hash FROM page_snapshot_ref WHERE tenant_id = ${requireScope().tenant_id} AND snref_snapshot = ANY(${[...snap_ids]}::uuid[]) AND snref_kind = 'file'`,
      );
  }

  /** Live pages that show a file, and whether their sites may be read (`readable`, over `s`). */
  findFileUses(file_id: string, { readable, most }: { readonly readable: Sql; readonly most: number }): Promise<readonly FileUse[]> {
    const { tenant_id } = requireScope();
    return this.db.current().query<FileUse & Record<string, unknown>>(sql`
      SELECT p.np_node AS node_id, p.np_locale AS locale, p.np_name AS name, (${readable}) AS readable
      FROM page_snapshot_ref r JOIN page_publication p ON p.tenant_id = r.tenant_id AND p.np_snapshot = r.snref_snapshot AND p.np_to_seq IS NULL
        JOIN site s ON s.tenant_id = p.tenant_id AND s.site_id = p.np_site
      WHERE r.tenant_id = ${tenant_id} AND r.snref_kind = 'file' AND r.snref_ref = ${file_id} ORDER BY readable DESC, p.np_node, p.np_locale LIMIT ${most}`);
  }

  /** Removes those of the snapshots that no publication names any more, live or closed. */
  async deleteUnused(snap_ids: readonly string[]): Promise<void> {
    if (snap_ids.length === 0) return;
    const { tenant_id } = requireScope();
    await this.db.current().execute(sql`
      DELETE FROM page_snapshot s WHERE s.tenant_id = ${tenant_id} AND s.snap_id = ANY(${[...snap_ids]}::uuid[])
        AND NOT EXISTS (SELECT FROM page_publication p WHERE p.tenant_id = s.tenant_id AND p.np_snapshot = s.snap_id)`);
  }

  /** The sites of these snapshots. */
  async findSites(snap_ids: readonly string[]): Promise<readonly string[]> {
    const rows = await this.db
      .current()
      .query<{ site_id: string }>(
        sql`SELECT DISTINCT snap_site AS site_id FROM page_snapshot WHERE tenant_id = ${requireScope().tenant_id} AND snap_id = ANY(${[...snap_ids]}::uuid[])`,
      );
    return rows.map(({ site_id }) => site_id);
  }

  /** The snapshots among these that nothing live shows any more. */
  async findUnshown(snap_ids: readonly string[]): Promise<readonly string[]> {
    const { tenant_id } = requireScope();
    const rows = await this.db.current().query<{ snap_id: string }>(sql`
      SELECT x.id AS snap_id FROM unnest(${[...snap_ids]}::uuid[]) AS x (id)
      WHERE NOT EXISTS (SELECT FROM page_publication p WHERE p.tenant_id = ${tenant_id} AND p.np_snapshot = x.id AND p.np_to_seq IS NULL)`);
    return rows.map(({ snap_id }) => snap_id);
  }
}

/** Texts in groups that a statement can carry. */
function inPieces(texts: readonly string[]): string[][] {
  const pieces: string[][] = [];
  let room = 0;
  for (const text of texts) {
    if (pieces.length === 0 || text.length > room) {
      pieces.push([]);
      room = MOST_AT_ONCE;
    }
    pieces.at(-1)?.push(text);
    room -= text.length;
  }
  return pieces;
}
