import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { invalidField } from '@atrium/platform/kernel';
import type { File } from '../domain/file';
import type { Repository } from '../domain/repositories';

/** What an upload may carry for the context above that owns the library. */
export interface UploadExtras {
  readonly album_ids: readonly string[];
}

/** Port of the context that knows the extras (the media library); it registers at start. */
export interface UploadExtension {
  /** Refuses extras that could not be applied; called within the unit of work that opens the upload. */
  validate(caller: Principal, repository: Repository, extras: UploadExtras): Promise<void>;
  /** Applies them to the new file, within the unit of work that makes it; what is gone meanwhile is passed over. */
  apply(caller: Principal, file: File, extras: UploadExtras): Promise<void>;
}

/** The extension known to this process; without one no extras are taken. */
@Injectable()
export class UploadExtensions {
  private extension: UploadExtension | undefined;

  register(extension: UploadExtension): void {
    if (this.extension) throw new Error('Two contexts want to apply the extras of uploads.');
    this.extension = extension;
  }

  async validate(caller: Principal, repository: Repository, extras: UploadExtras): Promise<void> {
    if (extras.album_ids.length === 0) return;
    if (repository.type !== 'media' || !this.extension) throw invalidField('album_ids', 'is for uploads to the media library only', 'not_applicable');
    await this.extension.validate(caller, repository, extras);
  }

  async apply(caller: Principal, file: File, extras: UploadExtras): Promise<void> {
    if (extras.album_ids.length > 0) await this.extension?.apply(caller, file, extras);
  }
}
