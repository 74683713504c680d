import { Controller, Delete, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Named, Policy, self } from '@atrium/platform/access';
import type { Precondition, Versioned } from '@atrium/platform/database';
import { HasId, HonoursIfMatch, IfMatch, PathId, Problems, ReturnsState } from '@atrium/platform/http';
import { BackgroundJobs, type BackgroundJob } from '@atrium/platform/messaging';
import { JobView } from './jobs.dto';

/** Permissions with which such work is started. */
const ASKERS = ['admin:users', 'admin:audit', 'object:edit', 'object:taxonomy:edit', 'object:lifecycle:edit'] as const;

/** Background work that its context shows at no route of its own. */
@ApiTags('Jobs')
@Controller('jobs')
export class JobsController {
  constructor(private readonly jobs: BackgroundJobs) {}

  /**
   * Reads a background job.
   *
   * Poll it where a 202 named it. Only who asked for the work sees it. The ETag changes
   * with `status`, not with the counts.
   */
  @Get(':job_id')
  @Policy(self, { byKey: ASKERS })
  @HasId('job_id', 'Id of the job.')
  @ReturnsState(JobView, 'The job.')
  @Problems('not_found')
  one(@PathId('job_id') id: string): Promise<BackgroundJob & Versioned> {
    return this.jobs.get(id);
  }

  /**
   * Cancels a background job.
   *
   * It stops at its next checkpoint; what it has done until then stays. A finished job is left alone.
   */
  @Delete(':job_id')
  @Named('cancelJob')
  @Policy(self, { byKey: ASKERS })
  @HasId('job_id', 'Id of the job.')
  @HonoursIfMatch()
  @ReturnsState(JobView, 'The current state of the job.')
  @Problems('not_found', 'precondition_failed')
  cancel(@PathId('job_id') id: string, @IfMatch() precondition?: Precondition): Promise<BackgroundJob & Versioned> {
    return this.jobs.cancel(id, precondition);
  }
}
