import { Choice, Decimal, Flag, IdList, Json, Nested, NestedList, Ref, Stamp, Text, TextList, Whole } from '@atrium/platform/database';
import { Accepts, acceptParameter, Answer } from '@atrium/platform/http';
import type { JsonObject } from '@atrium/platform/kernel';

const MODES = ['hybrid', 'text', 'vector'] as const;
type Mode = (typeof MODES)[number];

@Accepts()
export class RetrievalFilter {
  @IdList({ omittable: true, min: 1, max: 1_000, about: 'Only sources with these ids.' }) source_ids?: string[];
  @TextList({
    omittable: true,
    min: 1,
    max: 50,
    about: 'Only files with these extensions, in lower case without the dot.',
    example: ['pdf'],
  })
  file_format?: string[];
  @Json({
    omittable: true,
    about: 'Only documents with one of these values in each named tag group.',
    example: { Topic: ['Contracts'] },
  })
  tags?: JsonObject;
  @Text({
    omittable: true,
    min: 1,
    max: 36,
    about: 'Only documents in this folder, curated or smart; `none` for documents without a folder.',
  })
  folder?: string;
  @TextList({ omittable: true, min: 1, max: 50, about: 'Only sources in these languages (ISO 639-1).', example: ['de'] })
  language?: string[];
  @Json({
    omittable: true,
    about: 'Conditions on fields, by key, with `eq`, `in`, `gte` and `lte`. For documents, they apply to the metadata.',
    example: { contract_year: { gte: 2024 } },
  })
  fields?: JsonObject;
}

/** Body of POST /retrieval/search. */
@Accepts()
export class RetrievalQuery {
  @Text({ min: 1, max: 4_000, about: 'Search text: words, or a question.', example: 'termination notice period' })
  query!: string;
  @TextList({ omittable: true, min: 1, max: 100, about: 'Scopes to search; when omitted, all that you can search.', example: ['docs'] })
  scopes?: string[];
  @Choice(MODES, { omittable: true, about: 'Whether to search by words, by meaning, or both; `hybrid` when omitted.' }) mode?: Mode;
  @Whole({ omittable: true, min: 1, max: 100, about: 'Maximum number of passages; 10 when omitted.', example: 10 }) limit?: number;
  @Decimal({
    omittable: true,
    min: 0,
    max: 1,
    about: 'Minimum cosine similarity for results by meaning. The default depends on the model.',
  })
  similarity_threshold?: number;
  @Whole({ omittable: true, min: 1, max: 20, about: 'Maximum number of passages of one source; 3 when omitted.', example: 3 })
  max_per_source?: number;
  @Whole({
    omittable: true,
    min: 0,
    max: 3,
    about: 'Number of neighboring passages to return before and after each result; none when omitted.',
    example: 1,
  })
  neighbors?: number;
  @Flag({ omittable: true, about: 'Whether to explain by which channels and words each result was found.' }) explain?: boolean;
  @Nested(() => RetrievalFilter, { omittable: true, about: 'Conditions on the sources to search.' }) filter?: RetrievalFilter;
}

/** Query of GET /retrieval/passages/{id}. */
export class OpenPassage {
  neighbors?: number;
}
acceptParameter(OpenPassage, {
  name: 'neighbors',
  kind: 'whole',
  min: 0,
  max: 5,
  about: 'Number of neighboring passages to return before and after the passage.',
});

/** Body of POST /retrieval/reindex. */
@Accepts()
export class ReindexPassages {
  @Text({ omittable: true, min: 1, max: 200, about: 'Only sources in this scope.', example: 'docs' }) scope?: string;
  @IdList({ omittable: true, min: 1, max: 1_000, about: 'Only these sources.' }) source_ids?: string[];
  @Choice(['failed', 'stale', 'all'], {
    omittable: true,
    about: 'Which sources to index: those that failed, those whose text or model has changed, or all; `stale` when omitted.',
  })
  only?: 'failed' | 'stale' | 'all';
}

