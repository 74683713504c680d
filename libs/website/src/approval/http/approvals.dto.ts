import { ApprovalRequest, COMMENTS, FlowMoversView, KEY_RULE } from '@atrium/approvals';
import { Choice, Flag, Json, Nested, NestedList, Ref, Stamp, Text, TextList, Whole } from '@atrium/platform/database';
import { Accepts, acceptParameter, Answer, ListQuery, PageOf, View } from '@atrium/platform/http';
import type { JsonObject } from '@atrium/platform/kernel';
import { VersionDiffView } from '../../nodes/http/content.dto';
import { LOCALE } from '../../nodes/http/nodes.dto';
import { ContentTransitionView } from './approval-flows.dto';

const DECISIONS = ['approve', 'reject'] as const;
const LONGEST_COMMENT = 2_000;
const HASH = { min: 1, max: 128, about: 'Hash of the content that you have read: `car_hash`.' } as const;
const ON_APPROVAL = 'Whether the approved version is published as soon as nothing is missing, if you or the last approver can publish.';

@Accepts()
export class PublishOnApprovalBody {
  @Flag({ about: ON_APPROVAL, example: true }) on_approval!: boolean;
  @Stamp({
    optional: true,
    about: 'Earliest time of publishing, at least one minute and at most two years ahead; null: immediately on approval.',
  })
  at?: Date | null;
}

@Accepts()
export class MoveNode {
  @Text({ ...KEY_RULE, about: 'Key of the transition.', example: 'approve' }) transition!: string;
  @TextList({
    omittable: true,
    min: 1,
    max: 50,
    about: 'Locales that move, all or none; the default locale when omitted.',
    example: ['en', 'de'],
  })
  locales?: string[];
  @Text({ optional: true, max: LONGEST_COMMENT, about: 'Comment. Some transitions require one.', example: 'Ready for the launch.' })
  comment?: string | null;
  @Nested(() => PublishOnApprovalBody, { optional: true, about: 'Whether and when to publish what is approved; null: only move it.' })
  publish?: PublishOnApprovalBody | null;
}

@Accepts()
export class DecideApproval {
  @Choice(DECISIONS, { about: 'Your decision. A second one replaces your first while the request is open.', example: 'approve' })
  decision!: (typeof DECISIONS)[number];
  @Text(HASH) hash!: string;
  @Text({ optional: true, max: LONGEST_COMMENT, about: 'Comment.', example: 'The price is wrong.' }) comment?: string | null;
}

@Answer()
class BlockingView {
  @Text({ max: 2_000, about: 'What the entry is about: a path in the content, or `transition`.', example: 'node_content.headline' })
  path!: string;
  @Text({ about: 'Code, such as `required`, `missing` or `stale`; `invalid_state` if approval is already requested.', example: 'stale' })
  code!: string;
  @Text({ max: 2_000, about: 'Explanation for people.', example: 'The text that it translates has changed since.' }) message!: string;
}

@Answer()
export class PageTransitionView {
  @Text({ sort: true, filter: 'equals', about: 'Key of the transition.', example: 'approve' }) key!: string;
  @Text({ sort: true, about: 'Name of the transition.', example: 'Approve' }) name!: string;
  @Text({ sort: true, filter: 'equals', about: 'Key of the target state.', example: 'approved' }) to!: string;
  @Flag({ about: 'Whether others must approve it.' }) needs_approval!: boolean;
  @Choice(COMMENTS, { about: 'Whether it takes a comment.' }) comment!: string;
  @NestedList(() => BlockingView, { about: 'What prevents it; empty if the transition can be made now.' }) blocked_by!: BlockingView[];
}

export class PageTransitionPage extends PageOf(PageTransitionView) {}

/** Query of GET /sites/{id}/nodes/{node_id}/transitions. */
export class ListPageTransitions extends ListQuery(PageTransitionView, { whole: true }) {
  locale?: string;
}
acceptParameter(ListPageTransitions, { name: 'locale', kind: 'text', ...LOCALE, about: 'Locale; the default locale when omitted.' });

@Answer()
class ApprovalStepView {
  @Whole({ about: 'Number of people who have approved.', example: 1 }) approved!: number;
  @Whole({ about: 'Number of people who must approve.', example: 2 }) needed!: number;
  @Nested(() => FlowMoversView, {
    optional: true,
    about: 'Who can still approve; empty: everyone with edit access. Null once it is closed.',
  })
  waiting_for!: FlowMoversView | null;
}

@Answer()
class DecisionView {
  @Ref({ about: 'Id of the person.' }) user!: string;
  @Choice(DECISIONS, { about: 'Decision.', example: 'approve' }) decision!: string;
  @Text({ optional: true, max: LONGEST_COMMENT, about: 'Comment.', example: 'Well done.' }) comment!: string | null;
  @Stamp({ about: 'When the person decided.' }) at!: Date;
}

@Answer()
class PublishOnApprovalView {
  @Flag({ about: ON_APPROVAL }) on_approval!: boolean;
  @Stamp({ optional: true, about: 'Earliest time of publishing; null: immediately on approval.' }) at!: Date | null;
}

@Answer()
export class ApprovalRequestView extends View(ApprovalRequest, { without: ['car_transition', 'car_publish'] }) {
  @Nested(() => ContentTransitionView, {
    about: 'Transition as it was when approval was requested; later changes of the flow do not apply to the request.',
  })
  car_transition!: ContentTransitionView;
  @Nested(() => PublishOnApprovalView, {
    optional: true,
    about: 'Whether and when the approved version is published; null: the state changes only.',
  })
  car_publish!: PublishOnApprovalView | null;
  @Nested(() => ApprovalStepView, { about: 'Progress of the request.' }) car_step!: ApprovalStepView;
  @NestedList(() => DecisionView, { about: 'Decisions so far.' }) car_decisions!: DecisionView[];
}

export class ApprovalRequestPage extends PageOf(ApprovalRequestView) {}

@Answer()
export class ApprovalDetailView extends ApprovalRequestView {
  @Json({
    optional: true,
    max: 1024 * 1024,
    about: 'Content of the version to be approved, in its locale. Null if it is not of a page, or was removed after the decision.',
    example: { component: 'article', title: 'Desk lamps' },
  })
  content!: JsonObject | null;
  @Json({ optional: true, about: 'Metadata for search engines of that version; null likewise.', example: { title: 'Desk lamps' } })
  seo!: JsonObject | null;
  @Nested(() => VersionDiffView, {
    optional: true,
    about: 'What would change for visitors; null if the page is not published in the locale.',
  })
  diff!: VersionDiffView | null;
}

export class ListApprovalRequests extends ListQuery(ApprovalRequest) {
  mine?: boolean;
}
acceptParameter(ListApprovalRequests, {
  name: 'mine',
  kind: 'flag',
  about: 'With `true`, only open requests that wait for your decision.',
});

@Answer()
class MovedLocaleView {
  @Text(LOCALE) locale!: string;
  @Text({ about: 'Key of the state in which it is now.', example: 'review' }) state!: string;
  @Nested(() => ApprovalRequestView, { optional: true, about: 'Request for approval that was opened; null: it was moved.' })
  request!: ApprovalRequestView | null;
}

export class MovedLocalePage extends PageOf(MovedLocaleView) {}
