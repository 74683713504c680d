import { Injectable } from '@nestjs/common';
import { SharedFiles } from '@atrium/files';
import { SharedAlbums } from '@atrium/media';
import {
  columnsOf,
  Database,
  empty,
  join,
  listPage,
  literalPattern,
  requireScope,
  ResourceRepository,
  sql,
  type ListParameters,
  type Page,
  type Sql,
} from '@atrium/platform/database';
import { Clock } from '@atrium/platform/kernel';
import { ShareLink, type ShareState } from '../domain/share-link';
import type { ShareOptions } from '../domain/share-options';

/** What a creator of links may do now, as statements need it; a creator who is missing may do nothing. */
export interface Creator {
  readonly user_id: string;
  readonly roles: readonly string[];
  readonly seen: readonly string[];
  readonly fetched: readonly string[];
  readonly shares: boolean;
  readonly uploads: boolean;
}

/** A link as its row and what surrounds it tell. */
export type ShareLinkRow = Omit<
  ShareLink,
  | 'tenant_id'
  | 'share_options'
  | 'share_token_hash'
  | 'share_password_hash'
  | 'share_password_rev'
  | 'share_revoked'
  | 'options'
  | 'isUpload'
  | 'isLocked'
> & {
  /** Of a link that is read by itself. */
  readonly row_version?: number;
  readonly share_options: Partial<ShareOptions>;
  readonly share_token_enc: string;
  readonly share_state: ShareState;
  readonly share_created_by_name: string | null;
  readonly share_file_count: number;
  readonly share_approved_count: number;
  readonly share_rejected_count: number;
};

export interface ShareLinkFilters extends ListParameters {
  readonly share_state?: ShareState;
  readonly share_created_by_name?: string;
}

/** A link as those see it who ask where a file is shared. */
export interface NamingLink extends Record<string, unknown> {
  readonly share_id: string;
  readonly share_name: string;
  readonly share_created_by: string;
}

/** A link of any workspace. */
export interface FoundLink extends Record<string, unknown> {
  readonly tenant_id: string;
  readonly share_id: string;
}

const MAKER_COLUMNS = sql`m (user_id uuid, roles uuid[], seen text[], fetched text[], shares boolean, uploads boolean)`;

/** Links as aggregates, as rows of lists with their state, and the counters that are taken exactly. */
@Injectable()
export class ShareLinksRepository extends ResourceRepository<ShareLink> {
  constructor(
    db: Database,
    private readonly files: SharedFiles,
    private readonly albums: SharedAlbums,
    private readonly clock: Clock,
  ) {
    super(db, ShareLink, 'share link');
  }

  listLinks(makers: readonly Creator[], query: ShareLinkFilters, where: Sql): Promise<Page<ShareLinkRow>> {
    const { share_state, share_created_by_name: name } = query;
    const conditions = [where];
    if (share_state !== undefined) conditions.push(sql`${this.state()} = ${share_state}`);
    if (name !== undefined)
      conditions.push(sql`r.share_created_by IN (SELECT users_search('name', ARRAY[${`%${literalPattern(name)}%`}], '{}'))`);
    return listPage<ShareLinkRow>(this.db.current(), ShareLink, query, {
      join: joined(makers),
      where: join(conditions, ' AND '),
      select: this.beside(),
    });
  }

  findLinkRow(makers: readonly Creator[], id: string, where: Sql = empty): Promise<ShareLinkRow | undefined> {
    return this.db
      .current()
      .first<ShareLinkRow>(
        sql`SELECT ${columnsOf(ShareLink)}, r.row_version, ${this.beside()} FROM share_link r ${joined(makers)} WHERE r.tenant_id = ${requireScope().tenant_id} AND r.share_id = ${id} ${where === empty ? empty : sql`AND ${where}`}`,
      );
  }

  /** By the hash of its token or of one that was replaced, in any workspace. */
  findByToken(hash: string): Promise<FoundLink | undefined> {
    return this.db.acrossTenants((tx) => tx.first<FoundLink>(sql`SELECT tenant_id, share_id FROM share_by_token(${hash})`));
  }

  /** A link that may be a kiosk, in any workspace. */
  findByKiosk(id: string): Promise<FoundLink | undefined> {
    return this.db.acrossTenants((tx) => tx.first<FoundLink>(sql`SELECT tenant_id, share_id FROM share_by_kiosk(${id}::uuid)`));
  }

