import { Choice, COLOR_FORM, Flag, Id, Json, Resource, Stamp, TenantRow, Text, TextList, Whole } from '@atrium/platform/database';
import { alreadyExists, Problem, type Clock, type JsonObject } from '@atrium/platform/kernel';
import { MOST_GROUP_NAME } from './tag-words';

export const TAG_SCOPES = ['media', 'docs'] as const;

export type TagScope = (typeof TAG_SCOPES)[number];

/** Key of a state of files; a group may be required for entering it. */
export const STATE_KEY = /^[a-z][a-z0-9_]{0,39}$/;

/** What files get a value by themselves: those that a query finds. */
export interface TagRule {
  readonly query_search: JsonObject;
  readonly value: string;
}

/**
 * A vocabulary: the values a file may have in one respect. A closed group takes listed values only, a single-value one
 * gives a file one value at most.
 */
@Resource({ table: 'media_tag_group', sort: 'mtg_position' })
export class MediaTagGroup extends TenantRow {
  @Id({ about: 'Id of the group.' }) readonly mtg_id!: string;
  @Text({
    min: 1,
    max: MOST_GROUP_NAME,
    about: 'Name of the group; unique in its scope, ignoring case. It must not contain a colon.',
    example: 'Subject',
    filter: 'contains',
    sort: true,
  })
  mtg_name!: string;
  @Text({ max: 5_000, optional: true, about: 'Purpose of the group.' }) mtg_description!: string | null;
  @Text({ optional: true, max: 7, form: COLOR_FORM, about: 'Display color.', example: '#2b6cb0' }) mtg_color!: string | null;
  @Choice(TAG_SCOPES, {
    about: 'Whether the group is for files of the media library or for documents. Cannot be changed.',
    filter: 'equals',
  })
  readonly mtg_scope!: TagScope;
  @Flag({ about: 'Whether a file can have several values of the group.' }) mtg_multiple!: boolean;
  @Flag({ about: 'Whether only listed values can be used.' }) mtg_closed!: boolean;
  @TextList({ max: 30, about: 'Keys of the states that require a value of this group.', example: ['approved'] })
  mtg_required_for!: string[];
  @Json() mtg_rules!: readonly TagRule[];
  @Whole({ min: 0, max: 1_000_000, about: 'Position among the groups.', example: 0, column: 'integer', sort: true })
  mtg_position!: number;
  @Flag({ about: 'Whether its tags can be assigned. Files keep the tags of inactive groups.', filter: 'equals' }) mtg_active!: boolean;
  @Whole({ about: 'Number of values.', example: 12, generated: true }) readonly mtg_tag_count!: number;
  @Whole({ about: 'Number of files with a value of the group, without files in the trash.', example: 230, generated: true })
  readonly mtg_file_count!: number;
  @Stamp({ about: 'When it was created.', filter: 'range', sort: true }) mtg_created!: Date;
  @Stamp({ about: 'When it was last changed.', filter: 'range', sort: true }) mtg_updated!: Date;

  /** A new one that has nothing but what it must have. */
  static blank(facts: Partial<MediaTagGroup>, now: Date): MediaTagGroup {
    return Object.assign(new MediaTagGroup(), {
      mtg_description: null,
      mtg_color: null,
      mtg_multiple: true,
      mtg_closed: false,
      mtg_required_for: [],
      mtg_rules: [],
      mtg_active: true,
      mtg_tag_count: 0,
      mtg_file_count: 0,
      mtg_created: now,
      mtg_updated: now,
      ...facts,
    });
  }

  touch(clock: Clock): void {
    this.mtg_updated = clock.now();
  }
}

export const MOST_GROUPS_OF_SCOPE = 200;
export const MOST_TAGS_OF_GROUP = 10_000;

export const groupNameTaken = (name: string): Problem => alreadyExists('mtg_name', `A tag group named ${name} already exists.`);

export const tooManyGroups = (): Problem =>
  new Problem('limit_reached', `A workspace can have at most ${MOST_GROUPS_OF_SCOPE} tag groups per scope.`);

export const tooManyTags = (group: string): Problem =>
  new Problem('limit_reached', `The tag group ${group} already has the maximum of ${MOST_TAGS_OF_GROUP} values.`);
