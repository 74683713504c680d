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

/** External systems whose data is kept in sync with objects. */
@ApiTags('Object sources')
@Controller('object-sources')
export class ObjectSourcesController {
  constructor(
    private readonly sources: SourcesService,
    private readonly trial: SourceTrial,
  ) {}

  /**
   * Lists the object sources.
   *
   * The newest come first.
   */
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
   * The source is not contacted. Test it first with `POST /object-sources/test`, and run it with `POST
   * /object-sources/{id}/sync` or by `osr_cron`. Fails with 422 if the URL is private or does not exist.
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
   * Tests an object source without storing anything.
   *
   * Reads the first page that has rows and returns up to 5 of them, each with the result of the mapping. Fails with
   * 422 and the reason if the source cannot be reached or its response does not match the settings.
   */
  @Post('test')
  @HttpCode(200)
  @Named('testObjectSource')
  @Policy(EDIT)
  @Returns(ObjectSourceTrialView, 'The sample.')
  @Problems('invalid_state', 'unprocessable_content', 'upstream_failed', 'upstream_timeout', 'service_unavailable')
  test(@Caller() caller: Principal, @FromBody() body: TestObjectSource): Promise<Trial> {
    return this.trial.runTrial(caller, body);
  }

  /** Reads an object source. */
  @Get(':id')
  @Named('readObjectSource')
  @Policy(VIEW)
  @HasId('id', 'Id of the source.')
  @ReturnsState(ObjectSourceView)
  get(@PathId() id: string): Promise<SourceRow> {
    return this.sources.get(id);
  }

  /**
   * Changes an object source.
   *
   * Omitted fields stay as they are; `osr_config` and `osr_mapping` are replaced as a whole. A run in progress
   * continues with the settings it started with. If the host of the source or the TLS settings of a database change,
   * you must enter the credentials again.
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
   * Its objects are kept, without a source; if there are many, they are updated in the background. A run in progress
   * stops at its next step.
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
   * Reads the whole source. Rows that have not changed since the last run are not written. Objects whose rows are
   * missing are handled according to `osr_on_missing` once the run has read everything, unless they are more than
   * `osr_delete_limit` percent. Fails with 409 while the source is running.
   */
  @Post(':id/sync')
  @Named('syncObjectSource')
  @Policy(EDIT)
  @HasId('id', 'Id of the source.')
  @Starts(ObjectSyncRunView, 'object-sources/{job_source}/runs/{job_id}')
  @Problems('invalid_state')
  sync(@Caller() caller: Principal, @PathId() id: string, @FromBody() body: SyncObjectSource): Promise<RunRow> {
    return this.sources.startSync(caller, id, body);
  }
}
