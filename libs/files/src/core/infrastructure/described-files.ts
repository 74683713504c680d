import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';
import { closestRendition, isShownAsItIs, type Renditions } from '../../blobs/domain/renditions';
import type { RepoType } from '../domain/repositories';

/** A live file as far as others look into it or describe it. */
export interface DescribedFile {
  readonly file_id: string;
  readonly file_version: number;
  readonly file_name: string;
  readonly file_summary: string | null;
  readonly file_kind: string;
  readonly file_metadata: JsonObject;
  readonly file_status: string;
  readonly repo_type: RepoType;
  /** The file can be used: it is neither waiting for its bytes to be read nor in quarantine. */
  readonly is_ready: boolean;
  /** Where a picture of it is stored that is small enough for inspection, the large rendition if there is one; null without any. */
  readonly picture: { readonly key: string; readonly type: string } | null;
  /** Names of its tags and words of its analyses, as the search knows them. */
  readonly words: { readonly tags: string; readonly analysis: string };
}

type Row = Omit<DescribedFile, 'picture' | 'words' | 'is_ready'> & {
  readonly file_processing: string;
  readonly file_type: string;
  readonly file_size: number;
  readonly blob_key: string;
  readonly blob_replicas: Renditions;
  readonly tags: string | null;
  readonly analysis: string | null;
};

/** An original that replaces its large rendition is at most so large. */
const SMALL_ORIGINAL = 4 * 1024 * 1024;

/** Files for contexts that find out what is in them; rights are theirs to decide. Trash is never seen through it; one statement however many ids. */
@Injectable()
export class DescribedFiles {
  constructor(private readonly db: Database) {}

  /** Without a type those of whatever repository. */
  async describeFiles(ids: readonly string[], type: RepoType | null = null): Promise<Map<string, DescribedFile>> {
    const rows = await this.db.read((tx) =>
      tx.query<Row>(sql`
        SELECT f.file_id, f.file_version, f.file_name, f.file_summary, f.file_kind, f.file_metadata, f.file_status, f.repo_type, f.file_processing, f.file_type, f.file_size, b.blob_key, b.blob_replicas,
               t.fst_tags AS tags, t.fst_analysis AS analysis
        FROM file f JOIN file_blob b ON b.tenant_id = f.tenant_id AND b.blob_id = f.file_blob LEFT JOIN file_search_text t ON t.tenant_id = f.tenant_id AND t.file_id = f.file_id
        WHERE f.tenant_id = ${requireScope().tenant_id} AND f.file_id = ANY(${[...ids]}::uuid[]) AND (${type}::text IS NULL OR f.repo_type = ${type}) AND f.file_deleted IS NULL`),
    );
    return new Map(
      rows.map(({ file_processing, blob_key, blob_replicas, file_type, file_size, tags, analysis, ...file }) => {
        const is_ready = file_processing === 'ready';
        const picture = is_ready ? pictureOf({ blob_key, blob_replicas, file_type, file_size }) : null;
        return [file.file_id, { ...file, is_ready, picture, words: { tags: tags ?? '', analysis: analysis ?? '' } }];
      }),
    );
  }

  /** Those among the ids that are live files of another repository, or none at all. */
  async findElsewhere(ids: readonly string[], type: RepoType): Promise<string[]> {
    const rows = await this.db.read((tx) =>
      tx.query<{ file_id: string }>(sql`
        SELECT f.file_id FROM file f WHERE f.tenant_id = ${requireScope().tenant_id} AND f.file_id = ANY(${[...ids]}::uuid[]) AND (f.repo_type = ${type} OR f.file_deleted IS NOT NULL)`),
    );
    const here = new Set(rows.map(({ file_id }) => file_id));
    return ids.filter((id) => !here.has(id));
  }
}

/** Sizes are made of pictures larger than they: a small picture may be there as the original alone. */
function pictureOf({
  blob_key,
  blob_replicas,
  file_type,
  file_size,
}: Pick<Row, 'blob_key' | 'blob_replicas' | 'file_type' | 'file_size'>): DescribedFile['picture'] {
  const found =
    closestRendition(blob_replicas, 'large') ?? closestRendition(blob_replicas, 'medium') ?? closestRendition(blob_replicas, 'small');
  if (found?.name === 'large') return { key: found.rendition.key, type: found.rendition.type };
  if (isShownAsItIs(file_type) && file_size <= SMALL_ORIGINAL) return { key: blob_key, type: file_type };
  return found && { key: found.rendition.key, type: found.rendition.type };
}