@Answer()
export class CitationView {
  @Whole({ about: 'Number of the source in this response, for citations.', example: 1 }) n!: number;
  @Text({ about: 'Kind of the source.', example: 'file' }) source_kind!: string;
  @Ref({ about: 'Id of the source.' }) source_id!: string;
  @Ref({ optional: true, about: 'Version of the file that contains the passage.' }) version_id!: string | null;
  @Text({ about: 'Title of the source.', example: 'lease.pdf' }) title!: string;
  @Text({ optional: true, about: 'URL of the source outside the service.' }) url!: string | null;
  @Whole({ optional: true, about: 'First page of the passage.', example: 7 }) page_from!: number | null;
  @Whole({ optional: true, about: 'Last page of the passage.', example: 7 }) page_to!: number | null;
  @Whole({ about: 'Start of the passage in the markdown, in UTF-16 code units.', example: 1_204 }) char_start!: number;
  @Whole({ about: 'End of the passage in the markdown, in UTF-16 code units.', example: 2_310 }) char_end!: number;
  @Text({ optional: true, about: 'Version of the indexed text.' }) version!: string | null;
  @Stamp({ about: 'When the source was last indexed.' }) updated!: Date;
}

@Answer()
export class SourceKeyView {
  @Text({ about: 'Kind of the source.', example: 'file' }) source_kind!: string;
  @Ref({ about: 'Id of the source.' }) source_id!: string;
}

@Answer()
export class NeighborView {
  @Ref({ about: 'Id of the passage.' }) passage_id!: string;
  @Whole({ about: 'Position of the passage in the source.', example: 12 }) ordinal!: number;
  @Text({ about: 'Text of the passage.' }) text!: string;
}

@Answer()
export class PassageView {
  @Ref({ about: 'Id of the passage; it does not change while the text is unchanged.' }) passage_id!: string;
  @Text({ about: 'Exact text of the source.' }) text!: string;
  @Text({ optional: true, about: 'Header row of the table that the passage continues.' }) lead!: string | null;
  @Text({ about: 'Headings above the passage.', example: 'Lease › Termination' }) context!: string;
  @Decimal({ about: 'Combined score of all channels; 1 if the passage ranks first in every channel.', example: 0.98 }) score!: number;
  @Decimal({
    optional: true,
    about: 'Cosine similarity of query and passage; null if the passage was not found by meaning.',
    example: 0.71,
  })
  similarity!: number | null;
  @Nested(() => CitationView, { about: 'Position of the passage.' }) citation!: CitationView;
  @NestedList(() => SourceKeyView, { about: 'Other sources that contain the same text.' }) also_in!: SourceKeyView[];
  @NestedList(() => NeighborView, { about: 'Neighboring passages, in order.' }) neighbors!: NeighborView[];
  @Json({
    optional: true,
    about: 'With `explain`: rank in each channel and matched words.',
    example: { text_rank: 1, vector_rank: null, terms: ['lease'] },
  })
  explain!: JsonObject | null;
}

@Answer()
export class RetrievalUsage {
  @Whole({ about: 'Number of tokens charged for embedding the query.', example: 7 }) embedding_tokens!: number;
}

@Answer()
export class RetrievalResult {
  @NestedList(() => PassageView, { about: 'Passages, best match first.' }) data!: PassageView[];
  @Choice(MODES, { about: 'Requested search mode.' }) mode!: Mode;
  @Choice(['pgvector', 'sql'], { about: 'Index used to compare vectors.' }) engine!: string;
  @Text({ optional: true, about: 'Model that embedded the query; null if the query was not embedded.' }) model!: string | null;
  @Text({ optional: true, about: 'Why a search channel was unavailable: `embedding_unavailable`.' }) fallback!: string | null;
  @TextList({ about: 'Requested scopes that were not searched, because they do not exist or you cannot search them.' })
  ignored_scopes!: string[];
  @Whole({ optional: true, omittable: true, about: 'With `explain`: number of nearest passages excluded by the threshold.', example: 12 })
  dropped?: number | null;
  @Nested(() => RetrievalUsage, { about: 'Cost of the search.' }) usage!: RetrievalUsage;
}

@Answer()
export class RetrievalStatus {
  @Choice(['pgvector', 'sql'], { about: 'Index used to compare vectors.' }) engine!: string;
  @Text({ about: 'Current embedding model.' }) model!: string;
  @Whole({ about: 'Number of sources in the index.', example: 120 }) sources!: number;
  @Whole({ about: 'Number of passages in the index.', example: 4_210 }) passages!: number;
  @Whole({ about: 'Number of passage vectors in the index.', example: 4_210 }) vectors!: number;
  @Whole({ about: 'Number of sources waiting to be indexed.', example: 0 }) pending!: number;
  @Whole({ about: 'Number of sources that could not be indexed.', example: 0 }) failed!: number;
  @TextList({ about: 'Earlier models whose vectors are still stored.' }) stale_models!: string[];
}
