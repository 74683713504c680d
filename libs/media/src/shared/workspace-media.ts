import { Injectable, type OnModuleInit } from '@nestjs/common';
import { WorkspacePurgers } from '@atrium/identity';

/** What all areas keep goes with the workspace, before the files that it is about: each context registers its tables once. */
@Injectable()
export class WorkspaceMedia implements OnModuleInit {
  constructor(private readonly purgers: WorkspacePurgers) {}

  onModuleInit(): void {
    this.purgers.register({
      context: 'media',
      order: 100,
      tables: [
        'file_analysis',
        'media_analysis_schema',
        'duplicate_merge',
        'duplicate_dismissal',
        'duplicate_group_file',
        'duplicate_group',
        'album_change',
        'album_snapshot_file',
        'album_snapshot',
        'album_file',
        'album',
        'face_suggestion',
        'face_rejection',
        'face_erasure',
        'face_scan',
        'person_merge',
        'person_pref',
        'face',
        'person',
        'stock_import',
        'consent_expiry_position',
        'file_rights_notice',
        'file_tag_refusal',
        'file_tag',
        'media_tag_word',
        'media_tag',
        'media_tag_group',
        'media_status_flow',
      ],
    });
  }
}
