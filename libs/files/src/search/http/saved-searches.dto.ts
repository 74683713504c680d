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
  @Text({ about: 'Path in the query.', example: 'where.all[1].value' }) path!: string;
  @Text({
    about: '`reference`: something named in the query no longer exists. `unknown_field`: a field no longer exists.',
    example: 'reference',
  })
  code!: string;
  @Text({ about: 'Explanation.', example: 'names no album that is open here: 0190163d-8694-739b-aea5-966c26f8ad91' })
  message!: string;
}

/** A saved search as clients see it. */
@Answer()
export class SavedSearchView extends View(SavedSearch) {
  @NestedList(() => SearchWarningView, { about: 'Conditions that refer to something deleted; they match nothing.' })
  sq_warnings!: SearchWarningView[];
  @Whole({ about: 'Number of smart albums and folders that use it and that you may read.', example: 1 }) sq_used_by!: number;
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
  @Choice(SEARCH_SCOPES, { about: 'Library to search.', example: 'media' }) sq_scope!: SearchScope;
  @Json({
    max: SEARCH_LIMITS.bytes,
    about: 'The query in the search language.',
    example: { where: { field: 'kind', op: 'eq', value: 'image' } },
  })
  sq_query!: JsonObject;
  @Whole({ omittable: true, min: 1, max: 50, about: 'Maximum number of files to return. Default: 20.', example: 20 }) limit?: number;
  @Flag({ omittable: true, about: 'Whether to count the matches of each condition individually.' }) explain?: boolean;
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
  @Text({ about: 'Path in `canonical`; `text` for its words.', example: 'where.all[0]' }) path!: string;
  @Text({ about: 'The field.', example: 'kind' }) field!: string;
  @Text({ about: 'The operator.', example: 'eq' }) op!: string;
  @ApiProperty({
    anyOf: ANY_VALUE,
    description: 'Value of the comparison. Null if the operator has none.',
    example: 'image',
    required: true,
  })
  value!: JsonValue;
  @Whole({ about: 'Number of matching files, up to 10,000.', example: 120 }) count!: number;
  @Flag({ about: 'False if there are more.' }) count_exact!: boolean;
}

/** What a query finds for the caller now. */
@Answer()
export class SearchPreviewView {
  @Whole({ about: 'Number of matching files, up to 10,000.', example: 42 }) count!: number;
  @Flag({ about: 'False if there are more than 10,000.' }) count_exact!: boolean;
  @NestedList(() => FileView, { about: 'The first matching files, in the order of the query.' }) data!: FileView[];
  @NestedList(() => SearchWarningView, { about: 'Conditions that refer to something that does not exist.' }) warnings!: SearchWarningView[];
  @Json({ about: 'The query in canonical form, as it would be stored.' }) canonical!: JsonObject;
  @NestedList(() => ExplainedLeafView, { omittable: true, about: 'With `explain`: the conditions in the order of `canonical`.' })
  leaves?: ExplainedLeafView[];
}
