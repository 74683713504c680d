import { Injectable } from '@nestjs/common';
import { Handles, type JobRun } from '@atrium/platform/messaging';
import { WorkspacePurge } from '../application/workspace-purge';
import { workspacePurge, type WorkspacePurgePayload } from './workspace-purge.jobs';

/** Runs `identity.workspace-purge`. */
@Injectable()
export class WorkspacePurgeHandler {
  constructor(private readonly purge: WorkspacePurge) {}

  @Handles(workspacePurge)
  purgeWorkspace({ tenant_id }: WorkspacePurgePayload, run: JobRun): Promise<void> {
    return this.purge.purgeWorkspace(tenant_id, run);
  }
}
