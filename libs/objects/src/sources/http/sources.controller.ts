import { Body as FromBody, Controller, Delete, Get, HttpCode, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import type { Page, Precondition } from '@atrium/platform/database';
import { Creates, Deletes, HasId, HonoursIfMatch, IfMatch, PathId, Problems, Returns, ReturnsState, Starts } from '@atrium/platform/http';
import { SourceTrial, type Trial } from '../application/source-trial';
import { SourcesService, type SourceRow } from '../application/sources.service';
import type { RunRow } from '../application/runs.service';
import { ObjectSyncRunView } from './runs.dto';
import {
  ChangeObjectSource,
  CreateObjectSource,
  ListObjectSources,
  ObjectSourcePage,
  ObjectSourceTrialView,
  ObjectSourceView,
  SyncObjectSource,
  TestObjectSource,
} from './sources.dto';

const EDIT = { all: ['object:source:edit'], license: 'module-objects' } as const;
const VIEW = { any: ['object:view'], license: 'module-objects' } as const;

/** Systems that objects are kept in step with. */
@ApiTags('Object sources')
@Controller('object-sources')
export class ObjectSourcesController {
  constructor(
    private readonly sources: SourcesService,
    private readonly trial: SourceTrial,
  ) {}

  /** Lists the object sources, newest first. */
  @Get()
  @Named('listObjectSources')
  @Policy(VIEW)
  @Returns(ObjectSourcePage, 'A page of sources.')
  list(@Query() query: ListObjectSources): Promise<Page<SourceRow>> {
    return this.sources.list(query);
  }

  /**
   * Creates an object source.
   *
   * Nothing is asked of it yet: try it with `POST /object-sources/test` first, and run it with `POST /object-sources/{id}/sync` or by
   * `osr_cron`. An address that is private, or does not exist, answers 422.
   */
  @Post()
  @Named('createObjectSource')
  @Policy(EDIT)
  @Creates(ObjectSourceView, 'object-sources/{osr_id}')
  @Problems('already_exists', 'invalid_state', 'limit_reached', 'unprocessable_content', 'upstream_failed', 'upstream_timeout')
  create(@Caller() caller: Principal, @FromBody() body: CreateObjectSource): Promise<SourceRow> {
    return this.sources.create(caller, body);
  }

  /**
   * Tries an object source without storing anything.
   *
   * Reads its first page with rows and answers up to 5 of them with what the mapping makes of each. A source that cannot be reached,
   * or does not answer what the settings expect, answers 422 with the reason.
   */
  @Post('test')
  @HttpCode(200)
  @Named('testObjectSource')
  @Policy(EDIT)
  @Returns(ObjectSourceTrialView, 'The sample.')
  @Problems('invalid_state', 'unprocessable_content', 'upstream_failed', 'upstream_timeout', 'service_unavailable')
  test(@Caller() caller: Principal, @FromBody() body: TestObjectSource): Promise<Trial> {
    return this.trial.run(caller, body);
  }

  /** Reads an object source. */
  @Get(':id')
  @Named('readObjectSource')
  @Policy(VIEW)
  @HasId('id', 'Id of the source.')
  @ReturnsState(ObjectSourceView)
  one(@PathId() id: string): Promise<SourceRow> {
    return this.sources.one(id);
  }

  /**
   * Changes an object source.
   *
   * Only the fields present are applied; `osr_config` and `osr_mapping` are replaced whole. A run that is under way goes on with the
   * settings it began with. When the address moves to another host, or another certificate
   * of a database is accepted, the credentials must be entered again.
   */
  @Patch(':id')
  @Named('changeObjectSource')
  @Policy(EDIT)
  @HasId('id', 'Id of the source.')
  @HonoursIfMatch()
  @ReturnsState(ObjectSourceView)
  @Problems('already_exists', 'invalid_state', 'precondition_failed', 'unprocessable_content', 'upstream_failed', 'upstream_timeout')
  change(@PathId() id: string, @FromBody() body: ChangeObjectSource, @IfMatch() precondition?: Precondition): Promise<SourceRow> {
    return this.sources.change(id, body, precondition);
  }

  /**
   * Deletes an object source with its runs.
   *
   * Its objects stay, no longer bound to a source; of many objects that is done in the background. A run that is under way stops at
   * its next step.
   */
  @Delete(':id')
  @Named('deleteObjectSource')
  @Policy(EDIT)
  @HasId('id', 'Id of the source.')
  @HonoursIfMatch()
  @Deletes()
  @Problems('precondition_failed')
  remove(@PathId() id: string, @IfMatch() precondition?: Precondition): Promise<void> {
    return this.sources.remove(id, precondition);
  }

  /**
   * Runs an object source now.
   *
   * Reads the whole source. Rows that say what they said last write nothing; objects whose rows are gone are handled by
   * `osr_on_missing` once the pass is complete, unless they are more than `osr_delete_limit` percent. While it runs the answer is
   * 409.
   */
  @Post(':id/sync')
  @Named('syncObjectSource')
  @Policy(EDIT)
  @HasId('id', 'Id of the source.')
  @Starts(ObjectSyncRunView, 'object-sources/{job_source}/runs/{job_id}')
  @Problems('invalid_state')
  sync(@Caller() caller: Principal, @PathId() id: string, @FromBody() body: SyncObjectSource): Promise<RunRow> {
    return this.sources.sync(caller, id, body);
  }
}
