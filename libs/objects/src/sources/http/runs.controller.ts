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
   * Lists the runs of an object source, newest first.
   *
   * Finished ones are kept for as long as the workspace keeps job records.
   */
  @Get()
  @Named('listObjectSyncRuns')
  @Policy(VIEW)
  @HasId('id', 'Id of the source.')
  @Returns(ObjectSyncRunPage, 'A page of runs.')
  list(@PathId() id: string, @Query() query: ListSyncRuns): Promise<Page<RunRow>> {
    return this.runs.list(id, query);
  }

  /** Reads a run of an object source: how far it is and how it ended. */
  @Get(':job_id')
  @Named('readObjectSyncRun')
  @Policy(VIEW)
  @HasId('id', 'Id of the source.')
  @HasId('job_id', 'Id of the run.')
  @Returns(ObjectSyncRunView, 'The run.')
  one(@PathId() id: string, @PathId('job_id') job_id: string): Promise<RunRow> {
    return this.runs.one(id, job_id);
  }

  /**
   * Lists what became of the rows of a run of an object source.
   *
   * In the order in which they were handled; rows that changed nothing are counted in the run alone.
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
    return this.runs.rowsOf(caller, id, job_id, query);
  }

  /**
   * Cancels a run of an object source.
   *
   * What is written stays; nothing more is read or deactivated. A finished run answers 409.
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
