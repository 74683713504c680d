import type { ContentFilter } from '@atrium/forms';
import { Choice, Decimal, Flag, IdList, Json, Nested, Text, TextList, Whole } from '@atrium/platform/database';
import { Accepts } from '@atrium/platform/http';

const MODES = ['hybrid', 'text', 'vector'] as const;

@Accepts()
export class BaseSearchFilter {
  @IdList({ omittable: true, min: 1, max: 1_000, about: 'Only records and files with these ids.' }) source_ids?: string[];
  @TextList({
    omittable: true,
    min: 1,
    max: 50,
    about: 'Only files with these extensions, in lower case without the dot.',
    example: ['pdf'],
  })
  file_format?: string[];
  @TextList({ omittable: true, min: 1, max: 50, about: 'Only records and files in these languages (ISO 639-1).', example: ['de'] })
  language?: string[];
  @TextList({ omittable: true, min: 1, max: 50, about: 'Only records with one of these tags.', example: ['printer'] }) tags?: string[];
  @Json({
    omittable: true,
    about: 'Conditions on filterable fields of the schema, as in lists: a text, several texts, or texts by operator.',
    example: { price: { lte: '100' } },
  })
  fields?: ContentFilter;
}

/** Body of POST /knowledge-bases/{id}/search. */
@Accepts()
export class SearchKnowledgeBase {
  @Text({ min: 1, max: 4_000, about: 'Search text: words, or a question.', example: 'How do I change the toner?' })
  query!: string;
  @Flag({ omittable: true, about: 'Whether to use the `retrieval` settings of the knowledge base; true when omitted.' })
  use_config?: boolean;
  @Choice(MODES, {
    omittable: true,
    about: 'Whether to search by words, by meaning, or both. When omitted, the setting of the base, or `hybrid`.',
  })
  mode?: (typeof MODES)[number];
  @Whole({
    omittable: true,
    min: 1,
    max: 100,
    about: 'Maximum number of passages. When omitted, the setting of the base, or 8.',
    example: 8,
  })
  limit?: number;
  @Decimal({ omittable: true, min: 0, max: 1, about: 'Minimum cosine similarity for results by meaning.' })
  similarity_threshold?: number;
  @Whole({ omittable: true, min: 1, max: 20, about: 'Maximum number of passages of one source.', example: 3 }) max_per_source?: number;
  @Whole({ omittable: true, min: 0, max: 3, about: 'Number of neighboring passages to return before and after each result.', example: 1 })
  neighbors?: number;
  @Flag({ omittable: true, about: 'Whether to explain by which channels and words each result was found.' }) explain?: boolean;
  @Nested(() => BaseSearchFilter, { omittable: true, about: 'Conditions on the sources to search.' }) filter?: BaseSearchFilter;
}
