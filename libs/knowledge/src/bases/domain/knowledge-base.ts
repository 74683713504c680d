import { Active, Choice, Json, Id, Ref, Resource, Stamp, TenantRow, Text, Whole } from '@atrium/platform/database';
import { DAY, invalidState, Problem, type Clock, type JsonObject } from '@atrium/platform/kernel';
import { configOf, type BaseConfig } from './base-config';

export const BASE_TYPES = ['text', 'form'] as const;
export type BaseType = (typeof BASE_TYPES)[number];

/** How long a deleted base may come back. */
export const RESTORABLE_MS = 30 * DAY;
/** By then what could no longer be restored has been purged, unless something keeps it. */
export const PURGED_MS = RESTORABLE_MS + 2 * DAY;
export const MOST_BASES = 1_000;
export const MOST_RECORDS = 1_000_000;
/** From so many records on writers of a base take turns, so that all of them together keep to the limit. */
export const CROWDED = MOST_RECORDS - 50_000;

/**
 * A knowledge base: records of one shape, files and linked documents that are searched together. Its kind and the schema of its
 * records stay once it has records; only a fork moves all of them to another schema at once.
 */
@Resource({ table: 'knowledge_base', sort: '-ds_created' })
export class KnowledgeBase extends TenantRow {
  @Id({ about: 'Id of the knowledge base.' }) readonly ds_id!: string;
  @Text({
    min: 1,
    max: 255,
    about: 'Name of the knowledge base; unique among active bases, in any case.',
    example: 'Product manuals',
    filter: 'contains',
    sort: true,
  })
  ds_name!: string;
  @Text({
    max: 5_000,
    optional: true,
    about: 'What the base is about. Agents choose knowledge bases by their descriptions.',
    example: 'Manuals of all products, in English.',
    filter: 'contains',
  })
  ds_description!: string | null;
  @Choice(BASE_TYPES, {
    about:
      '`text` for records with a title and markdown; `form` for records that follow a schema. Cannot be changed once the base has records.',
    example: 'text',
    filter: 'equals',
  })
  ds_type!: BaseType;
  @Text({ max: 100, optional: true, about: 'Your own category.', example: 'Support', filter: 'equals' }) ds_category!: string | null;
  @Text({ max: 100, optional: true, about: 'Your own subcategory.', example: 'Printers', filter: 'equals' })
  ds_subcategory!: string | null;
  @Json({
    about:
      'Settings: `form_id` (the schema of the records, for the type `form`), `retrieval` {mode, top_k, similarity_threshold, max_per_source, neighbors}, `chunking` {target_tokens, overlap_tokens} of its own files and records, and `language`.',
    example: { retrieval: { mode: 'hybrid', top_k: 8 } },
  })
  ds_config!: JsonObject;
  @Json({ about: 'Metadata of the service: `reindex_job`, the job started by the last change of `chunking`.', example: {} })
  ds_metadata!: JsonObject;
  @Active('action', { about: 'Whether the base is active; false if it was deleted. A deleted base can be restored for 30 days.' })
  ds_active!: boolean;
  @Stamp({ about: 'When it was created.', filter: 'range', sort: true }) ds_created!: Date;
  @Stamp({ about: 'When it was last changed.', filter: 'range', sort: true }) ds_updated!: Date;
  @Ref({ optional: true, about: 'Schema of the records; null for text bases.' }) form_id!: string | null;
  /** Counted where a base is listed, kept or locked. */
  @Whole({ about: 'Number of records, without deleted ones.', example: 120, computed: true }) readonly ds_record_count!: number;

  @Json({ internal: true }) ds_acl!: JsonObject;
  @Stamp({ internal: true, optional: true }) ds_deleted!: Date | null;
  @Ref({ internal: true, optional: true }) ds_created_by!: string | null;

  /** A new one that has nothing but what it must have. */
  static blank(facts: Pick<KnowledgeBase, 'ds_id' | 'ds_name' | 'ds_created_by'>, now: Date): KnowledgeBase {
    return Object.assign(new KnowledgeBase(), {
      ds_description: null,
      ds_category: null,
      ds_subcategory: null,
      ds_metadata: {},
      ds_acl: {},
      ds_active: true,
      ds_deleted: null,
      ds_record_count: 0,
      ds_created: now,
      ds_updated: now,
      ...facts,
    });
  }

  /** Its settings, read. */
  get config(): BaseConfig {
    return configOf(this.ds_config);
  }

  /** Takes settings and kind together: a base of the type form names its schema, a text base none. */
  describe(ds_type: BaseType, ds_config: JsonObject): void {
    const { form_id } = configOf(ds_config);
    if (this.ds_record_count > 0 && (ds_type !== this.ds_type || form_id !== this.form_id))
      throw invalidState(
        'The type and the schema of a knowledge base with records cannot be changed. Fork the schema, or create another base.',
      );
    this.ds_type = ds_type;
    this.ds_config = ds_config;
    this.form_id = form_id;
  }

  /** All records have moved to another schema. */
  pointAt(form_id: string): void {
    this.ds_config = { ...this.ds_config, form_id };
    this.form_id = form_id;
  }

  delete(clock: Clock): void {
    this.ds_active = false;
    this.ds_deleted = clock.now();
    this.touch(clock);
  }

  restore(clock: Clock): void {
    if (this.ds_deleted === null) throw invalidState('The knowledge base is not deleted.');
    if (clock.now().getTime() - this.ds_deleted.getTime() > RESTORABLE_MS)
      throw new Problem('gone', 'The knowledge base was deleted more than 30 days ago and cannot be restored.');
    this.ds_active = true;
    this.ds_deleted = null;
    this.touch(clock);
  }

  /** There is room for so many more records. */
  assertRoom(more: number): void {
    if (this.ds_record_count + more > MOST_RECORDS)
      throw new Problem('limit_reached', 'A knowledge base can have at most 1,000,000 records. Create another base.');
  }

  wasDeletedBefore(moment: Date): boolean {
    return this.ds_deleted !== null && this.ds_deleted < moment;
  }

  touch(clock: Clock): void {
    this.ds_updated = clock.now();
  }
}

/** The scope of searches that a base is. */
export const scopeOf = (ds_id: string): string => `ds:${ds_id}`;
