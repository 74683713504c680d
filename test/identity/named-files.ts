import type { RunningApi } from '@atrium/platform/testing';

interface StoredFacts {
  readonly type?: string;
  readonly kind?: string;
  readonly width?: number;
}

/** The record of a file of the media library, as the owner of the database writes it: for what only names a file. */
export async function storedFile(
  api: RunningApi,
  tenant_id: string,
  { type = 'image/png', kind = 'image', width }: StoredFacts,
): Promise<string> {
  const [row] = await api.sql<{ file_id: string }>(
    `WITH b AS (INSERT INTO file_blob (tenant_id, blob_id, blob_size, blob_type, blob_key) VALUES ($1, gen_random_uuid(), 1, $2, 'k') RETURNING blob_id)
     INSERT INTO file (tenant_id, file_id, file_repo, repo_type, file_name, file_type, file_kind, file_size, file_provider_id, file_bucket, file_folder, file_current_version, file_blob, file_metadata, file_processing)
     SELECT $1, gen_random_uuid(), '{"library": ["media"]}', 'media', 'stored', $2, $3, 1, gen_random_uuid(), 'b', 'f', gen_random_uuid(), blob_id, $4, 'ready' FROM b RETURNING file_id`,
    [tenant_id, type, kind, JSON.stringify(width === undefined ? {} : { system: { width } })],
  );
  return row!.file_id;
}
