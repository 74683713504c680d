import { Choice, Flag, IdList, Json, NestedList, Ref, Stamp, Text, TextList, Whole } from '@atrium/platform/database';
import { Accepts, Answer, PageOf, View, acceptParameter } from '@atrium/platform/http';
import { IsIn } from 'class-validator';
import type { JsonObject } from '@atrium/platform/kernel';
import { RUN_DIRECTIONS, SyncRun, type RunDirection } from '../domain/sync-run';
import { PAGE_ACTIONS, PAGE_STATUSES, type PageAction, type PageStatus } from '../domain/run-page';
import { RESOLUTIONS, type Resolution } from '../domain/sync-rules';
import { VERDICTS, type Verdict } from '../domain/verdict';
import type { ShownStatus } from '../application/run-views';

const SHOWN_STATUSES = ['queued', 'running', 'completed', 'partial', 'failed', 'cancelled', 'stalled', 'retried'] as const;
const PAGES = 1_000;

@Answer()
export class CmsRunView extends View(SyncRun, { without: ['status', 'request'] }) {
  @Choice(SHOWN_STATUSES, {
    about:
      'Status: `partial` if pages failed, were held back or left for a person; `stalled` if the worker stopped reporting; `retried` if another run tries the failed pages again.',
    example: 'completed',
  })
  status!: ShownStatus;
  @Json({ about: 'What was requested.', example: { resolution: 'manual' } }) request!: JsonObject;
  @Ref({ optional: true, about: 'Member who requested it; null if nobody did.' }) user_id!: string | null;
  @Text({ optional: true, about: 'Name of that member.', example: 'Ada Lovelace' }) user_name!: string | null;
  @Ref({ optional: true, about: 'Run that tries the failed pages of this one again.' }) retried_by!: string | null;
  @Flag({ about: 'Whether the worker stopped reporting progress. Another worker continues on its own; `resume` makes one do it at once.' })
  stalled!: boolean;
  @Whole({ optional: true, about: 'Duration in milliseconds so far; null before it starts.', example: 84_000 }) duration_ms!: number | null;
  @Whole({ about: 'Number of times that another worker continued it.', example: 0 }) resumed!: number;
}
export class RunPageList extends PageOf(CmsRunView) {}

@Answer()
export class RunPageView {
  @Whole({ about: 'Number of the page within the run.', example: 12 }) crp_seq!: number;
  @Text({ optional: true, about: 'Identity of the page in the CMS.' }) crp_external_id!: string | null;
  @Ref({ optional: true, about: 'Id of the page here.' }) crp_node!: string | null;
  @Text({ optional: true, about: 'Path of the page.', example: 'products/lamp' }) crp_external_path!: string | null;
  @Text({ about: 'Name of the page.', example: 'Desk lamps' }) crp_name!: string;
  @Choice(PAGE_STATUSES, {
    about: '`held` for deletions that were too many, `unsettled` for conflicts that are left to a person.',
    example: 'done',
  })
  crp_status!: PageStatus;
  @Choice(PAGE_ACTIONS, { optional: true, about: 'What the run does with the page.', example: 'update' }) crp_action!: PageAction | null;
  @Choice(VERDICTS, { optional: true, about: 'Result of the comparison.', example: 'remote_changed' }) crp_verdict!: Verdict | null;
  @Flag({ about: 'Whether the page was published.' }) crp_published!: boolean;
  @Json({ optional: true, about: 'Why it failed: {code, message, at}.', example: null }) crp_error!: JsonObject | null;
  @Stamp({ optional: true, about: 'When it was processed.' }) crp_finished!: Date | null;
}
export class RunPagePage extends PageOf(RunPageView) {}

@Answer()
export class FinishedRunView extends CmsRunView {
  @NestedList(() => RunPageView, { optional: true, omittable: true, about: 'Pages of the run, at most 1,000, once it has finished.' })
  pages?: RunPageView[] | null;
}

const RESOLUTION = {
  omittable: true,
  about: 'Which side wins where both changed a page; `manual` leaves it. Default: `manual` for a pull, `local` for a push.',
  example: 'remote',
} as const;
const PUBLISH = { omittable: true, about: 'Whether moved pages are published where they arrive. Default: false.' } as const;
const FORCE = {
  omittable: true,
  about: 'Whether pages are moved that need not be, and deletions that are too many. Default: false.',
} as const;
const DRY = { omittable: true, about: 'Whether the run only shows what it would do. Default: false.' } as const;

@Accepts()
export class MovePages {
  @Choice(RESOLUTIONS, RESOLUTION) resolution?: Resolution;
  @IdList({ omittable: true, max: PAGES, about: 'Pages here that are moved; all pages when both lists are omitted.' }) nodeIds?: string[];
  @TextList({ omittable: true, max: PAGES, about: 'Pages in the CMS that are moved, by their identity.', example: [] })
  externalIds?: string[];
  @TextList({
    omittable: true,
    max: VERDICTS.length,
    about: 'Verdicts whose pages are moved; all but the two deletions when omitted.',
    example: ['remote_changed'],
  })
  @IsIn(VERDICTS, { each: true, message: `choice|must be of ${VERDICTS.join(', ')}` })
  statuses?: Verdict[];
  @Flag(PUBLISH) publish?: boolean;
  @Flag(FORCE) force?: boolean;
  @Flag({ omittable: true, about: 'Whether to return 202 at once. Default: false.' }) background?: boolean;
  @Flag(DRY) dryRun?: boolean;
}

@Accepts()
export class MovePage {
  @Choice(RESOLUTIONS, RESOLUTION) resolution?: Resolution;
  @Flag(PUBLISH) publish?: boolean;
  @Flag(FORCE) force?: boolean;
  @Flag(DRY) dryRun?: boolean;
}

@Accepts()
export class PushSchemas {
  @IdList({ omittable: true, max: 500, about: 'Content schemas to send; all of the library of the site when omitted.' })
  templateIds?: string[];
}

/** Query of GET /sites/{id}/cms/sync-jobs. */
@Accepts()
export class ListRuns {
  limit?: number;
  direction?: RunDirection;
}
acceptParameter(ListRuns, { name: 'limit', kind: 'whole', min: 1, about: 'Number of runs, at most 100. Default: 50.' });
acceptParameter(ListRuns, { name: 'direction', kind: 'choice', values: RUN_DIRECTIONS, about: 'Direction. Default: pull and push.' });

/** Query of GET /sites/{id}/cms/sync-jobs/{job_id}/pages. */
@Accepts()
export class ListRunPages {
  status?: PageStatus;
  action?: PageAction;
  limit?: number;
  cursor?: string;
}
acceptParameter(ListRunPages, { name: 'status', kind: 'choice', values: PAGE_STATUSES, about: 'Status of the page.' });
acceptParameter(ListRunPages, { name: 'action', kind: 'choice', values: PAGE_ACTIONS, about: 'What the run does with the page.' });
acceptParameter(ListRunPages, { name: 'limit', kind: 'whole', min: 1, about: 'Number of pages, at most 1,000. Default: 50.' });
acceptParameter(ListRunPages, { name: 'cursor', kind: 'text', max: 100, about: 'Value of `next_cursor` of the page before.' });
