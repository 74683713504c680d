import type { ReleaseRules } from '../../control/domain/release-rules';
import { Publication } from './publication';

/** A file as a publication knows it. */
export interface KnownFile {
  readonly file_id: string;
  readonly file_name: string;
  readonly file_version: number;
  readonly repo_type: string;
}

interface Beginning {
  readonly pub_id: string;
  readonly file: KnownFile;
  readonly rules: ReleaseRules;
  readonly created_by: string;
  readonly at: Date;
}

/** A publication as it begins: a draft under these rules, without an address and never live. */
export function newPublication({ pub_id, file, rules, created_by, at }: Beginning): Publication {
  return Object.assign(new Publication(), {
    pub_id,
    pub_file: file.file_id,
    pub_state: 'draft' as const,
    pub_version: file.file_version,
    pub_hostname: null,
    pub_name: null,
    pub_url: null,
    pub_key: null,
    pub_size: null,
    pub_content_type: null,
    pub_hash: null,
    pub_object: null,
    pub_copy_object: null,
    pub_copied: null,
    ...rules,
    pub_copy_state: 'none' as const,
    pub_error: null,
    pub_wanted_version: null,
    pub_wanted_hash: null,
    pub_file_name: file.file_name,
    pub_file_version: file.file_version,
    pub_repo_type: file.repo_type,
    pub_published_name: null,
    pub_draft: null,
    pub_created: at,
    pub_updated: at,
    pub_created_by: created_by,
    pub_published: null,
    pub_revoked: null,
    pub_revoked_reason: null,
    pub_edge_revision: 0,
    pub_edge_due: null,
  });
}
