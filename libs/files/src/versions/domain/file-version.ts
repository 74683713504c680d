import { Choice, Flag, Id, Ref, Resource, Stamp, TenantRow, Text, Whole } from '@atrium/platform/database';
import { Problem, type Clock, type JsonObject } from '@atrium/platform/kernel';
import { INSPECTOR_KEY, VIEWS_KEY, providerOf, renditionBytes, replicaNames, type Blob } from '../../blobs/domain/blob';
import { SYSTEM_KEY, type File } from '../../core/domain/file';

export const VERSION_SOURCES = ['upload', 'restore', 'edit', 'generated', 'import'] as const;

export type VersionSource = (typeof VERSION_SOURCES)[number];

/** The type of bytes that nobody declared and nothing has read yet. */
export const UNDECLARED_TYPE = 'application/octet-stream';

/** Why bytes are out of reach in which a scanner found something. */
export const MALWARE = 'malware';

/** What is known of a version when it is added. */
export interface StartedVersion extends Pick<
  FileVersion,
  'fv_id' | 'fv_number' | 'fv_name' | 'fv_type' | 'fv_note' | 'fv_source' | 'fv_created_by'
> {
  readonly blob: Blob;
}

/** One state of a file's bytes. Its bytes and number never change; note and pin do. Numbers are never used again. */
@Resource({ table: 'file_version', sort: '-fv_number' })
export class FileVersion extends TenantRow {
  @Id({ about: 'Id of the version.' }) readonly fv_id!: string;
  @Ref({ about: 'File of the version.' }) fv_file!: string;
  @Whole({ about: 'Version number, starting at 1; never reused.', example: 3, column: 'integer', sort: true }) fv_number!: number;
  @Text({ about: 'Name of the file when the version was added.', example: 'harbour.jpg' }) fv_name!: string;
  @Text({ about: 'MIME type, determined from the content.', example: 'image/jpeg' }) fv_type!: string;
  @Whole({ about: 'Size in bytes.', example: 2_481_152 }) fv_size!: number;
  @Text({ optional: true, max: 64, about: 'SHA-256 of the content in lowercase hexadecimal. Null until the content was processed.' })
  fv_hash!: string | null;
  @Text({ about: 'Available renditions, separated by commas: small, medium, large.', example: 'small,medium,large' }) fv_replicas!: string;
  @Text({ optional: true, max: 500, about: 'Note by people.' }) fv_note!: string | null;
  @Flag({ about: 'Whether the version is kept when older versions are pruned.' }) fv_pinned!: boolean;
  @Choice(VERSION_SOURCES, { about: 'Origin of the version.' }) fv_source!: VersionSource;
  @Stamp({ about: 'When it was added.' }) fv_created!: Date;
  @Ref({ optional: true, about: 'User who added it. Null for guests and the platform.' }) fv_created_by!: string | null;
  @Flag({ computed: true, about: 'Whether it is the current version of the file.' }) readonly fv_current!: boolean;

  @Ref({ internal: true }) fv_blob!: string;
  /** The provider that stores its bytes; null: the platform's own. */
  @Ref({ internal: true, optional: true }) fv_provider!: string | null;
  /** Why its bytes are out of reach; null: they are not. */
  @Text({ internal: true, optional: true }) fv_quarantine!: string | null;
  /** Bytes of its renditions together. */
  @Whole({ internal: true }) fv_rendition_bytes!: number;

  /** A new version of the file; what its bytes are is not known before they are read. */
  static startedFor(file: File, { blob, ...made }: StartedVersion, clock: Clock): FileVersion {
    return Object.assign(new FileVersion(), {
      ...made,
      fv_file: file.file_id,
      fv_size: blob.blob_size,
      fv_hash: null,
      fv_replicas: '',
      fv_rendition_bytes: 0,
      fv_pinned: false,
      fv_quarantine: null,
      fv_blob: blob.blob_id,
      fv_provider: providerOf(blob.blob_key),
      fv_created: clock.now(),
    });
  }

  /** The file shows this version from now on; what its bytes are is not known before they were read. */
  becomeCurrent(file: File, kind: string, clock: Clock): void {
    file.file_current_version = this.fv_id;
    file.file_version = this.fv_number;
    file.file_blob = this.fv_blob;
    file.file_type = this.fv_type;
    file.file_kind = kind;
    file.file_size = this.fv_size;
    file.file_hash = null;
    file.file_replicas = '';
    file.file_processing = 'pending';
    setSystem(file, {});
    file.touch(clock);
  }

