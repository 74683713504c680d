import { Choice, Flag, Json, NestedList, Text, Whole } from '@atrium/platform/database';
import { Accepts, Answer, Body, ListQuery, PageOf, View } from '@atrium/platform/http';
import type { JsonObject, JsonValue } from '@atrium/platform/kernel';
import { ApiProperty } from '@nestjs/swagger';
import { SavedSearch } from '../domain/saved-search';
import { SEARCH_LIMITS, SEARCH_SCOPES, type SearchScope } from '../domain/search-query';
import { FileView } from '../../core/http/files.dto';

/** Something in a query that is not as it was when the query was kept. */
@Answer()
export class SearchWarningView {
  @Text({ about: 'Where in the query.', example: 'where.all[1].value' }) path!: string;
  @Text({ about: 'What it is: `reference` names what is gone, `unknown_field` is no field any more.', example: 'reference' }) code!: string;
  @Text({ about: 'A sentence for people.', example: 'names no album that is open here: 0190163d-8694-739b-aea5-966c26f8ad91' })
  message!: string;
}

/** A saved search as clients see it. */
@Answer()
export class SavedSearchView extends View(SavedSearch) {
  @NestedList(() => SearchWarningView, { about: 'Conditions that name something deleted: they match nothing.' })
  sq_warnings!: SearchWarningView[];
  @Whole({ about: 'Smart albums and folders that it fills and that the caller may read.', example: 1 }) sq_used_by!: number;
}

export class SavedSearchPage extends PageOf(SavedSearchView) {}

/** Query of GET /saved-searches. */
export class ListSavedSearches extends ListQuery(SavedSearch) {
  override sq_scope?: SearchScope;
}

/** Body of POST /saved-searches. */
export class CreateSavedSearch extends Body(SavedSearch, { required: ['sq_name', 'sq_scope', 'sq_query'] }) {}

/** Body of PATCH /saved-searches/{id}. */
export class ChangeSavedSearch extends Body(SavedSearch, { optional: ['sq_name', 'sq_query'] }) {}

/** Body of POST /saved-searches/preview. */
@Accepts()
export class PreviewSearch {
  @Choice(SEARCH_SCOPES, { about: 'Which library to search.', example: 'media' }) sq_scope!: SearchScope;
  @Json({
    max: SEARCH_LIMITS.bytes,
    about: 'The query in the search language.',
    example: { where: { field: 'kind', op: 'eq', value: 'image' } },
  })
  sq_query!: JsonObject;
  @Whole({ omittable: true, min: 1, max: 50, about: 'Maximum number of files to return; 20 by default.', example: 20 }) limit?: number;
  @Flag({ omittable: true, about: 'Whether to count what each leaf matches by itself.' }) explain?: boolean;
}

/** Any value that JSON knows. */
const ANY_VALUE = [
  { type: 'string' },
  { type: 'number' },
  { type: 'boolean' },
  { type: 'array', items: {} },
  { type: 'object', additionalProperties: true },
  { type: 'null' },
];

/** How many files one leaf matches by itself. */
@Answer()
export class ExplainedLeafView {
  @Text({ about: 'Where in `canonical`; `text` for its words.', example: 'where.all[0]' }) path!: string;
  @Text({ about: 'The field.', example: 'kind' }) field!: string;
  @Text({ about: 'The operator.', example: 'eq' }) op!: string;
  @ApiProperty({
    anyOf: ANY_VALUE,
    description: 'What it is compared with; null where the operator takes nothing.',
    example: 'image',
    required: true,
  })
  value!: JsonValue;
  @Whole({ about: 'Files that it matches, up to 10000.', example: 120 }) count!: number;
  @Flag({ about: 'False when there are more.' }) count_exact!: boolean;
}

/** What a query finds for the caller now. */
@Answer()
export class SearchPreviewView {
  @Whole({ about: 'Files that match, up to 10000.', example: 42 }) count!: number;
  @Flag({ about: 'False when there are more than 10000.' }) count_exact!: boolean;
  @NestedList(() => FileView, { about: 'The first of them, in the order that the query asks for.' }) data!: FileView[];
  @NestedList(() => SearchWarningView, { about: 'Conditions that name something that does not exist.' }) warnings!: SearchWarningView[];
  @Json({ about: 'The query in canonical form, as it would be kept.' }) canonical!: JsonObject;
  @NestedList(() => ExplainedLeafView, { omittable: true, about: 'With `explain`: the leaves in the order of `canonical`.' })
  leaves?: ExplainedLeafView[];
}
