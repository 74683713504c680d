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
   * Lists how long what is kept.
   *
   * Everything that this installation keeps for a number of days, with the bounds of that number, when it was last
   * applied and how much went then. Without `limit` one page holds all policies. The ETag is the version of what was chosen.
   */
  @Get()
  @Policy({ any: ['admin:settings', 'admin:storage'] })
  @ReturnsState(RetentionPolicyPage, 'All policies.')
  async list(@Query() query: ListRetention): Promise<PolicyPage> {
    const { policies, row_version } = await this.policies.list();
    return { ...pageOfRows(RetentionPolicyView, policies, query, ({ ret_key }) => ret_key), row_version };
  }

  /**
   * Changes how long what is kept.
   *
   * Days by `ret_key`; what is left out stays. Keeping longer counts at once; keeping shorter counts a day later, says so
   * in `ret_effective_at`, and is taken back by choosing the days before until then. 400 outside of the bounds and for
   * what is not kept here.
   */
  @Patch()
  @Policy({ any: ['admin:settings', 'admin:storage'] })
  @ReturnsState(RetentionPolicyPage, 'All policies as they are now.')
  @HonoursIfMatch()
  @Problems('precondition_failed')
  async change(@FromBody() body: ChangeRetention, @IfMatch() precondition?: Precondition): Promise<PolicyPage> {
    return wholeOf(await this.policies.change({ ...body }, precondition));
  }

  /**
   * Counts what a number of days would remove.
   *
   * What a run would find at this moment. Deleted files and packed archives go on the day they were given, whatever the
   * number. `held` stays for legal holds and is not among `rows`.
   */
  @Get('preview')
  @Named('previewRetention')
  @Policy({ any: ['admin:settings', 'admin:storage'] }, { rate: 'admin-report' })
  @Returns(RetentionPreview, 'What would go.')
  preview(@Query() { ret_key, days }: PreviewRetention): Promise<DueRows> {
    return this.policies.preview(ret_key, days);
  }

  /**
   * Lists when the policies were applied, and what went.
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
   * Lists what a run left for legal holds.
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