  /** The bytes were read: the version carries what they are, and so does the file while it shows this version. */
  describe(blob: Blob): void {
    this.fv_blob = blob.blob_id;
    this.fv_provider = providerOf(blob.blob_key);
    this.fv_hash = blob.blob_hash;
    this.fv_size = blob.blob_size;
    this.fv_replicas = replicaNames(blob.blob_replicas);
    this.fv_rendition_bytes = renditionBytes(blob.blob_replicas);
  }

  /** The bytes are out of reach from now on, and so is the file while it shows this version. */
  withhold(file: File, reason: string, clock: Clock): void {
    this.fv_quarantine = reason;
    if (file.file_current_version === this.fv_id) quarantine(file, reason, clock);
  }

  /** Hash, type, renditions and facts of the bytes come to the file; bytes that no parser understands make it `failed`. Answers which. */
  reveal(file: File, blob: Blob, clock: Clock): 'ready' | 'failed' {
    const { [INSPECTOR_KEY]: _, [VIEWS_KEY]: __, ...system } = blob.blob_system ?? {};
    const read = file.file_hash === this.fv_hash ? factsOfText(file) : {};
    file.file_blob = this.fv_blob;
    file.file_hash = this.fv_hash;
    file.file_size = this.fv_size;
    file.file_type = this.fv_type;
    file.file_replicas = this.fv_replicas;
    const outcome = system.error === UNREADABLE ? 'failed' : 'ready';
    file.file_processing = outcome;
    setSystem(file, { ...declaredType(file), ...read, ...system });
    file.touch(clock);
    return outcome;
  }
}

const UNREADABLE = 'unreadable';
/** Keys of the system metadata that belong to the file and not to its bytes. */
const OF_THE_FILE: readonly string[] = ['source', 'hold'];

/** Keys that the reading of the text of the same bytes has found, which may end before another look into them. */
const OF_THE_TEXT: readonly string[] = ['text_loss', 'pages'];

const factsOfText = (file: File): JsonObject =>
  Object.fromEntries(Object.entries(systemOf(file)).filter(([key]) => OF_THE_TEXT.includes(key)));

/** What the service knows of the file's bytes; what it knows of the file itself stays. */
export function setSystem(file: File, facts: JsonObject): void {
  const kept = Object.fromEntries(Object.entries(systemOf(file)).filter(([key]) => OF_THE_FILE.includes(key)));
  const system = { ...facts, ...kept };
  const { [SYSTEM_KEY]: _, ...free } = file.file_metadata;
  file.file_metadata = Object.keys(system).length === 0 ? free : { ...free, [SYSTEM_KEY]: system };
}

export const systemOf = (file: File): JsonObject => (file.file_metadata[SYSTEM_KEY] ?? {}) as JsonObject;

/** The type a client declared, where the bytes are another. */
export const declaredType = (file: File): JsonObject => {
  const { declared_type } = systemOf(file);
  return declared_type === undefined ? {} : { declared_type };
};

/** Takes the bytes out of reach, with the reason. */
function quarantine(file: File, reason: string, clock: Clock): void {
  file.file_processing = 'quarantined';
  file.file_hash = null;
  file.file_replicas = '';
  setSystem(file, { ...declaredType(file), error: reason });
  file.touch(clock);
}

export const currentVersionStays = (): Problem =>
  new Problem('in_use', 'This is the current version of the file. Make another version current first.');

export const versionShown = (): Problem =>
  new Problem('in_use', 'This version is in use, for example by a publication, and cannot be deleted.');

export const versionsAtLimit = (most: number): Problem =>
  new Problem('limit_reached', `The file has ${most} versions, all of them pinned. Unpin or delete one first.`);

export const versionsHeld = (): Problem => new Problem('in_use', 'The file is under a legal hold. Its versions cannot be deleted.');

/** A version as answers show it; `row_version` becomes the ETag. */
export type VersionRow = Omit<
  FileVersion,
  'fv_blob' | 'fv_quarantine' | 'fv_rendition_bytes' | 'fv_provider' | 'tenant_id' | 'row_version' | 'becomeCurrent' | 'describe' | 'reveal'
> & { readonly row_version?: number };
