import { Choice, COLOR_FORM, Flag, IdList, Json, Nested, NestedList, Ref, Stamp, Text, TextList } from '@atrium/platform/database';
import { Accepts, Answer, Body, ListQuery, PageOf, View } from '@atrium/platform/http';
import type { JsonObject } from '@atrium/platform/kernel';
import { NextStatusView } from '../../library/http/media-files.dto';
import { STATE_KEY } from '../../tags/domain/media-tag-group';
import { MediaStatusFlow } from '../domain/media-status-flow';

const KEY = {
  form: { pattern: STATE_KEY, words: 'a key of lowercase letters, digits and _ that starts with a letter' },
  max: 40,
} as const;
const MOST_STATES = 30;
const MOST_WAYS = 200;

/** One state as clients write it. */
@Accepts()
export class StatusStateBody {
  @Text({ ...KEY, about: 'Key of the state, as in `file_status`.', example: 'approved' }) key!: string;
  @Text({ min: 1, max: 80, about: 'Display name.', example: 'Approved' }) label!: string;
  @Text({ optional: true, max: 7, form: COLOR_FORM, about: 'Display color.', example: '#2b6cb0' }) color?: string | null;
  @Flag({ omittable: true, about: 'Whether this is the initial state; exactly one state is.' }) initial?: boolean;
  @Flag({ omittable: true, about: 'Whether this is a final state.' }) final?: boolean;
  @Flag({ omittable: true, about: 'Whether files in this state are locked: their record, tags and versions cannot be changed.' })
  locks_edit?: boolean;
  @Flag({
    omittable: true,
    about: 'Whether files in this state can be downloaded. Members who may publish can always download them. Default: true.',
  })
  allows_download?: boolean;
  @Flag({
    omittable: true,
    about: 'Whether files in this state can be published. A state that does not allow it revokes existing publications. Default: true.',
  })
  allows_publish?: boolean;
  @Flag({ omittable: true, about: 'Whether files in this state can be shared. Links do not show files that cannot. Default: true.' })
  allows_share?: boolean;
}

/** Who may take a way. */
@Accepts()
export class MoversBody {
  @TextList({ omittable: true, max: 50, about: 'Members who have one of these permissions.', example: ['media:publish'] })
  permissions?: string[];
  @IdList({ omittable: true, max: 50, about: 'Members who have one of these roles.' }) roles?: string[];
  @IdList({ omittable: true, max: 200, about: 'These members.' }) users?: string[];
}

/** What happens besides. */
@Accepts()
export class StatusSideBody {
  @IdList({ omittable: true, max: 100, about: 'Members and roles that are notified by mail.' }) notify?: string[];
}

/** One way as clients write it. */
@Accepts()
export class StatusTransitionBody {
  @Text({ ...KEY, about: 'State in which the transition starts.', example: 'in_review' }) from!: string;
  @Text({ ...KEY, about: 'State to which the transition leads.', example: 'approved' }) to!: string;
  @Text({ omittable: true, max: 80, about: 'Display name.', example: 'Approve' }) label?: string;
  @Nested(() => MoversBody, {
    omittable: true,
    about: 'Allowed actors: who may make the transition. If empty, every member who may edit the file.',
  })
  movers?: MoversBody;
  @Flag({ omittable: true, about: 'Whether the transition requires a comment.' }) requires_comment?: boolean;
  @TextList({ omittable: true, max: 50, about: 'Names of tag groups from which the file needs a tag.', example: ['Subject'] })
  required_tags?: string[];
  @Nested(() => StatusSideBody, { omittable: true, about: 'Side effects of the transition.' }) side?: StatusSideBody;
}

@Accepts()
class FlowGraphBody {
  @NestedList(() => StatusStateBody, {
    min: 2,
    max: MOST_STATES,
    about: 'The states. Exactly one is initial, and all others must be reachable from it.',
  })
  msf_states!: StatusStateBody[];
  @NestedList(() => StatusTransitionBody, { max: MOST_WAYS, about: 'The transitions between the states.' })
  msf_transitions!: StatusTransitionBody[];
  @Json({ omittable: true, about: 'New state of files in removed states, by old state.', example: { draft: 'in_review' } })
  remap?: JsonObject;
}

export class PutStatusFlow extends Body(MediaStatusFlow, {
  required: ['msf_name', 'msf_scope'],
  optional: ['msf_description', 'msf_active'],
  with: FlowGraphBody,
}) {}

export class ListStatusFlows extends ListQuery(MediaStatusFlow) {}

