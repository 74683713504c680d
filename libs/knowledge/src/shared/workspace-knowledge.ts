import { Injectable, type OnModuleInit } from '@nestjs/common';
import { WorkspacePurgers } from '@atrium/identity';

/** What all areas keep goes with the workspace, before the files and forms that it refers to. */
@Injectable()
export class WorkspaceKnowledge implements OnModuleInit {
  constructor(private readonly purgers: WorkspacePurgers) {}

  onModuleInit(): void {
    this.purgers.register({
      context: 'knowledge',
      order: 105,
      tables: [
        'knowledge_job_fault',
        'knowledge_job',
        'crawl_page',
        'knowledge_crawl',
        'ds_file',
        'knowledge_record_version',
        'knowledge_record',
        'knowledge_base_tally',
        'knowledge_base',
      ],
    });
  }
}
