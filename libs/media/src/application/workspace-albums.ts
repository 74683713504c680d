import { Injectable, type OnModuleInit } from '@nestjs/common';
import { WorkspacePurgers } from '@atrium/identity';

/** Albums go with their workspace, before the files that they show. */
@Injectable()
export class WorkspaceAlbums implements OnModuleInit {
  constructor(private readonly purgers: WorkspacePurgers) {}

  onModuleInit(): void {
    this.purgers.register({ context: 'media', order: 100, tables: ['album_change', 'album_snapshot_file', 'album_snapshot', 'album_file', 'album'] });
  }
}
