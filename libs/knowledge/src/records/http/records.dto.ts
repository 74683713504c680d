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
  @Whole({ about: 'Grows with every change; the ETag of the record.', example: 1 }) rec_version!: number;
  @Choice(SOURCE_STATUSES, {
    about: '`pending` waits to be indexed, `excluded` is not searched: a draft, archived, or without text.',
    example: 'ready',
  })
  rec_index_status!: SourceStatus;
  @Text({ optional: true, max: 500, about: 'Why it could not be indexed.' }) rec_index_error!: string | null;
}

@Answer()
class ListedRecordView extends KnowledgeRecordView {
  @Decimal({ optional: true, about: 'Likeness to `embedding_search`; null without it.', example: 0.82 }) similarity!: number | null;
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
  { type: 'array', items: { type: 'string', maxLength: 255 }, maxItems: 50, description: 'Bears any of these tags; repeat the parameter.' },
);
acceptParameter(
  ListRecords,
  { name: 'rec_index_status', kind: 'choice', values: SOURCE_STATUSES },
  { type: 'string', enum: [...SOURCE_STATUSES], description: 'How far its indexing is.' },
);
acceptParameter(ListRecords, {
  name: 'full_text_search',
  kind: 'text',
  min: 1,
  max: 200,
  about: 'Words of its title and text; quotes, `or` and `-` as in a web search.',
});
acceptParameter(ListRecords, {
  name: 'embedding_search',
  kind: 'text',
  min: 1,
  max: 500,
  about: 'Published records by their meaning, the most alike first; where it cannot be embedded, those that contain it.',
});
acceptParameter(ListRecords, {
  name: 'similarityThreshold',
  kind: 'number',
  min: 0,
  max: 1,
  about: 'Least likeness with `embedding_search`; the one of the model when absent.',
});
acceptParameter(
  ListRecords,
  { name: 'rec_content', kind: 'json' },
  {
    type: 'object',
    additionalProperties: true,
    description:
      'Values of filterable fields of the schema: `rec_content[status]=open`, with operators `rec_content[price][lte]=100` (eq, ne, in, gt, gte, lt, lte, contains, empty). Sort by `rec_content_<key>`.',
  },
);
