import { Choice, Decimal, Flag, IdList, Json, Nested, NestedList, Ref, Stamp, Text, TextList, Whole } from '@atrium/platform/database';
import { Accepts, acceptParameter, Answer } from '@atrium/platform/http';
import type { JsonObject } from '@atrium/platform/kernel';

const MODES = ['hybrid', 'text', 'vector'] as const;
type Mode = (typeof MODES)[number];

@Accepts()
export class RetrievalFilter {
  @IdList({ omittable: true, min: 1, max: 1_000, about: 'Ids of sources; only they are searched.' }) source_ids?: string[];
  @TextList({ omittable: true, min: 1, max: 50, about: 'Extensions of files, lower case, no dot.', example: ['pdf'] })
  file_format?: string[];
  @Json({
    omittable: true,
    about: 'Values of tags by their groups, for documents: one of each group that is named.',
    example: { Topic: ['Contracts'] },
  })
  tags?: JsonObject;
  @Text({ omittable: true, min: 1, max: 36, about: 'Documents in this folder, curated or smart; `none`: in no folder.' }) folder?: string;
  @TextList({ omittable: true, min: 1, max: 50, about: 'Languages by their codes of ISO 639-1.', example: ['de'] }) language?: string[];
  @Json({
    omittable: true,
    about: 'Tests of fields by their keys, with `eq`, `in`, `gte` and `lte`; of documents: of their metadata.',
    example: { contract_year: { gte: 2024 } },
  })
  fields?: JsonObject;
}

/** Body of POST /retrieval/search. */
@Accepts()
export class RetrievalQuery {
  @Text({ min: 1, max: 4_000, about: 'What is looked for: words, or a question in a sentence.', example: 'termination notice period' })
  query!: string;
  @TextList({ omittable: true, min: 1, max: 100, about: 'Scopes to search; all that the caller may read when absent.', example: ['docs'] })
  scopes?: string[];
  @Choice(MODES, { omittable: true, about: 'By words, by meaning, or by both; `hybrid` when absent.' }) mode?: Mode;
  @Whole({ omittable: true, min: 1, max: 100, about: 'Passages at most; 10 when absent.', example: 10 }) limit?: number;
  @Decimal({
    omittable: true,
    min: 0,
    max: 1,
    about: 'Likeness (cosine) below which meaning finds nothing; the one of the model when absent.',
  })
  similarity_threshold?: number;
  @Whole({ omittable: true, min: 1, max: 20, about: 'Passages of one source at most; 3 when absent.', example: 3 }) max_per_source?: number;
  @Whole({ omittable: true, min: 0, max: 3, about: 'Passages beside each hit, on either side; none when absent.', example: 1 })
  neighbors?: number;
  @Flag({ omittable: true, about: 'Adds to each hit by which channel and which words it was found.' }) explain?: boolean;
  @Nested(() => RetrievalFilter, { omittable: true, about: 'Which sources count.' }) filter?: RetrievalFilter;
}

/** Query of GET /retrieval/passages/{id}. */
export class OpenPassage {
  neighbors?: number;
}
acceptParameter(OpenPassage, { name: 'neighbors', kind: 'whole', min: 0, max: 5, about: 'Passages beside it, on either side.' });

/** Body of POST /retrieval/reindex. */
@Accepts()
export class ReindexPassages {
  @Text({ omittable: true, min: 1, max: 200, about: 'Only sources of this scope.', example: 'docs' }) scope?: string;
  @IdList({ omittable: true, min: 1, max: 1_000, about: 'Only these sources.' }) source_ids?: string[];
  @Choice(['failed', 'stale', 'all'], {
    omittable: true,
    about: 'Those that failed, those whose text or model changed, or all; `stale` when absent.',
  })
  only?: 'failed' | 'stale' | 'all';
}

