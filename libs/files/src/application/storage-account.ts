import { Injectable } from '@nestjs/common';
import { archived, StorageMeter, taken, type StorageLine } from '@atrium/governance';
import { requireScope } from '@atrium/platform/database';
import type { DownloadJob } from '../domain/download-job';
import { keysOf, providerOf, renditionBytes, type MarkedPictures } from '../domain/blob';
import type { File } from '../domain/file';
import type { FileVersion } from '../domain/file-version';
import type { Upload } from '../domain/upload';
import { kindOf } from '../inspection/infrastructure';
import { VersionRows, type HeldBytes } from '../infrastructure/version-rows';

/** What a version takes of storage, as the row of the version and of its file say. */
export type Held = Pick<
  FileVersion,
  'fv_id' | 'fv_type' | 'fv_size' | 'fv_replicas' | 'fv_rendition_bytes' | 'fv_provider' | 'fv_created_by'
>;
type PackedArchive = Pick<DownloadJob, 'archive_size' | 'job_created_by'>;
type Holder = Pick<File, 'repo_type' | 'file_current_version' | 'file_deleted'>;

/** The current storage of a version, to be compared with that after a change. */
export type Standing = readonly StorageLine[];

/**
 * Reports to the meter what files take of storage, in the unit of work of each change. Every version counts with its bytes and
 * its renditions, whether or not equal bytes are shared; files that are locked cannot change under a count.
 */
@Injectable()
export class StorageAccount {
  constructor(
    private readonly meter: StorageMeter,
    private readonly rows: VersionRows,
  ) {}

  /** Sets the bytes of an upload aside; refused where the workspace or the person has no room for them. */
  open({ file_size, upl_created_by }: Upload): Promise<void> {
    return this.meter.reserve(file_size, upl_created_by);
  }

  /** The upload ended, one way or another: nothing is set aside for it any more. */
  close({ file_size, upl_created_by }: Pick<Upload, 'file_size' | 'upl_created_by'>): void {
    this.meter.release(file_size, upl_created_by);
  }

  /** Refuses bytes that come at once when there is no room for them. */
  async admit(bytes: number, user: string | null): Promise<void> {
    if (user === null) return;
    await this.meter.reserve(bytes, user);
    this.meter.release(bytes, user);
  }

  /** The storage that a version uses. */
  standing(file: Holder, version: Held): Standing {
    return linesOf(file, { ...version, current: version.fv_id === file.file_current_version, objects: 1 });
  }

  /** The same; nothing where there is no such file. */
  standingOf(file: Holder | undefined, version: Held): Standing {
    return file ? this.standing(file, version) : [];
  }

  /** The version that the file shows, unchanged. */
  async current(file: Holder): Promise<{ readonly version: Held; readonly standing: Standing } | null> {
    const version = await this.rows.held(file.file_current_version);
    return version ? { version, standing: this.standing(file, version) } : null;
  }

  /** The change from one state to another; nothing before: it is new, nothing after: it is deleted. */
  moved(before: Standing, after: Standing): void {
    this.meter.add(...before.map(taken), ...after);
  }

  /** How all versions of these files stand. */
  async standings(files: readonly (Holder & Pick<File, 'file_id'>)[]): Promise<Standing> {
    const byId = new Map(files.map((file) => [file.file_id, file]));
    const held = await this.rows.heldBy([...byId.keys()]);
    return held.flatMap((bytes) => {
      const file = byId.get(bytes.fv_file);
      return file ? linesOf(file, bytes) : [];
    });
  }

  /** Nothing is set aside any more for uploads that were to become versions of these files. */
  async closeAll(fileIds: readonly string[]): Promise<void> {
    for (const upload of await this.rows.openUploads(fileIds)) this.close(upload);
  }

  /** Marked pictures came. They are made once for equal bytes, whichever context shows them, and belong to no person or repository. */
  marked(pictures: MarkedPictures): void {
    this.meter.add(marks(pictures));
  }

  /** They went, with their blob or before it. */
  unmarked(pictures: MarkedPictures | undefined): void {
    if (pictures) this.meter.add(taken(marks(pictures)));
  }

  packed(archive: PackedArchive): void {
    this.meter.add(lineOf(archive));
  }

  unpacked(archive: PackedArchive): void {
    this.meter.add(taken(lineOf(archive)));
  }
}

/** The same bytes in the trash; renditions stay what they are. */
export const inTrash = (standing: Standing): Standing =>
  standing.map((line) => (line.class === 'rendition' ? line : { ...line, class: 'trash' }));

/** Archives are in the platform's storage, whose provider id is the workspace's id. */
const lineOf = ({ archive_size, job_created_by }: PackedArchive): StorageLine =>
  archived({ tenant_id: requireScope().tenant_id, bytes: archive_size ?? 0, user: job_created_by });

function marks({ blob_key, blob_marked }: MarkedPictures): StorageLine {
  const sets = Object.values(blob_marked);
  const [bytes, objects] = [sets.reduce((sum, pictures) => sum + renditionBytes(pictures), 0), keysOf(blob_marked).length];
  return {
    provider: providerOf(blob_key) ?? requireScope().tenant_id,
    class: 'rendition',
    repo_type: '',
    family: 'image',
    user: null,
    bytes,
    objects,
  };
}

function linesOf({ repo_type, file_deleted }: Holder, held: Omit<HeldBytes, 'fv_file'>): StorageLine[] {
  const shared = {
    provider: held.fv_provider ?? requireScope().tenant_id,
    repo_type,
    family: kindOf(held.fv_type),
    user: held.fv_created_by,
  };
  const shown = repo_type === 'generated' ? 'generated' : 'original';
  const bytes: StorageLine = {
    ...shared,
    class: file_deleted !== null ? 'trash' : held.current ? shown : 'version',
    bytes: held.fv_size,
    objects: held.objects,
  };
  const renditions = held.fv_replicas === '' ? 0 : held.fv_replicas.split(',').length * held.objects;
  return renditions === 0 ? [bytes] : [bytes, { ...shared, class: 'rendition', bytes: held.fv_rendition_bytes, objects: renditions }];
}
