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
    about: 'What is wrong: `type` when a stored value no longer fits and is left out, `unique` when another object has it.',
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
  @Text({ max: 4_000, format: 'uri', about: 'Signed address of the small rendition; good for 15 minutes.' }) url!: string;
  @Whole({ about: 'Width in pixels.', example: 320 }) width!: number;
  @Whole({ about: 'Height in pixels.', example: 213 }) height!: number;
  @Text({ optional: true, about: 'A placeholder of some 25 bytes, base64.' }) thumbhash!: string | null;
}

@Answer()
export class ObjectView extends View(WorkspaceObject, { without: ['obj_issues'] }) {
  @Whole({ about: 'Grows with every change; the ETag of the object.', example: 1 }) obj_version!: number;
  @NestedList(() => ObjectIssueView, { about: 'Stored values that need attention.' }) obj_issues!: ObjectIssueView[];
  @Text({ about: 'Name of its schema.', example: 'Product' }) form_name!: string;
  @Nested(() => ObjectStateView, { optional: true, about: 'Its state in the lifecycle flow; null without one.' })
  state!: ObjectStateView | null;
  @Nested(() => ObjectCoverView, { optional: true, about: 'Preview of the cover file; null when there is none.' })
  cover!: ObjectCoverView | null;
}

@Answer()
export class ExpandedObjectView extends ObjectView {
  @Json({
    omittable: true,
    about: 'With `expand`: short forms of what the fields refer to, by id. Targets that the caller may not read are absent.',
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
    description: 'Keys of fields of objects, files, users or terms with commas between them, or `*`: adds `expanded`.',
  },
);
const INCLUDE_HIDDEN = {
  name: 'include_hidden',
  kind: 'flag',
  about: 'Shows hidden fields too; needs the permission object:schema:edit.',
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
  { type: 'array', items: { type: 'string', format: 'uuid' }, maxItems: 50, description: 'Of any of these schemas; repeat the parameter.' },
);
acceptParameter(ListObjects, { name: 'obj_status', kind: 'text', min: 1, max: 40, about: 'Key of the state.' });
acceptParameter(
  ListObjects,
  { name: 'obj_terms', kind: 'ids', min: 1, max: 50 },
  {
    type: 'array',
    items: { type: 'string', format: 'uuid' },
    maxItems: 50,
    description: 'Classified by any of these terms or by a term below; repeat the parameter.',
  },
);
acceptParameter(
  ListObjects,
  { name: 'obj_active', kind: 'flag' },
  { type: 'boolean', default: true, description: 'False: deleted objects that may be restored.' },
);
acceptParameter(ListObjects, {
  name: 'full_text_search',
  kind: 'text',
  min: 1,
  max: 200,
  about: 'Words of its name and of searchable fields; quotes, `or` and `-` as in a web search.',
});
acceptParameter(
  ListObjects,
  { name: 'obj_content', kind: 'json' },
  {
    type: 'object',
    additionalProperties: true,
    description:
      'Values of filterable fields; needs one `obj_form`. `obj_content[status]=open`, or with operators `obj_content[price][gte]=10` (eq, ne, in, gt, gte, lt, lte, contains, empty). Sort by `obj_content_<key>`.',
  },
);
acceptParameter(
  ListObjects,
  { name: 'fields', kind: 'text', min: 1, max: 8_000 },
  { type: 'string', maxLength: 8_000, description: 'Keys of fields with commas between them: `obj_content` has these alone.' },
);
acceptParameter(ListObjects, INCLUDE_HIDDEN);

@Answer()
class ObjectChangeView {
  @Text({ about: 'What changed: `obj_content.<key>` or a field of the object.', example: 'obj_content.price' }) field!: string;
  @Json({ optional: true, isOfAnyType: true, about: 'The value before; null: none.' }) from!: unknown;
  @Json({ optional: true, isOfAnyType: true, about: 'The value after; null: none.' }) to!: unknown;
}

@Answer()
class ObjectRevisionView extends View(ObjectRevision, { without: ['rev_changes'] }) {
  @NestedList(() => ObjectChangeView, { about: 'What changed.' }) rev_changes!: ObjectChangeView[];
}

export class ObjectRevisionPage extends PageOf(ObjectRevisionView) {}

export class ListObjectRevisions extends ListQuery(ObjectRevision) {}
