import { Controller, Delete, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, self, type Principal } from '@atrium/platform/access';
import type { Page, Precondition, Versioned } from '@atrium/platform/database';
import { HasId, HonoursIfMatch, IfMatch, JobPage, JobView, ListJobs, PathId, Problems, Returns, ReturnsState } from '@atrium/platform/http';
import { JobDirectory, type Job } from '@atrium/platform/messaging';

/** All background work of a workspace, in one shape. */
@ApiTags('Jobs')
@Controller('jobs')
export class JobsController {
  constructor(private readonly jobs: JobDirectory) {}

  /**
   * Lists background jobs, newest first.
   *
   * Returns the jobs that you requested and those whose subject you can see: imports, exports, crawls, syncs, downloads, file
   * jobs, file analyses that members requested, privacy requests, schema changes and retention runs. You can always see and cancel
   * what you requested; `result` and `error` are null while you have no permission for the kind of job or cannot see its subject.
   * Scheduled work has no requester. An API key sees the kinds that its scopes reach. Finished jobs are kept for as long as the
   * workspace keeps job records, and the last change of each schema for as long as the schema.
   */
  @Get()
  @Policy(self)
  @Returns(JobPage, 'A page of jobs.')
  list(@Caller() caller: Principal, @Query() query: ListJobs): Promise<Page<Job>> {
    return this.jobs.list(caller, query);
  }

  /**
   * Retrieves a background job.
   *
   * Poll it at the `Location` of the 202 response that started it. The ETag changes with `status`, not with the counts. A job
   * that you did not request and whose subject you cannot see returns 404.
   */
  @Get(':job_id')
  @Policy(self)
  @HasId('job_id', 'Id of the job.')
  @ReturnsState(JobView, 'The job.')
  @Problems('not_found')
  get(@Caller() caller: Principal, @PathId('job_id') id: string): Promise<Job & Versioned> {
    return this.jobs.get(caller, id);
  }

  /**
   * Cancels a background job.
   *
   * The job stops at its next checkpoint; what it has done until then is kept, except by imports with `on_error: abort`, which keep
   * nothing. A finished job is returned unchanged. Schema changes, retention runs, running privacy requests and erasures that have
   * begun cannot be cancelled (409).
   */
  @Delete(':job_id')
  @Named('cancelJob')
  @Policy(self)
  @HasId('job_id', 'Id of the job.')
  @HonoursIfMatch()
  @ReturnsState(JobView, 'The current state of the job.')
  @Problems('not_found', 'precondition_failed', 'invalid_state')
  cancel(@Caller() caller: Principal, @PathId('job_id') id: string, @IfMatch() precondition?: Precondition): Promise<Job & Versioned> {
    return this.jobs.cancel(caller, id, precondition);
  }
}
