import { createHash, randomUUID } from 'node:crypto';
import { newId } from '@atrium/platform/kernel';
import { ObjectStore } from '@atrium/platform/storage';
import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';

/** A file as a test wants it; what is left out is a small text in the media library. */
export interface StoredFileSpec {
  readonly name?: string;
  readonly type?: string;
  readonly kind?: string;
  readonly bytes?: Buffer;
  readonly repo?: 'media' | 'docs' | 'generated';
  readonly metadata?: object;
  readonly processing?: 'pending' | 'ready' | 'failed' | 'quarantined';
  readonly updated?: Date;
  readonly created?: Date;
  readonly renditions?: Readonly<Partial<Record<'small' | 'medium' | 'large', Buffer>>>;
  /** The blob knows its bytes, as after they were read; equal ones may be stored so once a workspace. */
  readonly read?: boolean;
  /** Bytes that storage does not hold although the record says so. */
  readonly lost?: boolean;
  /** What the record says of the size, when it is not the truth. */
  readonly claimedSize?: number;
}

export interface StoredFile {
  readonly file_id: string;
  readonly fv_id: string;
  readonly blob_key: string;
  readonly hash: string;
}

/** Puts bytes and records where finished uploads leave them: for tests of what comes after. */
export async function storeFile(api: RunningApi, workspace: TestWorkspace, spec: StoredFileSpec = {}): Promise<StoredFile> {
  const {
    name = 'note.txt',
    type = 'text/plain',
    kind = 'document',
    bytes = Buffer.from(`text ${randomUUID()}`),
    repo = 'media',
    metadata = {},
    processing = 'ready',
  } = spec;
  const store = api.app.get(ObjectStore, { strict: false });
  const [file_id, fv_id, blob_id] = [newId(), newId(), newId()];
  const tenant = workspace.tenant_id;
  const blob_key = `t/${tenant}/blobs/${blob_id}`;
  const size = spec.claimedSize ?? bytes.length;
  const hash = createHash('sha256').update(bytes).digest('hex');
  if (!spec.lost) await store.putObject(blob_key, bytes);
  const replicas: Record<string, object> = {};
  for (const [rendition, body] of Object.entries(spec.renditions ?? {})) {
    const key = `${blob_key}/${rendition}`;
    await store.putObject(key, body);
    replicas[rendition] = { key, w: 320, h: 240, size: body.length, type: 'image/webp' };
  }
  const created = spec.created ?? new Date();
  await api.sql(
    'INSERT INTO file_blob (tenant_id, blob_id, blob_size, blob_type, blob_key, blob_replicas, blob_refs, blob_hash) VALUES ($1, $2, $3, $4, $5, $6, 1, $7)',
    [tenant, blob_id, size, type, blob_key, JSON.stringify(replicas), spec.read ? hash : null],
  );
  await api.sql(
    `INSERT INTO file (tenant_id, file_id, file_repo, repo_type, file_name, file_type, file_kind, file_size, file_hash, file_processing, file_metadata, file_provider_id, file_bucket, file_folder, file_replicas, file_added_by, file_current_version, file_blob, file_created, file_updated)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $1, 'disk', '', $12, $13, $14, $15, $16, $17)`,
    [
      tenant,
      file_id,
      JSON.stringify({ library: [repo] }),
      repo,
      name,
      type,
      kind,
      size,
      hash,
      processing,
      JSON.stringify(metadata),
      Object.keys(replicas).join(','),
      workspace.owner.user_id,
      fv_id,
      blob_id,
      created,
      spec.updated ?? created,
    ],
  );
  await api.sql(
    'INSERT INTO file_version (tenant_id, fv_id, fv_file, fv_number, fv_name, fv_type, fv_size, fv_hash, fv_source, fv_blob) VALUES ($1, $2, $3, 1, $4, $5, $6, $7, $8, $9)',
    [tenant, fv_id, file_id, name, type, size, hash, 'upload', blob_id],
  );
  return { file_id, fv_id, blob_key, hash };
}

/** Many equal files at once, sharing one blob. */
export async function storeMany(api: RunningApi, workspace: TestWorkspace, count: number, spec: StoredFileSpec = {}): Promise<string[]> {
  const first = await storeFile(api, workspace, { name: 'same.txt', ...spec });
  return storeAgain(api, first.file_id, count - 1);
}

/** The same file so many times more, sharing its blob; the first one comes first. */
export async function storeAgain(api: RunningApi, file_id: string, count: number): Promise<string[]> {
  const rows = await api.sql<{ file_id: string }>(
    `INSERT INTO file (tenant_id, file_id, file_repo, repo_type, file_name, file_type, file_size, file_hash, file_processing, file_provider_id, file_bucket, file_folder, file_current_version, file_blob)
     SELECT tenant_id, gen_random_uuid(), file_repo, repo_type, file_name, file_type, file_size, file_hash, file_processing, file_provider_id, file_bucket, file_folder, file_current_version, file_blob
     FROM file, generate_series(1, $2) WHERE file_id = $1 RETURNING file_id`,
    [file_id, count],
  );
  return [file_id, ...rows.map((row) => row.file_id)];
}
