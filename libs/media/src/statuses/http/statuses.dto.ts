import { Choice, COLOR_FORM, Flag, IdList, Json, Nested, NestedList, Ref, Stamp, Text, TextList } from '@atrium/platform/database';
import { Accepts, Answer, Body, ListQuery, PageOf, View } from '@atrium/platform/http';
import type { JsonObject } from '@atrium/platform/kernel';
import { NextStatusView } from '../../library/http/media-files.dto';
import { STATE_KEY } from '../../tags/domain/media-tag-group';
import { MediaStatusFlow } from '../domain/media-status-flow';

const KEY = {
  form: { pattern: STATE_KEY, words: 'a key of lowercase letters, digits and _ that begins with a letter' },
  max: 40,
} as const;
const MOST_STATES = 30;
const MOST_WAYS = 200;

/** One state as clients write it. */
@Accepts()
export class StatusStateBody {
  @Text({ ...KEY, about: 'Key of the state, as `file_status` shows it.', example: 'approved' }) key!: string;
  @Text({ min: 1, max: 80, about: 'What people call it.', example: 'Approved' }) label!: string;
  @Text({ optional: true, max: 7, form: COLOR_FORM, about: 'Color to show it in.', example: '#2b6cb0' }) color?: string | null;
  @Flag({ omittable: true, about: 'Whether files begin in it; exactly one does.' }) initial?: boolean;
  @Flag({ omittable: true, about: 'Whether it is meant to be the end.' }) final?: boolean;
  @Flag({ omittable: true, about: 'Whether record, tags and versions of files in it stay as they are.' }) locks_edit?: boolean;
  @Flag({ omittable: true, about: 'Whether files in it may be downloaded; those who may publish always may. True unless said otherwise.' })
  allows_download?: boolean;
  @Flag({
    omittable: true,
    about: 'Whether files in it may be published; entering one that does not revokes publications. True unless said otherwise.',
  })
  allows_publish?: boolean;
  @Flag({ omittable: true, about: 'Whether files in it may be shared; links do not show others. True unless said otherwise.' })
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
  @Text({ ...KEY, about: 'The state it leads from.', example: 'in_review' }) from!: string;
  @Text({ ...KEY, about: 'The state it leads to.', example: 'approved' }) to!: string;
  @Text({ omittable: true, max: 80, about: 'What people call it.', example: 'Approve' }) label?: string;
  @Nested(() => MoversBody, {
    omittable: true,
    about: 'Allowed actors: who may make the transition; when empty, every member who may edit the file.',
  })
  movers?: MoversBody;
  @Flag({ omittable: true, about: 'Whether the transition requires a comment.' }) requires_comment?: boolean;
  @TextList({ omittable: true, max: 50, about: 'Names of tag groups of which the file needs a tag.', example: ['Subject'] })
  required_tags?: string[];
  @Nested(() => StatusSideBody, { omittable: true, about: 'Side effects of the transition.' }) side?: StatusSideBody;
}

@Accepts()
class FlowGraphBody {
  @NestedList(() => StatusStateBody, {
    min: 2,
    max: MOST_STATES,
    about: 'The states; exactly one is initial, and all can be reached from it.',
  })
  msf_states!: StatusStateBody[];
  @NestedList(() => StatusTransitionBody, { max: MOST_WAYS, about: 'The ways between them.' }) msf_transitions!: StatusTransitionBody[];
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
  @Text({ about: 'What people call it.' }) label!: string;
  @Text({ optional: true, about: 'Color to show it in.' }) color!: string | null;
  @Flag({ about: 'Whether files begin in it.' }) initial!: boolean;
  @Flag({ about: 'Whether it is meant to be the end.' }) final!: boolean;
  @Flag({ about: 'Whether record, tags and versions of files in it stay as they are.' }) locks_edit!: boolean;
  @Flag({ about: 'Whether files in it may be downloaded by those who may not publish.' }) allows_download!: boolean;
  @Flag({ about: 'Whether files in it may be published.' }) allows_publish!: boolean;
  @Flag({ about: 'Whether files in it may be shared.' }) allows_share!: boolean;
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
  @Text({ about: 'The state it leads from.' }) from!: string;
  @Text({ about: 'The state it leads to.' }) to!: string;
  @Text({ about: 'What people call it.' }) label!: string;
  @Nested(() => MoversView, { about: 'Allowed actors: who may make the transition.' }) movers!: MoversView;
  @Flag({ about: 'Whether the transition requires a comment.' }) requires_comment!: boolean;
  @TextList({ about: 'Names of tag groups of which the file needs a tag.' }) required_tags!: string[];
  @Nested(() => StatusSideView, { about: 'Side effects of the transition.' }) side!: StatusSideView;
}

@Answer()
export class StatusFlowView extends View(MediaStatusFlow, { without: ['msf_states', 'msf_transitions'] }) {
  @NestedList(() => StatusStateView, { about: 'The states.' }) msf_states!: StatusStateView[];
  @NestedList(() => StatusTransitionView, { about: 'The ways between them.' }) msf_transitions!: StatusTransitionView[];
  @Json({
    about: 'Live files in each state, counted to 10,000; empty for a flow that is not followed.',
    example: { active: 120, approved: 12 },
  })
  msf_counts!: JsonObject;
}

export class StatusFlowPage extends PageOf(StatusFlowView) {}

/** Body of POST /files/actions/status. */
@Accepts()
export class ChangeStatuses {
  @IdList({ min: 1, max: 1_000, about: 'The files.' }) file_ids!: string[];
  @Text({ ...KEY, about: 'The state they are to have.', example: 'approved' }) file_status!: string;
  @Text({ optional: true, max: 2_000, about: 'Comment; some transitions require it. Kept in the history of the files.' }) comment?:
    string | null;
}

@Answer()
export class StatusOutcomeView {
  @Ref({ about: 'The file.' }) file_id!: string;
  @Choice(['changed', 'unchanged', 'refused'], { about: 'Outcome.' }) outcome!: string;
  @Text({ omittable: true, about: 'Why it was refused: not_found, permission_denied, invalid_state.' }) code?: string;
  @Text({ omittable: true, max: 500, about: 'The same for people.' }) reason?: string;
}

@Answer()
export class StatusOutcomes {
  @NestedList(() => StatusOutcomeView, { about: 'One entry a file, in the order of the request.' }) data!: StatusOutcomeView[];
}

@Answer()
export class StatusStepView {
  @Text({ optional: true, about: 'The state before; null when the file came from elsewhere.' }) from!: string | null;
  @Text({ about: 'The state after.' }) to!: string;
  @Text({ optional: true, max: 2_000, about: 'Why.' }) comment!: string | null;
  @Ref({ optional: true, about: 'Who did it; null for the platform.' }) by!: string | null;
  @Stamp({ about: 'When.' }) at!: Date;
}

@Answer()
export class FileStatusView {
  @Text({ about: 'The state that the file is in.' }) file_status!: string;
  @Nested(() => StatusStateView, { optional: true, about: 'What that state means; null where no flow is followed.' })
  state!: StatusStateView | null;
  @NestedList(() => NextStatusView, { about: 'States that the caller may give it next.' }) next!: NextStatusView[];
  @NestedList(() => StatusStepView, { about: 'The last 100 changes, newest first.' }) trail!: StatusStepView[];
}
