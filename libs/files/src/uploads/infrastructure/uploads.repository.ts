import { Injectable } from '@nestjs/common';
import { columnsOf, Database, requireScope, ResourceRepository, sql, type Precondition, type Sql } from '@atrium/platform/database';
import { notFound } from '@atrium/platform/kernel';
import { repoKey, type Repository } from '../../core/domain/repositories';
import { Upload } from '../domain/upload';

/** An upload as answers show it. */
export type UploadRow = Omit<
  Upload,
  'upl_key' | 'upl_source' | 'upl_multipart_id' | 'upl_staged' | 'upl_claimed' | 'upl_note' | 'tenant_id' | 'row_version'
>;

/** Who may go on with an upload: the member who opened it, or the context that vouches for the guests of a source. */
export interface Opener {
  readonly user_id: string | null;
  readonly source: Upload['upl_source'];
}

const isOpener = ({ upl_created_by, upl_source }: Upload, { user_id, source }: Opener): boolean =>
  upl_created_by === user_id && upl_source?.kind === source?.kind && upl_source?.ref === source?.ref;

/** Bytes that a repository may hold already. */
export interface KnownBytes {
  readonly hash: string;
  readonly size: number;
}

/** Uploads as aggregates, and what an upload asks about the files that are there. */
@Injectable()
export class UploadsRepository extends ResourceRepository<Upload> {
  constructor(db: Database) {
    super(db, Upload, 'upload');
  }

  /** The caller's own upload, locked. */
  lockOwn(id: string, opener: Opener, precondition?: Precondition): Promise<Upload> {
    return this.lock(id, precondition, (upload) => {
      if (!isOpener(upload, opener)) throw notFound('upload');
    });
  }

  /** The caller's own upload, for looking. */
  async findOwn(id: string, opener: Opener): Promise<Upload> {
    const upload = await this.findRow(id);
    if (!upload || !isOpener(upload, opener)) throw notFound('upload');
    return upload;
  }

  async readUploadRow(id: string): Promise<UploadRow> {
    const row = await this.db
      .current()
      .first<UploadRow>(
        sql`SELECT ${columnsOf(Upload)} FROM upload r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.upl_id = ${id}`,
      );
    if (!row) throw notFound('upload');
    return row;
  }

  /** How many uploads of a person are open. In a writing unit of work nobody else counts or opens theirs in the meantime. */
  async countOpen(user_id: string): Promise<number> {
    const { tenant_id } = requireScope();
    const tx = this.db.current();
    if (tx.mode === 'write') await tx.query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`uploads:${tenant_id}:${user_id}`}, 0))`);
    const row = await tx.first<{ count: number }>(
      sql`SELECT count(*) FROM upload WHERE tenant_id = ${tenant_id} AND upl_created_by = ${user_id} AND upl_state IN ('open', 'completing')`,
    );
    return row?.count ?? 0;
  }

  /** Live files of a repository that hold one of these bytes, the oldest first; `readable` is a condition on `r`. */
  findHolders(
    repository: Repository,
    bytes: readonly KnownBytes[],
    readable: Sql,
  ): Promise<{ file_id: string; file_hash: string; file_size: number }[]> {
    return this.db.current().query(sql`
      SELECT r.file_id, r.file_hash, r.file_size FROM file r
      WHERE r.tenant_id = ${requireScope().tenant_id} AND r.repo_key = ${repoKey(repository)} AND r.file_deleted IS NULL AND r.file_processing <> 'quarantined' AND ${readable}
        AND r.file_hash = ANY(${bytes.map(({ hash }) => hash)}::text[]) AND r.file_size = ANY(${bytes.map(({ size }) => size)}::bigint[])
      ORDER BY r.file_created, r.file_id`);
  }

  /** The live file of a repository with exactly this name; of several the one changed last. Names are decided one at a time; `readable` is a condition on `r`. */
  async lockByName(repository: Repository, name: string, readable: Sql): Promise<string | null> {
    const { tenant_id } = requireScope();
    await this.db
      .current()
      .query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`name:${tenant_id}:${repoKey(repository)}:${name}`}, 0))`);
    const row = await this.db.current().first<{ file_id: string }>(sql`
      SELECT r.file_id FROM file r
      WHERE r.tenant_id = ${tenant_id} AND r.repo_key = ${repoKey(repository)} AND r.file_deleted IS NULL AND ${readable}
        AND r.file_name_key = lower(left(${name}, 64)) AND r.file_name = ${name}
      ORDER BY r.file_updated DESC, r.file_id LIMIT 1 FOR UPDATE`);
    return row?.file_id ?? null;
  }
}
