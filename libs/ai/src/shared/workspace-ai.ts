import { Injectable, type OnModuleInit } from '@nestjs/common';
import { WorkspacePurgers } from '@atrium/identity';

/** What all areas keep goes with the workspace, before the files that it refers to. */
@Injectable()
export class WorkspaceAi implements OnModuleInit {
  constructor(private readonly purgers: WorkspacePurgers) {}

  onModuleInit(): void {
    this.purgers.register({
      context: 'ai',
      order: 40,
      tables: [
        'run_tool_call',
        'run_step',
        'run',
        'message_file',
        'message',
        'thread_presence',
        'thread_grant',
        'thread',
        'memory',
        'memory_forgotten',
        'prompt_category_link',
        'prompt_wildcard',
        'prompt_revision',
        'prompt',
        'prompt_category',
        'wildcard',
        'space_member',
        'space',
        'agent_revision',
        'agent',
      ],
    });
  }
}
