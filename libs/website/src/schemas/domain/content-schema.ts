import {
  Active,
  Choice,
  COLOR_FORM,
  Id,
  Json,
  Ref,
  Resource,
  Stamp,
  TenantRow,
  Text,
  TextList,
  type TextForm,
  Whole,
} from '@atrium/platform/database';
import { alreadyExists, invalidState, Problem, type Clock, type JsonObject } from '@atrium/platform/kernel';

export const SCHEMA_KINDS = ['page', 'block', 'both'] as const;
export type SchemaKind = (typeof SCHEMA_KINDS)[number];
export const MOST_SCHEMAS = 500;

const KEY: TextForm = {
  pattern: /^[a-z][a-z0-9_-]{0,59}$/,
  words: 'a key of lowercase letters, digits, _ and - that begins with a letter',
};

/** What happens to a key of stored content, in the words of the form language. */
export interface SchemaMove {
  readonly within: readonly string[];
  readonly from: string;
  readonly to: string;
  readonly convert: 'list' | 'text' | 'decimal' | null;
}

/** A move that drafts have made, all of them by a moment. */
export interface FollowedMove extends SchemaMove {
  readonly at: string;
}

/** Moves that versions of pages can still follow; older ones are forgotten. */
const MOST_FOLLOWED = 500;

/** Fields that were removed, by their paths, and since when. */
export type RetiredOfSchema = Readonly<Record<string, { readonly config: JsonObject; readonly at: string }>>;

/** What a change of the configuration asks of content that is stored. */
export interface SchemaEvolution {
  readonly moves: readonly SchemaMove[];
  readonly reindexed: readonly string[];
  readonly retired: RetiredOfSchema;
}

/** The fields of a kind of page or block. */
@Resource({ table: 'content_schema', sort: '-tpl_created' })
export class ContentSchema extends TenantRow {
  @Id({ about: 'Id of the content schema.' }) readonly tpl_id!: string;
  @Ref({ about: 'Library that the schema belongs to.', filter: 'equals' }) tpl_library!: string;
  @Text({
    max: 60,
    form: KEY,
    about: 'Key by which blocks name the schema in `component`; unique among active schemas of the library. Cannot be changed.',
    example: 'hero',
    filter: 'equals',
  })
  tpl_key!: string;
  @Text({ min: 1, max: 255, about: 'Name of the schema.', example: 'Hero', filter: 'contains', sort: true }) tpl_name!: string;
  @Text({ max: 5_000, optional: true, about: 'What the schema is for.' }) tpl_description!: string | null;
  @Text({ max: 100, optional: true, about: 'Name of an icon that editors show.', example: 'layout' }) tpl_icon!: string | null;
  @Text({ max: 7, optional: true, form: COLOR_FORM, about: 'Color that editors show.', example: '#2b6cb0' }) tpl_color!: string | null;
  @Text({
    max: 100,
    optional: true,
    about: 'Group of the schema in editors. Fields of the type `blocks` can allow all schemas of a group.',
    example: 'Teasers',
    filter: 'equals',
  })
  tpl_group!: string | null;
  @Choice(SCHEMA_KINDS, {
    about: '`page` for pages, `block` for blocks on pages, `both` for either.',
    example: 'block',
    filter: 'equals',
  })
  tpl_kind!: SchemaKind;
  @Json({
    max: 256 * 1024,
    about: 'Fields of the schema, in the form language with the field types of content.',
    example: { fields: [{ key: 'headline', label: 'Headline', type: 'text', localized: true }] },
  })
  tpl_config!: JsonObject;
  @Ref({ optional: true, about: 'File with a picture of the block, for editors.' }) tpl_preview_file!: string | null;
  @Json({ about: 'Components of content management systems that the schema was synchronized with, by provider.', example: {} })
  tpl_external!: JsonObject;
  @Ref({
    optional: true,
    about: 'Extension that manages the schema; null for the workspace. Managed schemas are read-only.',
    filter: 'equals',
  })
  tpl_managed_by!: string | null;
  @Active('change', {
    about: 'Whether the schema is active; false if it was deleted. Pages keep the blocks of a deleted schema, and new ones are rejected.',
  })
  tpl_active!: boolean;
  @Whole({ column: 'integer', about: 'Version of `tpl_config`, which increases with every change of it.', example: 1 })
  tpl_revision!: number;
  @Stamp({ about: 'When the schema was created.', filter: 'range', sort: true }) tpl_created!: Date;
  @Stamp({ about: 'When the schema was last changed.', filter: 'range', sort: true }) tpl_updated!: Date;

  /** What drafts still need that were written by an earlier revision. */
  @Json({ internal: true, isOfAnyType: true }) tpl_moves!: readonly SchemaMove[];
  /** What drafts have followed, for versions that were written before. */
  @Json({ internal: true, isOfAnyType: true }) tpl_followed!: readonly FollowedMove[];
  /** Keys that lists cannot use until drafts have followed. */
  @TextList({ internal: true }) tpl_unready!: readonly string[];
  /** Fields that were removed, whose values are stored still. */
  @Json({ internal: true }) tpl_retired!: RetiredOfSchema;

  /** A new one that has nothing but what it must have. */
  static blank(
    facts: Partial<ContentSchema> & Pick<ContentSchema, 'tpl_id' | 'tpl_library' | 'tpl_key' | 'tpl_name' | 'tpl_kind'>,
    now: Date,
  ): ContentSchema {
    return Object.assign(new ContentSchema(), {
      tpl_description: null,
      tpl_icon: null,
      tpl_color: null,
      tpl_group: null,
      tpl_config: {},
      tpl_preview_file: null,
      tpl_external: {},
      tpl_managed_by: null,
      tpl_active: true,
      tpl_revision: 1,
      tpl_created: now,
      tpl_updated: now,
      tpl_moves: [],
      tpl_unready: [],
      tpl_followed: [],
      tpl_retired: {},
      ...facts,
    });
  }

  /** Another configuration, which drafts follow in the background. */
  evolve(tpl_config: JsonObject, { moves, reindexed, retired }: SchemaEvolution): void {
    this.tpl_config = tpl_config;
    this.tpl_revision += 1;
    this.tpl_moves = [...this.tpl_moves, ...moves];
    this.tpl_unready = [...new Set([...this.tpl_unready, ...reindexed])];
    this.tpl_retired = retired;
  }

  /** Whether drafts still have to follow. */
  get isFollowed(): boolean {
    return this.tpl_moves.length === 0 && this.tpl_unready.length === 0;
  }

  /** All drafts have followed. */
  settle(clock: Clock): void {
    const at = clock.now().toISOString();
    this.tpl_followed = [...this.tpl_followed, ...this.tpl_moves.map((move) => ({ ...move, at }))].slice(-MOST_FOLLOWED);
    this.tpl_moves = [];
    this.tpl_unready = [];
  }

  assertOwn(): void {
    if (this.tpl_managed_by !== null)
      throw invalidState('The content schema is managed by an extension and cannot be changed here. Copy its library and change the copy.');
  }

  touch(clock: Clock): void {
    this.tpl_updated = clock.now();
  }
}

export const schemaKeyTaken = (key: string): Problem =>
  alreadyExists('tpl_key', `The library already has an active content schema with the key ${key}. Choose another key.`);

export const tooManySchemas = (): Problem =>
  new Problem('limit_reached', `A library can have at most ${MOST_SCHEMAS} active content schemas. Delete one first.`);
