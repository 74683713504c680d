import { Injectable } from '@nestjs/common';
import { Database, empty, requireScope, sql } from '@atrium/platform/database';
import { ObjectStore } from '@atrium/platform/storage';
import type { Rendition } from '../../blobs/domain/renditions';
import type { RepoType } from '../domain/repositories';

const PREVIEW_SECONDS = 15 * 60;

/** A placeholder for a picture that is not opened. */
export interface FilePreview {
  /** Signed address of the small rendition; good for 15 minutes. */
  readonly url: string;
  readonly width: number;
  readonly height: number;
  readonly thumbhash: string | null;
}

export interface FileSummary {
  readonly file_id: string;
  readonly file_name: string;
  readonly file_type: string;
  readonly file_size: number;
  readonly file_created: Date;
  readonly preview: FilePreview | null;
}

type SummaryRow = Omit<FileSummary, 'preview'> & { readonly small: Rendition | null; readonly thumbhash: string | null };

/**
 * Files as other contexts show and check them. Trash is never seen through it; rights are the asking context's own
 * (it shows what its rows name). One statement answers however many ids.
 */
@Injectable()
export class FileSummaries {
  constructor(
    private readonly db: Database,
    private readonly store: ObjectStore,
  ) {}

  /** Name, type, size and preview of the live files among the ids. */
  async findSummaries(ids: Iterable<string>): Promise<Map<string, FileSummary>> {
    const wanted = [...new Set(ids)];
    if (wanted.length === 0) return new Map();
    const rows = await this.db.read((tx) =>
      tx.query<SummaryRow>(sql`
        SELECT f.file_id, f.file_name, f.file_type, f.file_size, f.file_created, f.file_metadata #>> '{system,thumbhash}' AS thumbhash,
               CASE WHEN f.file_processing <> 'quarantined' THEN b.blob_replicas -> 'small' END AS small
        FROM file f JOIN file_blob b ON b.tenant_id = f.tenant_id AND b.blob_id = f.file_blob
        WHERE f.tenant_id = ${requireScope().tenant_id} AND f.file_id = ANY(${wanted}::uuid[]) AND f.file_deleted IS NULL`),
    );
    const summaries = await Promise.all(
      rows.map(async ({ small, thumbhash, ...file }) => ({ ...file, preview: small && (await this.preview(small, thumbhash)) })),
    );
    return new Map(summaries.map((summary) => [summary.file_id, summary]));
  }

  /** Which of the ids are live files of the library. With `lock`, they stay so until the unit of work ends. */
  async filterLibraryFiles(
    ids: Iterable<string>,
    type: RepoType,
    { lock = false }: { readonly lock?: boolean } = {},
  ): Promise<Set<string>> {
    const wanted = [...new Set(ids)];
    if (wanted.length === 0) return new Set();
    const rows = await this.db.read((tx) =>
      tx.query<{ file_id: string }>(sql`
        SELECT r.file_id FROM file r
        WHERE r.tenant_id = ${requireScope().tenant_id} AND r.file_id = ANY(${wanted}::uuid[]) AND r.repo_type = ${type} AND r.file_deleted IS NULL
        ORDER BY r.file_id${lock ? sql` FOR KEY SHARE` : empty}`),
    );
    return new Set(rows.map((row) => row.file_id));
  }

  /** How many versions a file has; within a unit of work. */
  async countVersions(file_id: string): Promise<number> {
    const row = await this.db
      .current()
      .first<{ count: number }>(
        sql`SELECT count(*) FROM file_version WHERE tenant_id = ${requireScope().tenant_id} AND fv_file = ${file_id}`,
      );
    return row?.count ?? 0;
  }

  private async preview({ key, w, h, type }: Rendition, thumbhash: string | null): Promise<FilePreview> {
    const url = await this.store.signGet({ key, expiresInSeconds: PREVIEW_SECONDS, contentType: type, disposition: 'inline' });
    return { url, width: w, height: h, thumbhash };
  }
}
