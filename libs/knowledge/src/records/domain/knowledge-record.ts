import { Active, Choice, Id, Json, Ref, Resource, Stamp, TenantRow, Text, TextList } from '@atrium/platform/database';
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
  @Ref({ about: 'Id of the knowledge base.' }) readonly rec_base!: string;
  @Ref({ optional: true, about: "Id of the record's schema; null in text bases." }) rec_form!: string | null;
  @Text({
    min: 1,
    max: 500,
    about: 'Title. Records with a schema are named by its title field.',
    example: 'Changing the toner',
    filter: 'contains',
    sort: true,
  })
  rec_name!: string;
  @Json({
    max: 256 * 1024,
    about: 'Content. In text bases `body`, markdown of at most 200,000 characters; otherwise values by the fields of the schema.',
    example: { body: 'Open the front cover and pull out the cartridge.' },
  })
  rec_content!: JsonObject;
  @Text({
    max: 2_048,
    optional: true,
    format: 'uri',
    about: 'URL that citations show.',
    example: 'https://example.com/help/toner',
  })
  rec_url!: string | null;
  @Text({
    min: 1,
    max: 512,
    optional: true,
    about: 'Id in the source system; unique in the knowledge base. Imports and crawls identify the record by it.',
    example: 'help-4711',
    filter: 'equals',
  })
  rec_external_id!: string | null;
  @TextList({ max: 50, about: 'Your own tags.', example: ['printer'] }) rec_tags!: string[];
  @Text({
    min: 2,
    max: 2,
    form: { pattern: /^[a-z]{2}$/, words: 'a two-letter language code in lower case, such as en' },
    optional: true,
    about: 'Language (ISO 639-1); detected when omitted.',
    example: 'en',
    filter: 'equals',
  })
  rec_language!: string | null;
  @Choice(RECORD_SOURCES, { about: 'How the record was created.', filter: 'equals' }) rec_source!: RecordSource;
  @Ref({ optional: true, about: 'Id of the crawl that keeps the record up to date.', filter: 'equals' }) rec_crawl!: string | null;
  @Choice(RECORD_STATUSES, { about: 'Status of the record. Searches find only published records.', example: 'published', filter: 'equals' })
  rec_status!: RecordStatus;
  @Stamp({ optional: true, about: 'Start of validity. Searches do not find the record before this time.' }) rec_valid_from!: Date | null;
  @Stamp({ optional: true, about: 'End of validity. Searches do not find the record from this time on.' }) rec_valid_until!: Date | null;
  @Json({ about: 'Your own metadata, at most 64 KB.', example: { owner: 'support' } }) rec_metadata!: JsonObject;
  @Active(
    { never: 'A deleted record cannot be restored. Create it again.' },
    { about: 'Whether the record is active; false if it was deleted.' },
  )
  rec_active!: boolean;
  @Stamp({ about: 'When the record was created.', filter: 'range', sort: true }) rec_created!: Date;
  @Stamp({ about: 'When the record was last changed.', filter: 'range', sort: true }) rec_updated!: Date;
  @Ref({ optional: true, about: 'Who created the record.' }) rec_created_by!: string | null;
  @Ref({ optional: true, about: 'Who last changed the record.' }) rec_updated_by!: string | null;

  @Text({ internal: true }) rec_hash!: string;
  @Text({ internal: true }) rec_text!: string;

  wasDeletedBefore(moment: Date): boolean {
    return !this.rec_active && this.rec_updated < moment;
  }

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