  /** Ids of the links `l` that a condition lets through. */
  async filterLinks(where: Sql): Promise<ReadonlySet<string>> {
    const rows = await this.db.current().query<{ share_id: string }>(sql`
      SELECT l.share_id FROM share_link l WHERE ${where}`);
    return new Set(rows.map(({ share_id }) => share_id));
  }

  /** Ids of links that meet all conditions and are not revoked. */
  async findUnrevoked(conditions: readonly Sql[], most: number): Promise<string[]> {
    const rows = await this.db
      .current()
      .query<{ share_id: string }>(
        sql`SELECT share_id FROM share_link WHERE tenant_id = ${requireScope().tenant_id} AND share_revoked IS NULL AND ${join([...conditions], ' AND ')} ORDER BY share_id LIMIT ${most}`,
      );
    return rows.map(({ share_id }) => share_id);
  }

  /** Links that name a file and are not revoked, newest first. */
  findNaming(file_id: string): Promise<NamingLink[]> {
    return this.db.current().query<NamingLink>(sql`
      SELECT l.share_id, l.share_name, l.share_created_by FROM share_links_naming(${file_id}::text) n (id) JOIN share_link l ON l.tenant_id = ${requireScope().tenant_id} AND l.share_id = n.id
      WHERE l.share_revoked IS NULL ORDER BY l.share_created DESC, l.share_id`);
  }

  /** Whose links can still be live. */
  async findCreators(): Promise<string[]> {
    const rows = await this.db
      .current()
      .query<{ user_id: string }>(
        sql`SELECT DISTINCT share_created_by AS user_id FROM share_link WHERE tenant_id = ${requireScope().tenant_id} AND share_revoked IS NULL`,
      );
    return rows.map(({ user_id }) => user_id);
  }

