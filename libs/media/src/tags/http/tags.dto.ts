import { IdList, Json, NestedList, Ref, Text, Whole } from '@atrium/platform/database';
import { Accepts, acceptParameter, Answer, Body, ListQuery, PageOf, View } from '@atrium/platform/http';
import type { JsonObject } from '@atrium/platform/kernel';
import { MediaTag } from '../domain/media-tag';
import { MediaTagGroup } from '../domain/media-tag-group';
import { MOST_TAG_VALUE } from '../domain/tag-words';

const EXAMPLE = { Subject: ['Harbour', 'Boats'], Season: ['Summer'] };

export class CreateTag extends Body(MediaTag, {
  required: ['mt_group', 'mt_value'],
  optional: ['mt_synonyms', 'mt_parent', 'mt_active'],
}) {}

export class ChangeTag extends Body(MediaTag, { optional: ['mt_value', 'mt_synonyms', 'mt_parent', 'mt_active'] }) {}

/** The tag that takes the place of another one. */
@Accepts()
export class MergeTag {
  @Ref({ about: 'The tag of the same group that files bear instead.' }) into!: string;
}

export class ListTags extends ListQuery(MediaTag) {
  mt_value?: string;
  q?: string;
}
acceptParameter(ListTags, {
  name: 'q',
  kind: 'text',
  min: 1,
  max: MOST_TAG_VALUE,
  about: 'Holds this text in its value or a synonym, in any case.',
});

@Answer()
export class TagView extends View(MediaTag) {
  @Text({ about: 'Name of its group.', example: 'Subject' }) mt_group_name!: string;
}

export class TagPage extends PageOf(TagView) {}

/** What a query finds gets the value. */
@Accepts()
class TagRuleBody {
  @Json({
    max: 32 * 1024,
    about: 'Files it is for, in the search language.',
    example: { where: { field: 'orientation', op: 'eq', value: 'panorama' } },
  })
  query_search!: JsonObject;
  @Text({ min: 1, max: MOST_TAG_VALUE, about: 'The value they get.', example: 'Panorama' }) value!: string;
}

@Accepts()
class TagRulesBody {
  @NestedList(() => TagRuleBody, {
    omittable: true,
    max: 20,
    about: 'Rules that assign values to files when they are ready. Decisions of people take precedence.',
  })
  mtg_rules?: TagRuleBody[];
}

const GROUP_FIELDS = [
  'mtg_description',
  'mtg_color',
  'mtg_multiple',
  'mtg_closed',
  'mtg_required_for',
  'mtg_position',
  'mtg_active',
] as const;

export class CreateTagGroup extends Body(MediaTagGroup, {
  required: ['mtg_name'],
  optional: ['mtg_scope', ...GROUP_FIELDS],
  with: TagRulesBody,
}) {}

export class ChangeTagGroup extends Body(MediaTagGroup, { optional: ['mtg_name', ...GROUP_FIELDS], with: TagRulesBody }) {}

export class ListTagGroups extends ListQuery(MediaTagGroup) {}

/** Query of DELETE /admin/media-tag-groups/{id}. */
export class DeleteTagGroup {
  force?: boolean;
}
acceptParameter(
  DeleteTagGroup,
  { name: 'force', kind: 'flag' },
  { type: 'boolean', default: false, description: 'Delete its tags too, and take them off files.' },
);

@Accepts()
export class OrderTagGroups {
  @IdList({ min: 1, max: 400, about: 'Groups in the wanted order; those not named follow as they were.' }) ids!: string[];
}

@Answer()
export class TagRuleView {
  @Json({ about: 'Files it is for, in the search language.' }) query_search!: JsonObject;
  @Text({ about: 'The value they get.' }) value!: string;
}

@Answer()
export class TagGroupView extends View(MediaTagGroup) {
  @NestedList(() => TagRuleView, { about: 'Values that files get by themselves.' }) override mtg_rules!: TagRuleView[];
}

export class TagGroupPage extends PageOf(TagGroupView) {}

/** Body of PUT /files/{id}/media-tags. */
@Accepts()
export class SetMediaTags {
  @Json({ about: 'All tags of the file: lists of values by the names of their groups.', example: EXAMPLE }) media_tags!: JsonObject;
}

/** Body of POST /files/actions/media-tags. */
@Accepts()
export class ChangeMediaTags {
  @IdList({ min: 1, max: 10_000, about: 'The files.' }) file_ids!: string[];
  @Json({ omittable: true, about: 'Tags to put on: lists of values by the names of their groups.', example: EXAMPLE }) add?: JsonObject;
  @Json({ omittable: true, about: 'Tags to take off first.', example: { Season: ['Winter'] } }) remove?: JsonObject;
}

@Answer()
export class TaggedFiles {
  @Whole({ about: 'Files whose tags changed.', example: 12 }) updated!: number;
  @Whole({ about: 'Ids of no file that you may tag now.', example: 0 }) skipped!: number;
}
