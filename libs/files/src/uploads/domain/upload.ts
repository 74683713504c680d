import { Choice, Flag, Id, IdList, Json, Ref, Resource, SHA256_FORM, Stamp, TenantRow, Text, Whole } from '@atrium/platform/database';
import { DAY, Problem, SECOND, StateMachine, type Clock, type JsonObject } from '@atrium/platform/kernel';
import { REPOSITORIES, toFileRepo, type Repository, type RepoType } from '../../core/domain/repositories';
import { partCount, partLength, partSizeFor } from './upload-parts';

export const UPLOAD_STATES = ['open', 'completing', 'finalized', 'aborted', 'expired', 'rejected'] as const;

export type UploadState = (typeof UPLOAD_STATES)[number];

/** An upload goes back from completing to open when its bytes are not all there yet. */
export const uploadStates = new StateMachine<UploadState>('upload', {
  open: ['completing', 'aborted', 'expired'],
  completing: ['finalized', 'open', 'rejected', 'expired'],
});

export const ON_DUPLICATE = ['keep', 'skip', 'version'] as const;

/** How long an upload that nobody touches is kept. */
export const UPLOAD_LIFE = DAY;
/** How long a finalize call holds an upload that it does not claim again; after that another call takes it over. As long as an idempotency key is claimed. */
export const CLAIM_LIFE = 6 * SECOND;

/** What is known of an upload when it is opened. */
export interface OpenedUpload extends Pick<
  Upload,
  | 'upl_id'
  | 'file_name'
  | 'file_type'
  | 'file_size'
  | 'file_hash'
  | 'file_metadata'
  | 'upl_file'
  | 'upl_on_duplicate'
  | 'album_ids'
  | 'media_tags'
  | 'upl_note'
  | 'upl_created_by'
  | 'upl_source'
> {
  readonly repository: Repository;
  readonly multipart: boolean;
}

/**
 * Bytes on their way to become a file or a version of one. The client writes to storage itself; `finalize` checks what
 * is there against what was promised. One call at a time holds the claim to complete it.
 */
