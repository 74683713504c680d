import { Choice, Flag, Id, Json, Ref, Resource, Stamp, TenantRow, Text, TextList } from '@atrium/platform/database';
import type { Clock, FieldFault, JsonObject } from '@atrium/platform/kernel';

export const RECORD_STATUSES = ['draft', 'published', 'archived'] as const;
export type RecordStatus = (typeof RECORD_STATUSES)[number];
export const RECORD_SOURCES = ['manual', 'import', 'crawl', 'api', 'agent'] as const;
export type RecordSource = (typeof RECORD_SOURCES)[number];

/** The source of passages that records are. */
export const RECORD_SOURCE = 'record';
export const LONGEST_BODY = 200_000;

/** One piece of knowledge of a base: a title with markdown, or content by the schema of the base. */
@Resource({ table: 'knowledge_record', sort: '-rec_created' })
export class KnowledgeRecord extends TenantRow {
  @Id({ about: 'Id of the record.' }) readonly rec_id!: string;
  @Ref({ about: 'The base it belongs to.' }) readonly rec_base!: string;
  @Ref({ optional: true, about: 'Its schema; null in text bases.' }) rec_form!: string | null;
  @Text({
    min: 1,
    max: 500,
    about: 'Title; records of a schema are named by the title field of the schema.',
    example: 'Changing the toner',
    filter: 'contains',
    sort: true,
  })
  rec_name!: string;
  @Json({
    max: 256 * 1024,
    about: 'In text bases `body`, markdown of at most 200,000 characters; else values by the fields of the schema.',
    example: { body: 'Open the front cover and pull out the cartridge.' },
  })
  rec_content!: JsonObject;
  @Text({
    max: 2_048,
    optional: true,
    format: 'uri',
    about: 'Address that citations show.',
    example: 'https://example.com/help/toner',
  })
  rec_url!: string | null;
  @Text({
    min: 1,
    max: 512,
    optional: true,
    about: 'Id in the system it comes from; unique in the base. Imports and crawls find the record by it.',
    example: 'help-4711',
    filter: 'equals',
  })
  rec_external_id!: string | null;
  @TextList({ max: 50, about: 'Free tags.', example: ['printer'] }) rec_tags!: string[];
  @Text({
    min: 2,
    max: 2,
    form: { pattern: /^[a-z]{2}$/, words: 'the code of a language in two lowercase letters, such as en' },
    optional: true,
    about: 'Language (ISO 639-1); detected when absent.',
    example: 'en',
    filter: 'equals',
  })
  rec_language!: string | null;
  @Choice(RECORD_SOURCES, { about: 'How it came into the base.', filter: 'equals' }) rec_source!: RecordSource;
  @Ref({ optional: true, about: 'The crawl that keeps it up to date.', filter: 'equals' }) rec_crawl!: string | null;
  @Choice(RECORD_STATUSES, { about: 'Searches find published records only.', example: 'published', filter: 'equals' })
  rec_status!: RecordStatus;
  @Stamp({ optional: true, about: 'Searches do not find it before.' }) rec_valid_from!: Date | null;
  @Stamp({ optional: true, about: 'Searches do not find it from then on.' }) rec_valid_until!: Date | null;
  @Json({ about: 'Free metadata, at most 64 KB.', example: { owner: 'support' } }) rec_metadata!: JsonObject;
  @Flag({ about: 'False: deleted.', filter: 'equals' }) rec_active!: boolean;
  @Stamp({ about: 'When it was created.', filter: 'range', sort: true }) rec_created!: Date;
  @Stamp({ about: 'When it was last changed.', filter: 'range', sort: true }) rec_updated!: Date;
  @Ref({ optional: true, about: 'Who created it.' }) rec_created_by!: string | null;
  @Ref({ optional: true, about: 'Who changed it last.' }) rec_updated_by!: string | null;

  @Text({ internal: true }) rec_hash!: string;
  @Text({ internal: true }) rec_text!: string;

  /** Whether searches may find it, its window of validity aside. */
  get isOpen(): boolean {
    return this.rec_active && this.rec_status === 'published';
  }

  touch(clock: Clock, by: string | null): void {
    this.rec_updated = clock.now();
    this.rec_updated_by = by;
  }
}

/** A window that ends before it begins holds nothing. */
export const windowFaults = (from: Date | null, until: Date | null): FieldFault[] =>
  from !== null && until !== null && until <= from
    ? [{ path: 'rec_valid_until', code: 'range', message: 'must be after rec_valid_from' }]
    : [];
