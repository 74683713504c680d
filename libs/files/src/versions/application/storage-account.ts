import { Injectable } from '@nestjs/common';
import { StorageMeter, negatedLine, type StorageLine } from '@atrium/governance';
import { requireScope } from '@atrium/platform/database';
import type { File } from '../../core/domain/file';
import type { FileVersion } from '../domain/file-version';
import { kindOf } from '../../inspection/infrastructure';
import { VersionRows, type HeldBytes, type SetAside } from '../infrastructure/version-rows';

/** What a version takes of storage, as the row of the version and of its file say. */
export type Held = Pick<
  FileVersion,
  'fv_id' | 'fv_type' | 'fv_size' | 'fv_replicas' | 'fv_rendition_bytes' | 'fv_provider' | 'fv_created_by'
>;
type Holder = Pick<File, 'repo_type' | 'file_current_version' | 'file_deleted'>;

/** The current storage of a version, to be compared with that after a change. */
export type StorageUse = readonly StorageLine[];

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
  reserveUpload({ file_size, upl_created_by }: SetAside): Promise<void> {
    return this.meter.reserveBytes(file_size, upl_created_by);
  }

  /** The upload ended, one way or another: nothing is set aside for it any more. */
  releaseUpload({ file_size, upl_created_by }: SetAside): void {
    this.meter.releaseBytes(file_size, upl_created_by);
  }

  /** Refuses bytes that come at once when there is no room for them. */
  async assertRoom(bytes: number, user: string | null): Promise<void> {
    if (user === null) return;
    await this.meter.reserveBytes(bytes, user);
    this.meter.releaseBytes(bytes, user);
  }

  /** The storage that a version uses. */
  storageUse(file: Holder, version: Held): StorageUse {
    return linesOf(file, { ...version, current: version.fv_id === file.file_current_version, objects: 1 });
  }

  /** The same; nothing where there is no such file. */
  getUseOf(file: Holder | undefined, version: Held): StorageUse {
    return file ? this.storageUse(file, version) : [];
  }

  /** The version that the file shows, unchanged. */
  async findCurrentUse(file: Holder): Promise<{ readonly version: Held; readonly use: StorageUse } | null> {
    const version = await this.rows.findHeldVersion(file.file_current_version);
    return version ? { version, use: this.storageUse(file, version) } : null;
  }

  /** The change from one state to another; nothing before: it is new, nothing after: it is deleted. */
  recordChange(before: StorageUse, after: StorageUse): void {
    this.meter.countBytes(...before.map(negatedLine), ...after);
  }

  /** How all versions of these files stand. */
  async sumStorageUse(files: readonly (Holder & Pick<File, 'file_id'>)[]): Promise<StorageUse> {
    const byId = new Map(files.map((file) => [file.file_id, file]));
    const held = await this.rows.listHeldBytes([...byId.keys()]);
    return held.flatMap((bytes) => {
      const file = byId.get(bytes.fv_file);
      return file ? linesOf(file, bytes) : [];
    });
  }

  /** Nothing is set aside any more for uploads that were to become versions of these files. */
  async closeAll(fileIds: readonly string[]): Promise<void> {
    for (const upload of await this.rows.openUploads(fileIds)) this.releaseUpload(upload);
  }
}

/** The same bytes in the trash; renditions stay what they are. */
export const inTrash = (use: StorageUse): StorageUse =>
  use.map((line) => (line.class === 'rendition' ? line : { ...line, class: 'trash' }));

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