@Resource({ table: 'upload', sort: '-upl_created' })
export class Upload extends TenantRow {
  @Id({ about: 'Id of the upload.' }) readonly upl_id!: string;
  @Choice(UPLOAD_STATES, { about: 'Current status of the upload.', filter: 'equals' }) upl_state!: UploadState;
  @Choice(['single', 'multipart'], { about: '`single`: one PUT request. `multipart`: parts in any order, which are joined.' }) upl_mode!:
    'single' | 'multipart';
  @Json({ about: 'Owner of the new file: one key, `library` or the kind of the owning object.', example: { library: ['media'] } })
  file_repo!: JsonObject;
  @Text({ min: 1, about: 'File name with extension.', example: 'harbour.jpg' }) file_name!: string;
  @Text({
    optional: true,
    form: { pattern: /^[a-z0-9][\w!#$&^.+-]*\/[a-z0-9][\w!#$&^.+-]*(\s*;.*)?$/i, words: 'a MIME type such as image/jpeg' },
    about: 'Declared MIME type. The actual type is determined from the content.',
    example: 'image/jpeg',
  })
  file_type!: string | null;
  @Whole({ min: 0, about: 'Declared size in bytes. The storage refuses a body of another size.', example: 2_481_152 }) file_size!: number;
  @Text({
    optional: true,
    max: 64,
    form: SHA256_FORM,
    about: 'Declared SHA-256 of the content in lowercase hexadecimal. Other content is refused or quarantined.',
  })
  file_hash!: string | null;
  @Json({ about: 'Free metadata of the file.' }) file_metadata!: JsonObject;
  @Ref({ optional: true, about: 'File that gets a new version from this upload.' }) upl_file!: string | null;
  @Choice(ON_DUPLICATE, {
    about:
      '`keep`: always creates a new file. `skip`: returns an existing file of the repository with the same content, if there is one. `version`: adds a new version to the file of the repository with the same name, if there is one.',
  })
  upl_on_duplicate!: (typeof ON_DUPLICATE)[number];
  @IdList({ max: 100, about: 'Albums to add the file to; only for the media library.' }) album_ids!: string[];
  @Json({ about: 'Tags of the file, values by the name of their group; only for the media library.', example: { Season: ['Summer'] } })
  media_tags!: Readonly<Record<string, readonly string[]>>;
  @Text({ optional: true, max: 500, internal: true, about: 'Note for the new version.' }) upl_note!: string | null;
  @Whole({ optional: true, about: 'Size of every part but the last in bytes. Multipart only.', example: 8_388_608 }) upl_part_size!:
    number | null;
  @Whole({ optional: true, about: 'Number of parts. Multipart only.', example: 10, column: 'integer' }) upl_part_count!: number | null;
  @Stamp({ about: 'When the upload expires: 24 hours after the last activity.' }) upl_expires!: Date;
  @Stamp({ about: 'When the upload was created.', sort: true }) upl_created!: Date;
  @Ref({ optional: true, about: 'User who created the upload.' }) upl_created_by!: string | null;
  @Ref({ optional: true, about: 'File created from the upload.' }) upl_file_id!: string | null;
  @Text({ optional: true, max: 500, about: 'Reason the upload was rejected.' }) upl_error!: string | null;

  /** By what a guest came who opened it; null for members. */
  @Json({ internal: true, optional: true }) upl_source!: { readonly kind: 'share_link'; readonly ref: string } | null;
  @Text({ internal: true, max: 512 }) upl_key!: string;
  @Text({ internal: true, optional: true, max: 2_000 }) upl_multipart_id!: string | null;
  /** Whether storage may hold something that is no blob's. */
  @Flag({ internal: true }) upl_staged!: boolean;
  @Stamp({ internal: true, optional: true }) upl_claimed!: Date | null;

  /** Opened, without a place in storage yet. */
  static opened({ repository, multipart, ...promised }: OpenedUpload, clock: Clock): Upload {
    const upl_part_size = multipart ? partSizeFor(promised.file_size) : null;
    return Object.assign(new Upload(), {
      ...promised,
      upl_state: 'open',
      upl_mode: multipart ? 'multipart' : 'single',
      file_repo: toFileRepo(repository),
      upl_part_size,
      upl_part_count: multipart ? partCount({ file_size: promised.file_size, upl_part_size }) : null,
      upl_key: '',
      upl_multipart_id: null,
      upl_staged: true,
      upl_claimed: null,
      upl_expires: clock.after(UPLOAD_LIFE),
      upl_created: clock.now(),
      upl_file_id: null,
      upl_error: null,
    } as const);
  }

  /** What will own the file; `file_repo` was read from a client or taken from a file, so it names one owner. */
  get repository(): Repository {
    const { library } = this.file_repo;
    if (Array.isArray(library)) return { type: library[0] as RepoType, id: null };
    const [owned] = (Object.entries(REPOSITORIES) as [RepoType, { key: string }][]).flatMap(([type, { key }]) => {
      const id = this.file_repo[key];
      return typeof id === 'string' ? [{ type, id }] : [];
    });
    if (!owned) throw new Error('An upload names what will own its file.');
    return owned;
  }

  get isOpen(): boolean {
    return this.upl_state === 'open';
  }

  /** Whether a finalize call that began earlier may still be at work. */
  isHeld(clock: Clock): boolean {
    return this.upl_state === 'completing' && this.upl_claimed !== null && this.upl_claimed.getTime() + CLAIM_LIFE > clock.now().getTime();
  }

  assertOpen(): void {
    if (!this.isOpen) throw new Problem('invalid_state', `The upload is ${this.upl_state}, not open.`);
  }

  /** Keeps it for another day. */
  touch(clock: Clock): void {
    this.upl_expires = clock.after(UPLOAD_LIFE);
  }

  /** Begins to complete it; a claim whose holder is lost is taken over. */
  claim(clock: Clock): Date {
    if (this.upl_state !== 'completing') this.upl_state = uploadStates.move(this.upl_state, 'completing');
    this.touch(clock);
    this.upl_claimed = clock.now();
    return this.upl_claimed;
  }

  /** Whether the claim is still the one taken then. */
  isClaimedSince(claimed: Date): boolean {
    return this.upl_state === 'completing' && this.upl_claimed?.getTime() === claimed.getTime();
  }

  /** Gives the claim back: bytes are missing, the client may go on. */
  reopen(): void {
    this.upl_state = uploadStates.move(this.upl_state, 'open');
    this.upl_claimed = null;
  }

  finalize(file_id: string): void {
    this.upl_state = uploadStates.move(this.upl_state, 'finalized');
    this.upl_file_id = file_id;
    this.upl_claimed = null;
  }

  reject(reason: string): void {
    this.upl_state = uploadStates.move(this.upl_state, 'rejected');
    this.upl_error = reason;
    this.upl_claimed = null;
  }

  abort(): void {
    this.upl_state = uploadStates.move(this.upl_state, 'aborted');
  }

  expire(): void {
    this.upl_state = uploadStates.move(this.upl_state, 'expired');
    this.upl_claimed = null;
  }

  /** Numbers of the parts that are not among those received. */
  missingParts(received: Iterable<number>): number[] {
    const there = new Set(received);
    return Array.from({ length: partCount(this) }, (_, index) => index + 1).filter((part) => !there.has(part));
  }

  /** Bytes of one part. */
  lengthOf(part: number): number {
    return partLength(this, part);
  }
}
