import { Injectable, type OnModuleInit } from '@nestjs/common';
import { WorkspacePurgers } from '@atrium/identity';

const SHARE_TABLES = [
  'share_verdict',
  'share_download',
  'share_upload',
  'share_visit',
  'share_device',
  'share_event',
  'share_token',
  'share_link',
] as const;

/** What leaves a workspace goes with it, before the albums and files it shows. */
@Injectable()
export class WorkspaceDistribution implements OnModuleInit {
  constructor(private readonly purgers: WorkspacePurgers) {}

  onModuleInit(): void {
    this.purgers.register({ context: 'distribution', order: 50, tables: [...SHARE_TABLES] });
  }
}
