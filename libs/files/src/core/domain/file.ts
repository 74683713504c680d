import { Choice, Id, Json, Ref, Resource, Stamp, TenantRow, Text, Whole } from '@atrium/platform/database';
import { Problem, type Clock, type JsonObject } from '@atrium/platform/kernel';
import { fileName, renamedFile } from './file-name';
import { repoKey, repositoryOf, toFileRepo, type Repository } from './repositories';

const DAY = 86_400_000;

/** The key of `file_metadata` that the service alone writes. */
export const SYSTEM_KEY = 'system';

/** What is known of a file when it is added. */
export interface AddedFile extends Pick<
  File,
  'file_id' | 'file_name' | 'file_status' | 'file_summary' | 'file_added_by' | 'file_provider_id' | 'file_bucket' | 'file_folder'
> {
  readonly repository: Repository;
  readonly metadata?: JsonObject;
  /** What the service knows of it. */
  readonly system?: JsonObject;
}

/**
 * A stored file and who owns it. Its bytes are a version's blob and never change in place; a file in trash is hidden
 * everywhere but there and goes for good when its time has come.
 */
@Resource({ table: 'file', sort: '-file_created', served: { file_status: ['file_created', 'file_size'], file_added_by: ['file_created'] } })
export class File extends TenantRow {
  @Json({ about: 'Owner of the file: one key, `library` or the kind of the owning object.', example: { library: ['media'] } })
  file_repo!: JsonObject;
  @Id({ about: 'Id of the file.' }) readonly file_id!: string;
  @Text({ min: 1, about: 'File name with extension.', example: 'harbour.jpg', filter: 'contains', sort: true }) file_name!: string;
  @Text({ about: 'MIME type, determined from the content.', example: 'image/jpeg', filter: 'prefix', sort: true }) file_type!: string;
  @Whole({ min: 0, about: 'Size in bytes.', example: 2_481_152, sort: true }) file_size!: number;
  @Stamp({ about: 'When it was added.', filter: 'range', sort: true }) file_created!: Date;
  @Stamp({ about: 'When its record, tags, status or version was last changed.', filter: 'range', sort: true }) file_updated!: Date;
  @Json({
    about:
      'Free metadata. The service writes the key `system`: width, height, taken, camera, gps and more; `no_renditions` with a code and a sentence if there are no renditions; `text_loss` if words or numbers of the file are missing from its text, with their `share` from 0 to 1 and the `reason`.',
    example: { system: { width: 4032, height: 3024 } },
  })
  file_metadata!: JsonObject;
  @Ref({ about: 'Storage provider of the content.', filter: 'equals' }) file_provider_id!: string;
  @Text({ about: 'Bucket of the current content; opaque.' }) file_bucket!: string;
  @Text({ about: 'Folder of the current content; opaque.', max: 1_000 }) file_folder!: string;
  @Text({
    optional: true,
    max: 64,
    about: 'SHA-256 of the content in lowercase hexadecimal. Null until the file is ready.',
    filter: 'equals',
  })
  file_hash!: string | null;
  @Text({ about: 'Status in the media status flow; `active` if none applies.', filter: 'equals' }) file_status!: string;
  @Choice(['pending', 'ready', 'failed', 'quarantined'], {
    about: 'Processing state: `pending` until hash, type and renditions are known.',
  })
  file_processing!: 'pending' | 'ready' | 'failed' | 'quarantined';
  @Ref({ optional: true, about: 'User who added it. Null for guests and the platform.', filter: 'equals' }) file_added_by!: string | null;
  @Text({ about: 'Available renditions, separated by commas: small, medium, large.', example: 'small,medium,large' })
  file_replicas!: string;
  @Text({ optional: true, max: 5_000, about: 'Summary, written by people or by an analysis.' }) file_summary!: string | null;
  @Whole({ about: 'Number of the current version, starting at 1.', example: 1, column: 'integer' }) file_version!: number;

  @Text({ internal: true }) repo_type!: string;
  @Ref({ internal: true, optional: true }) repo_id!: string | null;
  @Text({ internal: true }) file_kind!: string;
  @Ref({ internal: true }) file_current_version!: string;
  @Ref({ internal: true }) file_blob!: string;
  @Stamp({ internal: true, optional: true }) file_deleted!: Date | null;
  @Ref({ internal: true, optional: true }) file_deleted_by!: string | null;
  @Stamp({ internal: true, optional: true }) file_purge_at!: Date | null;

  /** A file that shows no version yet. */
  static added({ repository, system, metadata = {}, ...known }: AddedFile, clock: Clock): File {
    const { [SYSTEM_KEY]: _, ...free } = metadata;
    return Object.assign(new File(), {
      ...known,
      file_repo: toFileRepo(repository),
      repo_type: repository.type,
      repo_id: repository.id,
      file_metadata: system ? { ...free, [SYSTEM_KEY]: system } : free,
      file_created: clock.now(),
      file_deleted: null,
      file_deleted_by: null,
      file_purge_at: null,
    });
  }

  get repository(): Repository {
    return repositoryOf(this);
  }

  get isInTrash(): boolean {
    return this.file_deleted !== null;
  }

  rename(name: string, clock: Clock): void {
    this.file_name = fileName(renamedFile(fileName(name), this.file_name));
    this.touch(clock);
  }

  summarize(summary: string | null, clock: Clock): void {
    this.file_summary = summary;
    this.touch(clock);
  }

  /** Replaces the free metadata; what the service wrote stays. */
  describe(metadata: JsonObject, clock: Clock): void {
    const { [SYSTEM_KEY]: _, ...free } = metadata;
    const system = this.file_metadata[SYSTEM_KEY];
    this.file_metadata = system === undefined ? free : { ...free, [SYSTEM_KEY]: system };
    this.touch(clock);
  }

  /** Belongs to another repository from now on, and begins there in its first status. */
  moveTo(repository: Repository, status: string, clock: Clock): void {
    if (repoKey(this.repository) === repoKey(repository)) return;
    this.file_repo = toFileRepo(repository) as JsonObject;
    this.repo_type = repository.type;
    this.repo_id = repository.id;
    this.file_status = status;
    this.touch(clock);
  }

  /** Hides the file; it can be restored until `file_purge_at`, fixed now. */
  trash(by: string | null, retentionDays: number, clock: Clock): void {
    this.file_deleted = clock.now();
    this.file_deleted_by = by;
    this.file_purge_at = clock.after(retentionDays * DAY);
    this.touch(clock);
  }

  restore(clock: Clock): void {
    if (!this.isInTrash) throw new Problem('invalid_state', 'The file is not in the trash.');
    if (this.file_purge_at && this.file_purge_at <= clock.now())
      throw new Problem('gone', 'The file can no longer be restored: its retention period in the trash has ended.');
    this.file_deleted = null;
    this.file_deleted_by = null;
    this.file_purge_at = null;
    this.touch(clock);
  }

  touch(clock: Clock): void {
    this.file_updated = clock.now();
  }
}
