import { Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import type { Page } from '@atrium/platform/database';
import { HasId, PathId, Problems, Returns } from '@atrium/platform/http';
import { RunsService, type RunRow, type SyncRowView } from '../application/runs.service';
import { ListSyncRows, ListSyncRuns, ObjectSyncRowPage, ObjectSyncRunPage, ObjectSyncRunView } from './runs.dto';

const VIEW = { any: ['object:view'], license: 'module-objects' } as const;

/** Passes over object sources. */
@ApiTags('Object sources')
@Controller('object-sources/:id/runs')
export class ObjectSyncRunsController {
  constructor(private readonly runs: RunsService) {}

  /**
   * Lists the sync runs of an object source.
   *
   * Sorted by creation time, newest first. Finished runs are kept for as long as the workspace keeps job records.
   */
  @Get()
  @Named('listObjectSyncRuns')
  @Policy(VIEW)
  @HasId('id', 'Id of the source.')
  @Returns(ObjectSyncRunPage, 'A page of runs.')
  list(@PathId() id: string, @Query() query: ListSyncRuns): Promise<Page<RunRow>> {
    return this.runs.list(id, query);
  }

  /** Reads a sync run of an object source with its progress and outcome. */
  @Get(':job_id')
  @Named('readObjectSyncRun')
  @Policy(VIEW)
  @HasId('id', 'Id of the source.')
  @HasId('job_id', 'Id of the run.')
  @Returns(ObjectSyncRunView, 'The run.')
  get(@PathId() id: string, @PathId('job_id') job_id: string): Promise<RunRow> {
    return this.runs.get(id, job_id);
  }

  /**
   * Lists the outcomes of the rows of a sync run.
   *
   * In the order in which they were processed. Rows without changes are only counted in the run.
   */
  @Get(':job_id/rows')
  @Named('listObjectSyncRows')
  @Policy(VIEW)
  @HasId('id', 'Id of the source.')
  @HasId('job_id', 'Id of the run.')
  @Returns(ObjectSyncRowPage, 'A page of rows.')
  rows(
    @Caller() caller: Principal,
    @PathId() id: string,
    @PathId('job_id') job_id: string,
    @Query() query: ListSyncRows,
  ): Promise<Page<SyncRowView>> {
    return this.runs.listRows(caller, id, job_id, query);
  }

  /**
   * Cancels a sync run of an object source.
   *
   * Changes made until then are kept; nothing more is read or deactivated. A finished run returns 409.
   */
  @Post(':job_id/cancel')
  @HttpCode(200)
  @Named('cancelObjectSyncRun')
  @Policy({ all: ['object:source:edit'], license: 'module-objects' })
  @HasId('id', 'Id of the source.')
  @HasId('job_id', 'Id of the run.')
  @Returns(ObjectSyncRunView, 'The cancelled run.')
  @Problems('invalid_state')
  cancel(@PathId() id: string, @PathId('job_id') job_id: string): Promise<RunRow> {
    return this.runs.cancel(id, job_id);
  }
}