  /** How many links are neither revoked nor over, counted as far as it matters; until the unit of work ends nobody adds one. */
  async countActive(most: number): Promise<number> {
    const { tenant_id } = requireScope();
    await this.db.current().query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`share-links:${tenant_id}`}, 0))`);
    const row = await this.db
      .current()
      .first<{ count: number }>(
        sql`SELECT count(*) FROM (SELECT 1 FROM share_link WHERE tenant_id = ${tenant_id} AND share_revoked IS NULL AND (share_expires_at IS NULL OR share_expires_at > ${this.clock.now()}) LIMIT ${most}) standing`,
      );
    return row?.count ?? 0;
  }

  /** The token is replaced; holders of the old one learn that it is no longer valid. */
  async retireToken(link: ShareLink): Promise<void> {
    await this.db
      .current()
      .execute(
        sql`INSERT INTO share_token (tenant_id, st_hash, st_share) VALUES (${requireScope().tenant_id}, ${link.share_token_hash}, ${link.share_id})`,
      );
  }

  /** Counts a view of a visitor who was not counted in the last half hour; `full` when there is no view left to take. */
  async countView(share_id: string, visitor: string, since: Date): Promise<'counted' | 'known' | 'full'> {
    const { tenant_id } = requireScope();
    const now = this.clock.now();
    const tx = this.db.current();
    const fresh = await tx.execute(sql`
      INSERT INTO share_visit AS v (tenant_id, vi_share, vi_visitor, vi_counted) VALUES (${tenant_id}, ${share_id}, ${visitor}, ${now})
      ON CONFLICT (tenant_id, vi_share, vi_visitor) DO UPDATE SET vi_counted = excluded.vi_counted WHERE v.vi_counted <= ${since}`);
    if (fresh === 0) return 'known';
    const counted = await tx.execute(sql`
      UPDATE share_link SET share_view_count = share_view_count + 1, share_last_view_at = ${now} WHERE tenant_id = ${tenant_id} AND share_id = ${share_id} AND (share_max_views IS NULL OR share_view_count < share_max_views)`);
    return counted === 1 ? 'counted' : 'full';
  }

  /** Whether a visitor was counted as a view in the last half hour. */
  async isVisiting(share_id: string, visitor: string, since: Date): Promise<boolean> {
    return (
      (
        await this.db
          .current()
          .query(
            sql`SELECT 1 FROM share_visit WHERE tenant_id = ${requireScope().tenant_id} AND vi_share = ${share_id} AND vi_visitor = ${visitor} AND vi_counted > ${since}`,
          )
      ).length > 0
    );
  }

  /** Deletes visits that were last counted before a moment. */
  async deleteVisits(before: Date): Promise<void> {
    await this.db.current().execute(sql`DELETE FROM share_visit WHERE tenant_id = ${requireScope().tenant_id} AND vi_counted < ${before}`);
  }

  /** Takes one download; how many there are with it, or null when none is left. */
  async consumeDownload(share_id: string): Promise<number | null> {
    const row = await this.db.current().first<{ taken: number }>(sql`
      UPDATE share_link SET share_download_count = share_download_count + 1
      WHERE tenant_id = ${requireScope().tenant_id} AND share_id = ${share_id} AND (share_max_downloads IS NULL OR share_download_count < share_max_downloads) RETURNING share_download_count AS taken`);
    return row?.taken ?? null;
  }

  /** How many files were sent by the link or are on their way. */
  async countUploads(share_id: string): Promise<number> {
    const row = await this.db
      .current()
      .first<{ taken: number }>(
        sql`SELECT share_upload_count + share_upload_open AS taken FROM share_link WHERE tenant_id = ${requireScope().tenant_id} AND share_id = ${share_id}`,
      );
    return row?.taken ?? 0;
  }

  /** Takes a place for a file on its way; false when all are taken. */
  async reserveUploadSlot(share_id: string): Promise<boolean> {
    const taken = await this.db.current().execute(sql`
      UPDATE share_link SET share_upload_open = share_upload_open + 1
      WHERE tenant_id = ${requireScope().tenant_id} AND share_id = ${share_id} AND (share_max_files IS NULL OR share_upload_count + share_upload_open < share_max_files)`);
    return taken === 1;
  }

  /** The file is there, or will never be: its place is filled, or free again. */
  async settleUploadSlot(share_id: string, arrived: boolean): Promise<void> {
    const filled = arrived ? sql`, share_upload_count = share_upload_count + 1, share_last_upload_at = ${this.clock.now()}` : empty;
    await this.db
      .current()
      .execute(
        sql`UPDATE share_link SET share_upload_open = greatest(0, share_upload_open - 1)${filled} WHERE tenant_id = ${requireScope().tenant_id} AND share_id = ${share_id}`,
      );
  }

  /** A file that was sent counts no more: what it is was not allowed. */
  async releaseUploadSlot(share_id: string): Promise<void> {
    await this.db
      .current()
      .execute(
        sql`UPDATE share_link SET share_upload_count = greatest(0, share_upload_count - 1) WHERE tenant_id = ${requireScope().tenant_id} AND share_id = ${share_id}`,
      );
  }

  private beside(): Sql {
    return sql`r.share_options, r.share_token_enc, ${this.state()} AS share_state,
      (SELECT u.user_name FROM workspace_user u WHERE u.tenant_id = r.tenant_id AND u.user_id = r.share_created_by) AS share_created_by_name,
      CASE r.share_type WHEN 'files' THEN cardinality(r.share_file_ids) WHEN 'album' THEN coalesce(${this.albums.countExpression(sql`r.share_album_id`)}, 0) ELSE r.share_upload_count END AS share_file_count,
      (SELECT count(*) FROM share_verdict v WHERE v.tenant_id = r.tenant_id AND v.sv_share = r.share_id AND v.sv_verdict = 'approved') AS share_approved_count,
      (SELECT count(*) FROM share_verdict v WHERE v.tenant_id = r.tenant_id AND v.sv_share = r.share_id AND v.sv_verdict = 'rejected') AS share_rejected_count`;
  }

  /** The state of a row `r` beside its maker `m`. */
  private state(): Sql {
    return sql`CASE
      WHEN r.share_revoked IS NOT NULL THEN 'revoked'
      WHEN r.share_expires_at <= ${this.clock.now()}::timestamptz THEN 'expired'
      WHEN r.share_view_count >= r.share_max_views OR r.share_download_count >= r.share_max_downloads THEN 'exhausted'
      WHEN NOT coalesce(m.shares, false) THEN 'broken'
      WHEN r.share_type = 'upload' AND NOT m.uploads THEN 'broken'
      WHEN r.share_type = 'files' AND NOT ${this.files.anySharedCondition(sql`r.share_file_ids`, sql`m.fetched`)} THEN 'broken'
      WHEN r.share_type = 'album' AND NOT ('media' = ANY(m.seen) AND ${this.albums.readableCondition(sql`r.share_album_id`, sql`m.user_id`, sql`m.roles`)}) THEN 'broken'
      ELSE 'live' END`;
  }
}

const joined = (makers: readonly Creator[]): Sql =>
  sql`LEFT JOIN jsonb_to_recordset(${JSON.stringify(makers)}::jsonb) AS ${MAKER_COLUMNS} ON m.user_id = r.share_created_by`;
