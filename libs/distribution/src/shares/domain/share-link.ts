import { Choice, Flag, Id, IdList, Json, Ref, Resource, Stamp, TenantRow, Text, TextList, Whole } from '@atrium/platform/database';
import { Problem, type Clock } from '@atrium/platform/kernel';
import { storedOptions, type ShareOptions } from './share-options';

export const SHARE_TYPES = ['files', 'album', 'upload'] as const;
export type ShareType = (typeof SHARE_TYPES)[number];

export const SHARE_STATES = ['live', 'expired', 'exhausted', 'revoked', 'broken'] as const;
export type ShareState = (typeof SHARE_STATES)[number];

/**
 * A link by which people from outside see files, or send some. It never allows more than its creator may do at that
 * moment, counts exactly, and once revoked it stays so.
 */
@Resource({ table: 'share_link', sort: '-share_created' })
export class ShareLink extends TenantRow {
  @Id({ about: 'Id of the link. It is not secret.' }) readonly share_id!: string;
  @Text({ min: 1, about: 'Name, shown to visitors.', example: 'Harbour, first selection', filter: 'contains', sort: true })
  share_name!: string;
  @Choice(SHARE_TYPES, {
    about: '`files`: selected files. `album`: the current content of an album. `upload`: visitors send files.',
    filter: 'equals',
  })
  share_type!: ShareType;
  @Flag({ about: 'Whether the link is active. An inactive link returns 410.', filter: 'equals' }) share_active!: boolean;
  @Stamp({ optional: true, about: 'When the link expires. Null: never.', filter: 'range' }) share_expires_at!: Date | null;
  @IdList({ max: 1_000, about: 'Shared files in display order. Only for type `files`.' }) share_file_ids!: string[];
  @Ref({ optional: true, about: 'Shared album. Only for type `album`.', filter: 'equals' }) share_album_id!: string | null;
  @IdList({ max: 20, about: 'Albums to which uploaded files are added. Only for type `upload`.' }) share_album_ids!: string[];
  @TextList({ max: 50, about: 'Tags of uploaded files, as `Group:Value`. Only for type `upload`.', example: ['Source:Guests'] })
  share_pre_tags!: string[];
  @Flag({ about: 'Whether visitors can add tags of open groups. Only for type `upload`.' }) share_allow_change_tags!: boolean;
  @Flag({ about: 'Whether visitors can choose among the albums. Only for type `upload`.' }) share_allow_change_albums!: boolean;
  @Whole({ optional: true, min: 1, about: 'Maximum number of uploaded files in total. Only for type `upload`.', example: 50 })
  share_max_files!: number | null;
  @Whole({ optional: true, min: 1, about: 'Maximum size of an uploaded file in bytes. Only for type `upload`.', example: 104_857_600 })
  share_max_size!: number | null;
  @Flag({ about: 'Whether the link requires a password.', generated: true }) readonly share_password_set!: boolean;
  @Whole({ about: 'Number of views; one for each visitor in half an hour.', example: 12, column: 'integer', generated: true, sort: true })
  readonly share_view_count!: number;
  @Whole({ about: 'Number of downloads, including archives.', example: 3, column: 'integer', generated: true, sort: true })
  readonly share_download_count!: number;
  @Whole({ about: 'Number of uploaded files.', example: 0, column: 'integer', generated: true, sort: true })
  readonly share_upload_count!: number;
  @Stamp({ optional: true, about: 'When a file was last uploaded.', generated: true }) readonly share_last_upload_at!: Date | null;
  @Stamp({ optional: true, about: 'When the link was last viewed.', generated: true }) readonly share_last_view_at!: Date | null;
  @Stamp({ about: 'When it was created.', filter: 'range', sort: true }) share_created!: Date;
  @Stamp({ about: 'When it was last changed.', sort: true }) share_updated!: Date;
  @Ref({ about: 'User who created it.', filter: 'equals' }) share_created_by!: string;

  @Json({ internal: true }) share_options!: Partial<ShareOptions>;
  @Stamp({ internal: true, optional: true }) share_revoked!: Date | null;
  @Text({ internal: true }) share_token_hash!: string;
  @Text({ internal: true, max: 1_000 }) share_token_enc!: string;
  @Text({ internal: true, optional: true }) share_password_hash!: string | null;
  @Whole({ internal: true, column: 'integer' }) share_password_rev!: number;

  /** A new one that has nothing but what it must have. */
  static blank(
    facts: Pick<
      ShareLink,
      'share_id' | 'share_name' | 'share_type' | 'share_options' | 'share_created_by' | 'share_token_hash' | 'share_token_enc'
    >,
    now: Date,
  ): ShareLink {
    return Object.assign(new ShareLink(), {
      share_active: true,
      share_expires_at: null,
      share_file_ids: [],
      share_album_id: null,
      share_album_ids: [],
      share_pre_tags: [],
      share_allow_change_tags: false,
      share_allow_change_albums: false,
      share_max_files: null,
      share_max_size: null,
      share_revoked: null,
      share_password_hash: null,
      share_password_rev: 0,
      share_created: now,
      share_updated: now,
      ...facts,
    });
  }

  get options(): ShareOptions {
    return storedOptions(this.share_options);
  }

  get isUpload(): boolean {
    return this.share_type === 'upload';
  }

  /** Whether visitors see nothing before they have unlocked it. */
  get isLocked(): boolean {
    const { terms, require_name, require_email } = this.options;
    return this.share_password_hash !== null || terms !== null || (!this.isUpload && (require_name || require_email));
  }

  isExpired(now: Date): boolean {
    return this.share_expires_at !== null && this.share_expires_at <= now;
  }

  assertNotRevoked(): void {
    if (this.share_revoked) throw new Problem('invalid_state', 'The link was permanently revoked. Create a new one.');
  }

  /** A new password, or none: visitors who unlocked the link with the old one are locked out. */
  protect(hash: string | null): void {
    this.share_password_hash = hash;
    this.share_password_rev += 1;
  }

  /** Permanently: the row remains as a record of what was shared. Returns whether it was not revoked before. */
  revoke(clock: Clock): boolean {
    if (this.share_revoked) return false;
    this.share_revoked = clock.now();
    this.share_active = false;
    this.touch(clock);
    return true;
  }

  touch(clock: Clock): void {
    this.share_updated = clock.now();
  }
}

/** Fields that only links of some types have; null and empty are nothing. */
const FIELDS_OF: Readonly<Record<string, ShareType>> = {
  share_file_ids: 'files',
  share_album_id: 'album',
  share_album_ids: 'upload',
  share_pre_tags: 'upload',
  share_allow_change_tags: 'upload',
  share_allow_change_albums: 'upload',
  share_max_files: 'upload',
  share_max_size: 'upload',
};

/** Names of the fields that say something although links of this type have none. */
export const foreignFields = (type: ShareType, facts: Readonly<Record<string, unknown>>): { field: string; type: ShareType }[] =>
  Object.entries(FIELDS_OF).flatMap(([field, owner]) => (owner === type || isNothing(facts[field]) ? [] : [{ field, type: owner }]));

const isNothing = (value: unknown): boolean =>
  value === undefined || value === null || value === false || (Array.isArray(value) && value.length === 0);
