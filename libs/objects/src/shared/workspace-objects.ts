import { Injectable, type OnModuleInit } from '@nestjs/common';
import { WorkspacePurgers } from '@atrium/identity';

/** Everything that the areas keep goes with the workspace, before the files and forms that it refers to. */
@Injectable()
export class WorkspaceObjects implements OnModuleInit {
  constructor(private readonly purgers: WorkspacePurgers) {}

  onModuleInit(): void {
    this.purgers.register({
      context: 'objects',
      order: 106,
      tables: [
        'object_import_fault',
        'object_import',
        'object_transition',
        'object_revision',
        'object',
        'object_flow',
        'object_source_removal',
        'object_sync_seen',
        'object_sync_row',
        'object_sync_run',
        'object_source',
        'term',
        'taxonomy',
      ],
    });
  }
}
