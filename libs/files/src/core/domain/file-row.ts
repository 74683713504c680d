import type { File } from './file';

/** What a user marked a file with. */
export interface FilePref {
  readonly favorite: boolean;
}

/** A file as answers show it; `row_version` becomes the ETag. */
export type FileRow = Pick<
  File,
  | 'file_repo'
  | 'file_id'
  | 'file_name'
  | 'file_type'
  | 'file_size'
  | 'file_created'
  | 'file_updated'
  | 'file_metadata'
  | 'file_provider_id'
  | 'file_bucket'
  | 'file_folder'
  | 'file_hash'
  | 'file_status'
  | 'file_processing'
  | 'file_added_by'
  | 'file_replicas'
  | 'file_summary'
  | 'file_version'
> & { readonly file_pref: FilePref; readonly row_version?: number };

/** A row of `file` with what a decision about it needs. */
export interface OwnedRow {
  readonly file_id: string;
  readonly repo_type: string;
  readonly repo_id: string | null;
}
