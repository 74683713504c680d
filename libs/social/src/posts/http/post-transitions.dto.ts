import { Choice, Flag, Nested, NestedList, Ref, Stamp, Text } from '@atrium/platform/database';
import { Accepts, Answer, ListQuery, PageOf } from '@atrium/platform/http';

const KEY = { min: 1, max: 64 } as const;

@Accepts()
class PublishWishBody {
  @Flag({ about: 'Whether the post is sent or scheduled as soon as it is approved.' }) on_approval!: boolean;
  @Stamp({ optional: true, about: 'When it is sent. Null: immediately.' }) at?: Date | null;
}

/** Body of POST /social-posts/{id}/transitions. */
@Accepts()
export class MoveSocialPost {
  @Text({ ...KEY, about: 'Key of the transition.', example: 'submit' }) transition!: string;
  @Text({ optional: true, max: 2_000, about: 'Comment. Some transitions require one.' }) comment?: string | null;
  @Nested(() => PublishWishBody, {
    optional: true,
    about: 'Whether to send the post when it is approved. Requires `social:publish` of you or of the person who completes the approval.',
  })
  publish?: PublishWishBody | null;
}

@Answer()
class BlockedByView {
  @Text({ about: 'What the entry is about.', example: 'transition' }) path!: string;
  @Text({ about: 'Code.', example: 'invalid_state' }) code!: string;
  @Text({ max: 2_000, about: 'Explanation.', example: 'Approval is already requested.' }) message!: string;
}

@Answer()
export class PostTransitionView {
  @Text({ about: 'Key of the transition.', example: 'submit' }) key!: string;
  @Text({ about: 'Name of the transition.', example: 'Submit for review' }) name!: string;
  @Text({ about: 'Key of the target state.', example: 'approved' }) to!: string;
  @Flag({ about: 'Whether others must approve it.' }) needs_approval!: boolean;
  @Choice(['none', 'optional', 'required'], { about: 'Whether it takes a comment.', example: 'optional' }) comment!: string;
  @NestedList(() => BlockedByView, { about: 'What prevents the transition now; empty if nothing does.' }) blocked_by!: BlockedByView[];
}

export class PostTransitionPage extends PageOf(PostTransitionView) {}

export class ListPostTransitions extends ListQuery(PostTransitionView, { whole: true }) {}

@Answer()
class MovedPostView {
  @Text({ optional: true, about: 'Always null: posts have no languages.' }) locale!: string | null;
  @Text({ about: 'Key of the state of the post in its flow.', example: 'review' }) state!: string;
  @Ref({ optional: true, about: 'Id of the request for approval. Null if the post was moved.' }) request!: string | null;
}

export class MovedPostPage extends PageOf(MovedPostView) {}
