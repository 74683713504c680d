import type { ContentFilter } from '@atrium/forms';
import { Choice, Decimal, Flag, IdList, Json, Nested, Text, TextList, Whole } from '@atrium/platform/database';
import { Accepts } from '@atrium/platform/http';

const MODES = ['hybrid', 'text', 'vector'] as const;

@Accepts()
export class BaseSearchFilter {
  @IdList({ omittable: true, min: 1, max: 1_000, about: 'Ids of records and files; only they are searched.' }) source_ids?: string[];
  @TextList({ omittable: true, min: 1, max: 50, about: 'Extensions of files, lower case, no dot.', example: ['pdf'] })
  file_format?: string[];
  @TextList({ omittable: true, min: 1, max: 50, about: 'Languages by their codes of ISO 639-1.', example: ['de'] }) language?: string[];
  @TextList({ omittable: true, min: 1, max: 50, about: 'Records that bear any of these tags.', example: ['printer'] }) tags?: string[];
  @Json({
    omittable: true,
    about: 'Records by the filterable fields of the schema, as in lists: texts, several, or texts by operator.',
    example: { price: { lte: '100' } },
  })
  fields?: ContentFilter;
}

/** Body of POST /knowledge-bases/{id}/search. */
@Accepts()
export class SearchKnowledgeBase {
  @Text({ min: 1, max: 4_000, about: 'What is looked for: words, or a question in a sentence.', example: 'How do I change the toner?' })
  query!: string;
  @Flag({ omittable: true, about: 'False: the `retrieval` settings of the base are left aside.' }) use_config?: boolean;
  @Choice(MODES, { omittable: true, about: 'By words, by meaning, or by both; `hybrid` unless the base says otherwise.' })
  mode?: (typeof MODES)[number];
  @Whole({ omittable: true, min: 1, max: 100, about: 'Passages at most; 8 unless the base says otherwise.', example: 8 }) limit?: number;
  @Decimal({ omittable: true, min: 0, max: 1, about: 'Likeness (cosine) below which meaning finds nothing.' })
  similarity_threshold?: number;
  @Whole({ omittable: true, min: 1, max: 20, about: 'Passages of one source at most.', example: 3 }) max_per_source?: number;
  @Whole({ omittable: true, min: 0, max: 3, about: 'Passages beside each hit, on either side.', example: 1 }) neighbors?: number;
  @Flag({ omittable: true, about: 'Adds to each hit by which channel and which words it was found.' }) explain?: boolean;
  @Nested(() => BaseSearchFilter, { omittable: true, about: 'Which sources count.' }) filter?: BaseSearchFilter;
}
