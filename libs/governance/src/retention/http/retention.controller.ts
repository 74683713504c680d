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
   * Each policy has the number of days that its data are kept, the limits of that number, and the time and result of its last
   * run. Without `limit` one page holds all policies. The ETag is the version of the chosen values.
   */
  @Get()
  @Policy({ any: ['admin:settings', 'admin:storage'] })
  @ReturnsState(RetentionPolicyPage, 'All policies.')
  async list(@Query() query: ListRetention): Promise<PolicyPage> {
    const { policies, row_version } = await this.policies.list();
    return { ...pageOfRows(RetentionPolicyView, policies, query, ({ ret_key }) => ret_key), row_version };
  }

  /**
   * Changes the retention policies.
   *
   * Sets the days by `ret_key`; policies that are left out stay as they are. A longer period applies immediately. A shorter one
   * applies a day later, at `ret_effective_at`; until then, setting the previous number cancels the change. 400 for a number
   * outside of the limits and for an unknown policy.
   */
  @Patch()
  @Policy({ any: ['admin:settings', 'admin:storage'], log: 'full' })
  @ReturnsState(RetentionPolicyPage, 'All policies as they are now.')
  @HonoursIfMatch()
  @Problems('precondition_failed')
  async change(@FromBody() body: ChangeRetention, @IfMatch() precondition?: Precondition): Promise<PolicyPage> {
    return wholeOf(await this.policies.change({ ...body }, precondition));
  }

  /**
   * Previews the number of rows that a retention period would remove.
   *
   * What a run would find at this moment. Deleted files and packed archives are removed on the date they were given, whatever the
   * number. `held` counts the rows that legal holds keep; they are not included in `rows`.
   */
  @Get('preview')
  @Named('previewRetention')
  @Policy({ any: ['admin:settings', 'admin:storage'] }, { rate: 'admin-report' })
  @Returns(RetentionPreview, 'What would go.')
  preview(@Query() { ret_key, days }: PreviewRetention): Promise<DueRows> {
    return this.policies.preview(ret_key, days);
  }

  /**
   * Lists the runs of the retention policies.
   *
   * Newest first; every policy is applied once a day, after three in the morning by the clock of the workspace.
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
   * Up to 10,000 of each run; `run_held` counts all.
   */
  @Get('runs/:id/held')
  @Named('listRetentionRunHeld')
  @Policy({ any: ['admin:settings', 'admin:storage'] })
  @HasId('id', 'Id of the run.')
  @Returns(HeldRowPage, 'A page of what was left.')
  held(@PathId() id: string, @Query() query: ListHeldRows): Promise<Page<HeldRow>> {
    return this.runs.held(id, query);
  }
}

const wholeOf = ({ policies, row_version }: VersionedPolicies): PolicyPage => ({
  data: policies,
  has_more: false,
  next_cursor: null,
  row_version,
});
