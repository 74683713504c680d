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
  @Ref({ about: 'Tag of the same group that replaces it.' }) into!: string;
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
  about: 'Value or synonym contains this text, ignoring case.',
});

@Answer()
export class TagView extends View(MediaTag) {
  @Text({ about: "Name of the tag's group.", example: 'Subject' }) mt_group_name!: string;
}

export class TagPage extends PageOf(TagView) {}

/** What a query finds gets the value. */
@Accepts()
class TagRuleBody {
  @Json({
    max: 32 * 1024,
    about: 'Filter for files, in the search language.',
    example: { where: { field: 'orientation', op: 'eq', value: 'panorama' } },
  })
  query_search!: JsonObject;
  @Text({ min: 1, max: MOST_TAG_VALUE, about: 'Value assigned to matching files.', example: 'Panorama' }) value!: string;
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
  { type: 'boolean', default: false, description: 'Whether to delete its tags as well and remove them from files.' },
);

@Accepts()
export class OrderTagGroups {
  @IdList({ min: 1, max: 400, about: 'Groups in the new order. Others follow in their previous order.' }) ids!: string[];
}

@Answer()
export class TagRuleView {
  @Json({ about: 'Filter for files, in the search language.' }) query_search!: JsonObject;
  @Text({ about: 'Value assigned to matching files.' }) value!: string;
}

@Answer()
export class TagGroupView extends View(MediaTagGroup) {
  @NestedList(() => TagRuleView, { about: 'Rules that assign values to files automatically.' }) override mtg_rules!: TagRuleView[];
}

export class TagGroupPage extends PageOf(TagGroupView) {}

/** Body of PUT /files/{id}/media-tags. */
@Accepts()
export class SetMediaTags {
  @Json({ about: 'All tags of the file: lists of values by the name of their group.', example: EXAMPLE }) media_tags!: JsonObject;
}

/** Body of POST /files/actions/media-tags. */
@Accepts()
export class ChangeMediaTags {
  @IdList({ min: 1, max: 10_000, about: 'The files.' }) file_ids!: string[];
  @Json({ omittable: true, about: 'Tags to add: lists of values by the name of their group.', example: EXAMPLE }) add?: JsonObject;
  @Json({ omittable: true, about: 'Tags to remove, applied first.', example: { Season: ['Winter'] } }) remove?: JsonObject;
}

@Answer()
export class TaggedFiles {
  @Whole({ about: 'Number of files whose tags changed.', example: 12 }) updated!: number;
  @Whole({ about: 'Number of files that were skipped because you cannot tag them now.', example: 0 }) skipped!: number;
}
