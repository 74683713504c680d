import { Injectable, type OnModuleInit } from '@nestjs/common';
import { WorkspacePurgers } from '@atrium/identity';

/** Everything that the areas keep goes with the workspace, before the files that pages refer to. */
@Injectable()
export class WorkspaceWebsites implements OnModuleInit {
  constructor(private readonly purgers: WorkspacePurgers) {}

  onModuleInit(): void {
    this.purgers.register({
      context: 'website',
      order: 107,
      tables: [
        'cms_news',
        'cms_run_page',
        'cms_run',
        'cms_link',
        'cms_asset',
        'cms_component',
        'cms_connection',
        'site_redirect',
        'preview_link',
        'publish_schedule_node',
        'publish_schedule',
        'page_publication',
        'page_snapshot_ref',
        'page_snapshot',
        'page_version',
        'page_part',
        'node_reference',
        'node_locale',
        'node',
        'site',
        'content_schema',
        'content_library',
      ],
    });
  }
}