@Answer()
export class CitationView {
  @Whole({ about: 'Its number in this answer.', example: 1 }) n!: number;
  @Text({ about: 'What the source is.', example: 'file' }) source_kind!: string;
  @Ref({ about: 'Id of the source.' }) source_id!: string;
  @Ref({ optional: true, about: 'Version of the file that contains the passage.' }) version_id!: string | null;
  @Text({ about: 'Title of the source.', example: 'lease.pdf' }) title!: string;
  @Text({ optional: true, about: 'Address of the source outside of the service.' }) url!: string | null;
  @Whole({ optional: true, about: 'First page of the passage.', example: 7 }) page_from!: number | null;
  @Whole({ optional: true, about: 'Last page of the passage.', example: 7 }) page_to!: number | null;
  @Whole({ about: 'Where it begins in the markdown.', example: 1_204 }) char_start!: number;
  @Whole({ about: 'Where it ends in the markdown.', example: 2_310 }) char_end!: number;
  @Text({ optional: true, about: 'Version of the text that is indexed.' }) version!: string | null;
  @Stamp({ about: 'When the source was last indexed.' }) updated!: Date;
}

@Answer()
export class SourceKeyView {
  @Text({ about: 'What the source is.', example: 'file' }) source_kind!: string;
  @Ref({ about: 'Id of the source.' }) source_id!: string;
}

@Answer()
export class NeighborView {
  @Ref({ about: 'Id of the passage.' }) passage_id!: string;
  @Whole({ about: 'Its place in the source.', example: 12 }) ordinal!: number;
  @Text({ about: 'Its text.' }) text!: string;
}

@Answer()
export class PassageView {
  @Ref({ about: 'Id of the passage; stable while its text is unchanged.' }) passage_id!: string;
  @Text({ about: 'The exact text of the source.' }) text!: string;
  @Text({ optional: true, about: 'The header row of the table that the text goes on with.' }) lead!: string | null;
  @Text({ about: 'The headings above it.', example: 'Lease › Termination' }) context!: string;
  @Decimal({ about: 'Rank among the hits: 1 is the first by every channel.', example: 0.98 }) score!: number;
  @Decimal({ optional: true, about: 'Cosine of query and passage; null where meaning did not find it.', example: 0.71 })
  similarity!: number | null;
  @Nested(() => CitationView, { about: 'Position of the passage.' }) citation!: CitationView;
  @NestedList(() => SourceKeyView, { about: 'Other sources with the same text.' }) also_in!: SourceKeyView[];
  @NestedList(() => NeighborView, { about: 'The passages beside it, in their order.' }) neighbors!: NeighborView[];
  @Json({
    optional: true,
    about: 'With `explain`: ranks by channel and the words found.',
    example: { text_rank: 1, vector_rank: null, terms: ['lease'] },
  })
  explain!: JsonObject | null;
}

@Answer()
export class RetrievalUsage {
  @Whole({ about: 'Tokens for which embedding the query was charged.', example: 7 }) embedding_tokens!: number;
}

@Answer()
export class RetrievalResult {
  @NestedList(() => PassageView, { about: 'The passages, best first.' }) data!: PassageView[];
  @Choice(MODES, { about: 'What was asked for.' }) mode!: Mode;
  @Choice(['pgvector', 'sql'], { about: 'What compared vectors.' }) engine!: string;
  @Text({ optional: true, about: 'What embedded the query; null when nothing did.' }) model!: string | null;
  @Text({ optional: true, about: 'Why a channel is missing: `embedding_unavailable`.' }) fallback!: string | null;
  @TextList({ about: 'Scopes that are not searched because the caller may not read them or there are none.' }) ignored_scopes!: string[];
  @Whole({ optional: true, omittable: true, about: 'With `explain`: passages among the nearest that the threshold left out.', example: 12 })
  dropped?: number | null;
  @Nested(() => RetrievalUsage, { about: 'Cost of the search.' }) usage!: RetrievalUsage;
}

@Answer()
export class RetrievalStatus {
  @Choice(['pgvector', 'sql'], { about: 'What compares vectors.' }) engine!: string;
  @Text({ about: 'The model that embeds at the moment.' }) model!: string;
  @Whole({ about: 'Sources in the index.', example: 120 }) sources!: number;
  @Whole({ about: 'Their passages.', example: 4_210 }) passages!: number;
  @Whole({ about: 'Vectors of passages.', example: 4_210 }) vectors!: number;
  @Whole({ about: 'Sources that wait.', example: 0 }) pending!: number;
  @Whole({ about: 'Sources that failed.', example: 0 }) failed!: number;
  @TextList({ about: 'Other models whose vectors are still there.' }) stale_models!: string[];
}
