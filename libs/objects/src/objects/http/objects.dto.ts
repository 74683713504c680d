import type { ContentFilter } from '@atrium/forms';
import { Json, Nested, NestedList, Text, Whole } from '@atrium/platform/database';
import { Accepts, acceptParameter, Answer, Body, ListQuery, PageOf, View } from '@atrium/platform/http';
import type { JsonObject } from '@atrium/platform/kernel';
import { ObjectRevision } from '../domain/object-revision';
import { WorkspaceObject } from '../domain/workspace-object';

const SAID = ['obj_name', 'obj_content', 'obj_terms', 'obj_cover_file', 'obj_acl', 'obj_metadata'] as const;

export class CreateObject extends Body(WorkspaceObject, { required: ['obj_form'], optional: [...SAID] }) {}

export class ChangeObject extends Body(WorkspaceObject, { optional: ['obj_form', ...SAID] }) {}

@Answer()
class ObjectIssueView {
  @Text({ about: 'Path of the field, without `obj_content`.', example: 'price' }) field!: string;
  @Text({
    about: 'Code of the issue: `type` if a stored value no longer fits and is left out, `unique` if another object has the same value.',
    example: 'type',
  })
  code!: string;
}

@Answer()
class ObjectStateView {
  @Text({ about: 'Key of the state.', example: 'draft' }) key!: string;
  @Text({ about: 'Name of the state.', example: 'Draft' }) name!: string;
  @Text({ optional: true, about: 'Color of the state.', example: '#3366cc' }) color!: string | null;
}

@Answer()
class ObjectCoverView {
  @Text({ max: 4_000, format: 'uri', about: 'Signed URL of the small rendition, valid for 15 minutes.' }) url!: string;
  @Whole({ about: 'Width in pixels.', example: 320 }) width!: number;
  @Whole({ about: 'Height in pixels.', example: 213 }) height!: number;
  @Text({ optional: true, about: 'Placeholder image of about 25 bytes, in base64.' }) thumbhash!: string | null;
}

@Answer()
export class ObjectView extends View(WorkspaceObject, { without: ['obj_issues'] }) {
  @Whole({ about: "Version of the object, which increases with every change; the object's ETag.", example: 1 }) obj_version!: number;
  @NestedList(() => ObjectIssueView, { about: 'Stored values that need attention.' }) obj_issues!: ObjectIssueView[];
  @Text({ about: 'Name of the schema.', example: 'Product' }) form_name!: string;
  @Nested(() => ObjectStateView, { optional: true, about: 'State in the lifecycle flow; null without a flow.' })
  state!: ObjectStateView | null;
  @Nested(() => ObjectCoverView, { optional: true, about: 'Preview of the cover file; null without a cover.' })
  cover!: ObjectCoverView | null;
}

@Answer()
export class ExpandedObjectView extends ObjectView {
  @Json({
    omittable: true,
    about: 'With `expand`: short forms of the referenced resources, by id. Resources that you cannot view are absent.',
    example: { '0190a1b2-0000-7000-8000-000000000001': { kind: 'user', user_name: 'Ada' } },
  })
  expanded?: JsonObject;
}

export class ObjectPage extends PageOf(ObjectView) {}

/** Query of GET /objects/{id}. */
@Accepts()
export class ReadObject {
  expand?: string;
  include_hidden?: boolean;
}
acceptParameter(
  ReadObject,
  { name: 'expand', kind: 'text', min: 1, max: 4_000 },
  {
    type: 'string',
    maxLength: 4_000,
    description: 'Keys of fields for objects, files, users or terms, separated by commas, or `*` for all. Adds `expanded` to the response.',
  },
);
const INCLUDE_HIDDEN = {
  name: 'include_hidden',
  kind: 'flag',
  about: 'Whether to include hidden fields. Requires the permission object:schema:edit.',
} as const;
acceptParameter(ReadObject, INCLUDE_HIDDEN);

/** Query of GET /objects. */
export class ListObjects extends ListQuery(WorkspaceObject, { extended: true, without: ['obj_active'] }) {
  obj_form?: string[];
  obj_status?: string;
  obj_terms?: string[];
  obj_active?: boolean;
  full_text_search?: string;
  obj_content?: ContentFilter;
  fields?: string;
  include_hidden?: boolean;
}
acceptParameter(
  ListObjects,
  { name: 'obj_form', kind: 'ids', min: 1, max: 50 },
  {
    type: 'array',
    items: { type: 'string', format: 'uuid' },
    maxItems: 50,
    description: 'Only objects with one of these schemas; repeat the parameter for several.',
  },
);
acceptParameter(ListObjects, { name: 'obj_status', kind: 'text', min: 1, max: 40, about: 'Key of the state.' });
acceptParameter(
  ListObjects,
  { name: 'obj_terms', kind: 'ids', min: 1, max: 50 },
  {
    type: 'array',
    items: { type: 'string', format: 'uuid' },
    maxItems: 50,
    description: 'Only objects classified by one of these terms or a term below it; repeat the parameter for several.',
  },
);
acceptParameter(
  ListObjects,
  { name: 'obj_active', kind: 'flag' },
  { type: 'boolean', default: true, description: 'Active objects, or with false, deleted objects that can be restored.' },
);
acceptParameter(ListObjects, {
  name: 'full_text_search',
  kind: 'text',
  min: 1,
  max: 200,
  about: 'Words in the name or in searchable fields. Supports quotes, `or` and `-`, as in a web search.',
});
acceptParameter(
  ListObjects,
  { name: 'obj_content', kind: 'json' },
  {
    type: 'object',
    additionalProperties: true,
    description:
      'Values of filterable fields; requires exactly one `obj_form`. `obj_content[status]=open`, or with an operator: `obj_content[price][gte]=10` (eq, ne, in, gt, gte, lt, lte, contains, empty). Sort by `obj_content_<key>`.',
  },
);
acceptParameter(
  ListObjects,
  { name: 'fields', kind: 'text', min: 1, max: 8_000 },
  { type: 'string', maxLength: 8_000, description: 'Keys of fields to include in `obj_content`, separated by commas.' },
);
acceptParameter(ListObjects, INCLUDE_HIDDEN);

@Answer()
class ObjectChangeView {
  @Text({ about: 'Changed field: `obj_content.<key>` or a field of the object.', example: 'obj_content.price' }) field!: string;
  @Json({ optional: true, isOfAnyType: true, about: 'Value before the change; null if there was none.' }) from!: unknown;
  @Json({ optional: true, isOfAnyType: true, about: 'Value after the change; null if there is none.' }) to!: unknown;
}

@Answer()
class ObjectRevisionView extends View(ObjectRevision, { without: ['rev_changes'] }) {
  @NestedList(() => ObjectChangeView, { about: 'Changed fields.' }) rev_changes!: ObjectChangeView[];
}

export class ObjectRevisionPage extends PageOf(ObjectRevisionView) {}

export class ListObjectRevisions extends ListQuery(ObjectRevision) {}
