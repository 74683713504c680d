import type { ContentFilter } from '@atrium/forms';
import { Choice, Decimal, Text, Whole } from '@atrium/platform/database';
import { acceptParameter, Answer, Body, ListQuery, PageOf, View } from '@atrium/platform/http';
import { SOURCE_STATUSES, type SourceStatus } from '@atrium/retrieval';
import { KnowledgeRecord } from '../domain/knowledge-record';

const SAID = [
  'rec_name',
  'rec_url',
  'rec_external_id',
  'rec_tags',
  'rec_language',
  'rec_status',
  'rec_valid_from',
  'rec_valid_until',
  'rec_metadata',
] as const;

export class CreateRecord extends Body(KnowledgeRecord, { required: ['rec_content'], optional: [...SAID] }) {}

export class ChangeRecord extends Body(KnowledgeRecord, { optional: ['rec_content', ...SAID] }) {}

@Answer()
export class KnowledgeRecordView extends View(KnowledgeRecord) {
  @Whole({ about: "Version of the record, which increases with every change; the record's ETag.", example: 1 }) rec_version!: number;
  @Choice(SOURCE_STATUSES, {
    about:
      'State of indexing. `pending`: waiting to be indexed; `excluded`: not searched, because the record is a draft, archived or without text.',
    example: 'ready',
  })
  rec_index_status!: SourceStatus;
  @Text({ optional: true, max: 500, about: 'Why the record could not be indexed.' }) rec_index_error!: string | null;
}

@Answer()
class ListedRecordView extends KnowledgeRecordView {
  @Decimal({ optional: true, about: 'Similarity to `embedding_search`; null without it.', example: 0.82 }) similarity!: number | null;
}

export class KnowledgeRecordPage extends PageOf(ListedRecordView) {}

/** Query of GET /knowledge-bases/{id}/records. */
export class ListRecords extends ListQuery(KnowledgeRecord, { extended: true }) {
  rec_active?: boolean;
  rec_tags?: string[];
  rec_index_status?: SourceStatus;
  full_text_search?: string;
  embedding_search?: string;
  similarityThreshold?: number;
  rec_content?: ContentFilter;
}
acceptParameter(
  ListRecords,
  { name: 'rec_tags', kind: 'texts', min: 1, max: 50 },
  {
    type: 'array',
    items: { type: 'string', maxLength: 255 },
    maxItems: 50,
    description: 'Only records with one of these tags; repeat the parameter for several.',
  },
);
acceptParameter(
  ListRecords,
  { name: 'rec_index_status', kind: 'choice', values: SOURCE_STATUSES },
  { type: 'string', enum: [...SOURCE_STATUSES], description: 'State of indexing.' },
);
acceptParameter(ListRecords, {
  name: 'full_text_search',
  kind: 'text',
  min: 1,
  max: 200,
  about: 'Words in the title or the text. Supports quotes, `or` and `-`, as in a web search.',
});
acceptParameter(ListRecords, {
  name: 'embedding_search',
  kind: 'text',
  min: 1,
  max: 500,
  about:
    'What the records are about, in your own words. Only published records are found, the most similar first. If the text cannot be embedded, records that contain it are found instead.',
});
acceptParameter(ListRecords, {
  name: 'similarityThreshold',
  kind: 'number',
  min: 0,
  max: 1,
  about: 'Minimum similarity with `embedding_search`. The default depends on the model.',
});
acceptParameter(
  ListRecords,
  { name: 'rec_content', kind: 'json' },
  {
    type: 'object',
    additionalProperties: true,
    description:
      'Values of filterable fields of the schema, such as `rec_content[status]=open`, or with an operator: `rec_content[price][lte]=100` (eq, ne, in, gt, gte, lt, lte, contains, empty). Sort by `rec_content_<key>`.',
  },
);
