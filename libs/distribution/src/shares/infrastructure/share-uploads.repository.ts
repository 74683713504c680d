import { Injectable } from '@nestjs/common';
import { Database, listPage, requireScope, sql, type ListParameters, type Page } from '@atrium/platform/database';
import { ShareUpload } from '../domain/share-upload';

export type ShareUploadRow = Omit<ShareUpload, 'tenant_id' | 'row_version' | 'su_share' | 'su_visit' | 'su_file_hash'>;

/** Files that visitors send, by link and visit. */
@Injectable()
export class ShareUploadsRepository {
  constructor(private readonly db: Database) {}

  listUploads(share_id: string, query: ListParameters): Promise<Page<ShareUploadRow>> {
    return listPage<ShareUploadRow>(this.db.current(), ShareUpload, query, { where: sql`r.su_share = ${share_id}` });
  }

  async insertUpload(
    row: Pick<
      ShareUpload,
      | 'su_id'
      | 'su_share'
      | 'su_visit'
      | 'su_file_name'
      | 'su_file_size'
      | 'su_file_hash'
      | 'su_albums'
      | 'su_name'
      | 'su_email'
      | 'su_created'
    >,
  ): Promise<void> {
    await this.db.current().execute(sql`
      INSERT INTO share_upload (tenant_id, su_id, su_share, su_visit, su_file_name, su_file_size, su_file_hash, su_albums, su_name, su_email, su_created)
      VALUES (${requireScope().tenant_id}, ${row.su_id}, ${row.su_share}, ${row.su_visit}, ${row.su_file_name}, ${row.su_file_size}, ${row.su_file_hash}, ${[...row.su_albums]}::uuid[], ${row.su_name}, ${row.su_email}, ${row.su_created})`);
  }

  /** The upload, if it belongs to this link and visit. */
  async findUpload(
    id: string,
    share_id: string,
    visit: string,
  ): Promise<Pick<ShareUpload, 'su_id' | 'su_state' | 'su_file_name' | 'su_name' | 'su_email'> | undefined> {
    return this.db
      .current()
      .first(
        sql`SELECT su_id, su_state, su_file_name, su_name, su_email FROM share_upload WHERE tenant_id = ${requireScope().tenant_id} AND su_id = ${id} AND su_share = ${share_id} AND su_visit = ${visit}`,
      );
  }

  /** Uploads of a visit that are on their way. */
  async openOf(share_id: string, visit: string): Promise<string[]> {
    const rows = await this.db
      .current()
      .query<{ su_id: string }>(
        sql`SELECT su_id FROM share_upload WHERE tenant_id = ${requireScope().tenant_id} AND su_share = ${share_id} AND su_visit = ${visit} AND su_state = 'open'`,
      );
    return rows.map(({ su_id }) => su_id);
  }

  async countOpen(share_id: string): Promise<number> {
    const row = await this.db
      .current()
      .first<{ count: number }>(
        sql`SELECT count(*) FROM share_upload WHERE tenant_id = ${requireScope().tenant_id} AND su_share = ${share_id} AND su_state = 'open'`,
      );
    return row?.count ?? 0;
  }

  /** Which of these bytes came by the link and are still there. */
  async findKnownHashes(share_id: string, hashes: readonly string[]): Promise<Set<string>> {
    const rows = await this.db.current().query<{ hash: string }>(sql`
      SELECT DISTINCT u.su_file_hash AS hash FROM share_upload u JOIN file f ON f.tenant_id = u.tenant_id AND f.file_id = u.su_file
      WHERE u.tenant_id = ${requireScope().tenant_id} AND u.su_share = ${share_id} AND u.su_state = 'finalized' AND u.su_review <> 'rejected' AND u.su_file_hash = ANY(${[...hashes]}::text[])
        AND f.file_deleted IS NULL AND f.file_processing <> 'quarantined'`);
    return new Set(rows.map(({ hash }) => hash));
  }

  /** Ends one on its way, once; false when it had ended. `file` is what it became. */
  async endUpload(id: string, file: { readonly file_id: string; readonly at: Date; readonly moderated: boolean } | null): Promise<boolean> {
    const become = file
      ? sql`su_state = 'finalized', su_file = ${file.file_id}::uuid, su_finalized = ${file.at}, su_review = ${file.moderated ? 'pending' : 'none'}`
      : sql`su_state = 'ended'`;
    return (
      (await this.db
        .current()
        .execute(
          sql`UPDATE share_upload SET ${become} WHERE tenant_id = ${requireScope().tenant_id} AND su_id = ${id} AND su_state = 'open'`,
        )) === 1
    );
  }

  /** Decides about files of a link that wait; answers those that did. */
  reviewUploads(
    share_id: string,
    file_ids: readonly string[],
    verdict: 'accepted' | 'rejected',
  ): Promise<{ su_id: string; su_file: string; su_albums: string[] }[]> {
    return this.db.current().query(sql`
      UPDATE share_upload SET su_review = ${verdict} WHERE tenant_id = ${requireScope().tenant_id} AND su_share = ${share_id} AND su_review = 'pending' AND su_state = 'finalized' AND su_file = ANY(${[...file_ids]}::uuid[])
      RETURNING su_id, su_file, su_albums`);
  }

  /** By which link a file came, and under which name. */
  async findUploadOfFile(file_id: string): Promise<Pick<ShareUpload, 'su_share' | 'su_file_name'> | undefined> {
    return this.db
      .current()
      .first(
        sql`SELECT su_share, su_file_name FROM share_upload WHERE tenant_id = ${requireScope().tenant_id} AND su_file = ${file_id} AND su_state = 'finalized'`,
      );
  }

  /** A file that was not what it had to be. */
  async refuseUpload(file_id: string): Promise<{ su_id: string; su_share: string } | undefined> {
    return this.db.current().first(sql`
      UPDATE share_upload SET su_review = 'rejected' WHERE tenant_id = ${requireScope().tenant_id} AND su_file = ${file_id} AND su_state = 'finalized' AND su_review IN ('none', 'pending') RETURNING su_id, su_share`);
  }

  /** One that has come, for a mail. */
  async summarizeUpload(share_id: string, id: string): Promise<{ count: number; names: string[] }> {
    const row = await this.db
      .current()
      .first<{ su_name: string | null }>(
        sql`SELECT su_name FROM share_upload WHERE tenant_id = ${requireScope().tenant_id} AND su_share = ${share_id} AND su_id = ${id}::uuid AND su_state = 'finalized'`,
      );
    return row ? { count: 1, names: row.su_name ? [row.su_name] : [] } : { count: 0, names: [] };
  }

  /** What has come within a time, for a mail. */
  async summarizeBetween(
    share_id: string,
    { from, to }: { readonly from: Date; readonly to: Date },
  ): Promise<{ count: number; names: string[] }> {
    const row = await this.db.current().first<{ count: number; names: string[] }>(sql`
      SELECT count(*) AS count, coalesce((array_agg(DISTINCT su_name) FILTER (WHERE su_name IS NOT NULL))[1:5], '{}') AS names
      FROM share_upload WHERE tenant_id = ${requireScope().tenant_id} AND su_share = ${share_id} AND su_state = 'finalized' AND su_finalized >= ${from} AND su_finalized < ${to}`);
    return row ?? { count: 0, names: [] };
  }
}