@Answer()
export class StatusStateView {
  @Text({ about: 'Key of the state.' }) key!: string;
  @Text({ about: 'Display name.' }) label!: string;
  @Text({ optional: true, about: 'Display color.' }) color!: string | null;
  @Flag({ about: 'Whether this is the initial state.' }) initial!: boolean;
  @Flag({ about: 'Whether this is a final state.' }) final!: boolean;
  @Flag({ about: 'Whether files in this state are locked: their record, tags and versions cannot be changed.' }) locks_edit!: boolean;
  @Flag({ about: 'Whether members who may not publish can download files in this state.' }) allows_download!: boolean;
  @Flag({ about: 'Whether files in this state can be published.' }) allows_publish!: boolean;
  @Flag({ about: 'Whether files in this state can be shared.' }) allows_share!: boolean;
}

@Answer()
export class MoversView {
  @TextList({ about: 'Permissions.' }) permissions!: string[];
  @IdList({ about: 'Roles.' }) roles!: string[];
  @IdList({ about: 'Members.' }) users!: string[];
}

@Answer()
export class StatusSideView {
  @IdList({ about: 'Members and roles that are notified by mail.' }) notify!: string[];
}

@Answer()
export class StatusTransitionView {
  @Text({ about: 'State in which the transition starts.' }) from!: string;
  @Text({ about: 'State to which the transition leads.' }) to!: string;
  @Text({ about: 'Display name.' }) label!: string;
  @Nested(() => MoversView, { about: 'Allowed actors: who may make the transition.' }) movers!: MoversView;
  @Flag({ about: 'Whether the transition requires a comment.' }) requires_comment!: boolean;
  @TextList({ about: 'Names of tag groups from which the file needs a tag.' }) required_tags!: string[];
  @Nested(() => StatusSideView, { about: 'Side effects of the transition.' }) side!: StatusSideView;
}

@Answer()
export class StatusFlowView extends View(MediaStatusFlow, { without: ['msf_states', 'msf_transitions'] }) {
  @NestedList(() => StatusStateView, { about: 'The states.' }) msf_states!: StatusStateView[];
  @NestedList(() => StatusTransitionView, { about: 'The transitions between the states.' }) msf_transitions!: StatusTransitionView[];
  @Json({
    about: 'Number of files in each state, without those in the trash, counted up to 10,000. Empty for a flow that does not apply.',
    example: { active: 120, approved: 12 },
  })
  msf_counts!: JsonObject;
}

export class StatusFlowPage extends PageOf(StatusFlowView) {}

/** Body of POST /files/actions/status. */
@Accepts()
export class ChangeStatuses {
  @IdList({ min: 1, max: 1_000, about: 'The files.' }) file_ids!: string[];
  @Text({ ...KEY, about: 'New status.', example: 'approved' }) file_status!: string;
  @Text({ optional: true, max: 2_000, about: 'Comment; required by some transitions. Stored in the history of the files.' }) comment?:
    string | null;
}

@Answer()
export class StatusOutcomeView {
  @Ref({ about: 'The file.' }) file_id!: string;
  @Choice(['changed', 'unchanged', 'refused'], { about: 'Outcome.' }) outcome!: string;
  @Text({ omittable: true, about: 'Problem code of the refusal: `not_found`, `permission_denied` or `invalid_state`.' }) code?: string;
  @Text({ omittable: true, max: 500, about: 'Explanation of the refusal.' }) reason?: string;
}

@Answer()
export class StatusOutcomes {
  @NestedList(() => StatusOutcomeView, { about: 'One entry per file, in the order of the request.' }) data!: StatusOutcomeView[];
}

@Answer()
export class StatusStepView {
  @Text({ optional: true, about: 'Previous status. Null if the file came from elsewhere.' }) from!: string | null;
  @Text({ about: 'New status.' }) to!: string;
  @Text({ optional: true, max: 2_000, about: 'Comment on the transition.' }) comment!: string | null;
  @Ref({ optional: true, about: 'User who changed the status. Null for the platform.' }) by!: string | null;
  @Stamp({ about: 'When the status was changed.' }) at!: Date;
}

@Answer()
export class FileStatusView {
  @Text({ about: 'Current status of the file.' }) file_status!: string;
  @Nested(() => StatusStateView, { optional: true, about: 'Definition of the status. Null if no flow applies.' })
  state!: StatusStateView | null;
  @NestedList(() => NextStatusView, { about: 'Statuses to which you may move the file next.' }) next!: NextStatusView[];
  @NestedList(() => StatusStepView, { about: 'The last 100 changes, newest first.' }) trail!: StatusStepView[];
}
