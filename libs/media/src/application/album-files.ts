import { Injectable, type OnModuleInit } from '@nestjs/common';
import { FileLifecycle, type File } from '@atrium/files';
import { MembershipsRepository } from '../infrastructure/memberships.repository';

/** Keeps memberships in step with the files: hidden while a file is in trash, gone when it is purged. */
@Injectable()
export class AlbumFiles implements OnModuleInit {
  constructor(
    private readonly lifecycle: FileLifecycle,
    private readonly memberships: MembershipsRepository,
  ) {}

  onModuleInit(): void {
    this.lifecycle.register({
      onTrashed: (files) => this.memberships.setHidden(idsOf(files), true),
      onRestored: (files) => this.memberships.setHidden(idsOf(files), false),
    });
  }
}

const idsOf = (files: readonly File[]): string[] => files.map((file) => file.file_id);
