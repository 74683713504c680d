import { Body as FromBody, Controller, Get, Patch, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Named, Policy } from '@atrium/platform/access';
import { pageOfRows, type Page, type Precondition, type Versioned } from '@atrium/platform/database';
import { HasId, HonoursIfMatch, IfMatch, PathId, Problems, Returns, ReturnsState } from '@atrium/platform/http';
import { RetentionPolicies, type VersionedPolicies } from '../application/retention-policies';
import { RetentionRuns } from '../application/retention-runs';
import type { DueRows } from '../application/retention-targets';
import type { HeldRow, RetentionPolicy, RetentionRun } from '../domain/retention';
import {
  ChangeRetention,
  HeldRowPage,
  ListHeldRows,
  ListRetention,
  ListRetentionRuns,
  PreviewRetention,
  RetentionPolicyPage,
  RetentionPolicyView,
  RetentionPreview,
  RetentionRunPage,
} from './retention.dto';

type PolicyPage = Page<RetentionPolicy> & Versioned;

/** How long the workspace keeps what. */
@ApiTags('Storage')
@Controller('admin/retention')
export class RetentionController {
  constructor(
    private readonly policies: RetentionPolicies,
    private readonly runs: RetentionRuns,
  ) {}

  /**
   * Lists the retention policies.
   *
   * Each policy has the number of days that its data is kept, the limits of that number, and the time and result of its last run.
   * Without `limit`, one page contains all policies. The ETag is the version of the configured values.
   */
  @Get()
  @Policy({ any: ['admin:settings', 'admin:storage'] })
  @ReturnsState(RetentionPolicyPage, 'The retention policies.')
  async list(@Query() query: ListRetention): Promise<PolicyPage> {
    const { policies, row_version } = await this.policies.list();
    return { ...pageOfRows(RetentionPolicyView, policies, query, ({ ret_key }) => ret_key), row_version };
  }

  /**
   * Changes the retention policies.
   *
   * Sets the days by `ret_key`; omitted policies are not changed. A longer period applies immediately. A shorter one applies a day
   * later, at `ret_effective_at`; until then, setting the previous number cancels the change. 400 for a number outside of the limits
   * and for an unknown policy.
   */
  @Patch()
  @Policy({ any: ['admin:settings', 'admin:storage'], log: 'full' })
  @ReturnsState(RetentionPolicyPage, 'The changed retention policies.')
  @HonoursIfMatch()
  @Problems('precondition_failed')
  async change(@FromBody() body: ChangeRetention, @IfMatch() precondition?: Precondition): Promise<PolicyPage> {
    return wholeOf(await this.policies.change({ ...body }, precondition));
  }

  /**
   * Previews the number of rows that a retention period would remove.
   *
   * Counts what a run would remove now. Deleted files and existing archives are removed on their own purge date, regardless of the
   * number. `held` counts the rows under legal holds, which are not included in `rows`.
   */
  @Get('preview')
  @Named('previewRetention')
  @Policy({ any: ['admin:settings', 'admin:storage'] }, { rate: 'admin-report' })
  @Returns(RetentionPreview, 'What a run would remove.')
  preview(@Query() { ret_key, days }: PreviewRetention): Promise<DueRows> {
    return this.policies.previewPolicy(ret_key, days);
  }

  /**
   * Lists the runs of the retention policies.
   *
   * Sorted by start time, newest first. Every policy is applied once a day, after three in the morning in the time zone of the
   * workspace.
   */
  @Get('runs')
  @Policy({ any: ['admin:settings', 'admin:storage'] })
  @Returns(RetentionRunPage, 'A page of runs.')
  listRuns(@Query() query: ListRetentionRuns): Promise<Page<RetentionRun>> {
    return this.runs.list(query);
  }

  /**
   * Lists the rows that a retention run kept because of legal holds.
   *
   * At most 10,000 for each run; `run_held` is the full count.
   */
  @Get('runs/:id/held')
  @Named('listRetentionRunHeld')
  @Policy({ any: ['admin:settings', 'admin:storage'] })
  @HasId('id', 'Id of the run.')
  @Returns(HeldRowPage, 'A page of kept rows.')
  held(@PathId() id: string, @Query() query: ListHeldRows): Promise<Page<HeldRow>> {
    return this.runs.listHeldRows(id, query);
  }
}

const wholeOf = ({ policies, row_version }: VersionedPolicies): PolicyPage => ({
  data: policies,
  has_more: false,
  next_cursor: null,
  row_version,
});
