import { COMMENTS, KEY_RULE } from '@atrium/approvals';
import { Choice, Json, NestedList, Text, TextList } from '@atrium/platform/database';
import { Accepts, Answer, ListQuery, PageOf, View } from '@atrium/platform/http';
import type { JsonObject } from '@atrium/platform/kernel';
import { TransitionRecord } from '../domain/transition-record';

const MOST_CONTENT_BYTES = 256 * 1024;

@Accepts()
export class MoveObject {
  @Text({ ...KEY_RULE, about: 'Key of the transition.', example: 'approve' }) transition!: string;
  @Text({
    optional: true,
    max: 2_000,
    about: 'Comment, kept in the history. Some transitions require one.',
    example: 'Checked with the supplier.',
  })
  comment?: string | null;
  @Json({
    omittable: true,
    max: MOST_CONTENT_BYTES,
    about:
      'Values to write with the transition, merged by key; null clears a value. Allowed actors who cannot edit the object can write the fields that the transition requires.',
    example: { price: 129 },
  })
  obj_content?: JsonObject;
}

@Answer()
export class UnmetNeedView {
  @Text({ about: 'What the entry is about: a field of `obj_content`, or `transition` for its condition.', example: 'obj_content.price' })
  path!: string;
  @Text({
    about: '`required`: the value is missing; `unknown_field`: the schema does not have the field; `condition`: the condition is not met.',
    example: 'required',
  })
  code!: string;
  @Text({ about: 'Explanation for people.', example: 'Price is required for this transition.' }) message!: string;
}

@Answer()
export class OpenTransitionView {
  @Text({ sort: true, filter: 'equals', about: 'Key of the transition.', example: 'approve' }) key!: string;
  @Text({ sort: true, about: 'Name of the transition.', example: 'Approve' }) name!: string;
  @Text({ sort: true, filter: 'equals', about: 'Key of the target state.', example: 'approved' }) to!: string;
  @Choice(COMMENTS, { about: 'Whether it takes a comment.' }) comment!: string;
  @TextList({ about: 'Keys of fields that must have a value.', example: ['price'] }) require_fields!: string[];
  @NestedList(() => UnmetNeedView, { about: 'What the object does not yet meet; empty if the transition can be made now.' })
  blocked_by!: UnmetNeedView[];
}

export class OpenTransitionPage extends PageOf(OpenTransitionView) {}

/** Query of GET /objects/{id}/transitions. */
export class ListOpenTransitions extends ListQuery(OpenTransitionView, { whole: true }) {}

export class ListTransitionRecords extends ListQuery(TransitionRecord) {}

@Answer()
class TransitionRecordView extends View(TransitionRecord) {}

export class TransitionRecordPage extends PageOf(TransitionRecordView) {}
