import { Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import type { Page } from '@atrium/platform/database';
import { HasId, PathId, Problems, Returns } from '@atrium/platform/http';
import { KnowledgeJobPage, KnowledgeJobView, ListKnowledgeJobs } from './jobs.dto';
import { JobsService, type JobAnswer } from '../application/jobs.service';

/** Imports, exports and crawls of a base. */
@ApiTags('Knowledge base jobs')
@Controller('knowledge-bases/:id/jobs')
export class KnowledgeJobsController {
  constructor(private readonly jobs: JobsService) {}

  /**
   * Lists the jobs of a knowledge base: imports, exports and crawls.
   *
   * Sorted by creation time, newest first. Everyone who may read the base can see them; finished jobs are kept for as long as the
   * workspace keeps job records.
   */
  @Get()
  @Named('listKnowledgeJobs')
  @Policy({ any: ['knowledge-base:view'] })
  @HasId('id', 'Id of the knowledge base.')
  @Returns(KnowledgeJobPage, 'A page of jobs.')
  list(@Caller() caller: Principal, @PathId() id: string, @Query() query: ListKnowledgeJobs): Promise<Page<JobAnswer>> {
    return this.jobs.list(caller, id, query);
  }

  /** Reads a job of a knowledge base with its progress and outcome. */
  @Get(':job_id')
  @Named('readKnowledgeJob')
  @Policy({ any: ['knowledge-base:view'] })
  @HasId('id', 'Id of the knowledge base.')
  @HasId('job_id', 'Id of the job.')
  @Returns(KnowledgeJobView, 'The job.')
  get(@Caller() caller: Principal, @PathId() id: string, @PathId('job_id') job_id: string): Promise<JobAnswer> {
    return this.jobs.get(caller, id, job_id);
  }

  /**
   * Cancels a job of a knowledge base.
   *
   * Work done until then is kept, except for an import with `on_error: abort`, of which nothing is kept. A finished job returns 409.
   */
  @Post(':job_id/cancel')
  @HttpCode(200)
  @Named('cancelKnowledgeJob')
  @Policy({ all: ['knowledge-base:write'] })
  @HasId('id', 'Id of the knowledge base.')
  @HasId('job_id', 'Id of the job.')
  @Returns(KnowledgeJobView, 'The cancelled job.')
  @Problems('invalid_state')
  cancel(@Caller() caller: Principal, @PathId() id: string, @PathId('job_id') job_id: string): Promise<JobAnswer> {
    return this.jobs.cancel(caller, id, job_id);
  }
}
