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
    about: 'Name; unique among the groups of its scope, in any case; no colon.',
    example: 'Subject',
    filter: 'contains',
    sort: true,
  })
  mtg_name!: string;
  @Text({ max: 5_000, optional: true, about: 'Description of its values.' }) mtg_description!: string | null;
  @Text({ optional: true, max: 7, form: COLOR_FORM, about: 'Color to show it in.', example: '#2b6cb0' }) mtg_color!: string | null;
  @Choice(TAG_SCOPES, { about: 'For files of the media library or for documents; does not change.', filter: 'equals' })
  readonly mtg_scope!: TagScope;
  @Flag({ about: 'Whether a file may have several of its values.' }) mtg_multiple!: boolean;
  @Flag({ about: 'Whether it takes listed values only.' }) mtg_closed!: boolean;
  @TextList({ max: 30, about: 'Keys of states that a file enters only with a value of this group.', example: ['approved'] })
  mtg_required_for!: string[];
  @Json() mtg_rules!: readonly TagRule[];
  @Whole({ min: 0, max: 1_000_000, about: 'Position among the groups.', example: 0, column: 'integer', sort: true })
  mtg_position!: number;
  @Flag({ about: 'Inactive groups give no further tags; files keep those they have.', filter: 'equals' }) mtg_active!: boolean;
  @Whole({ about: 'Values it has.', example: 12, generated: true }) readonly mtg_tag_count!: number;
  @Whole({ about: 'Files that have a value of it, trash left out.', example: 230, generated: true }) readonly mtg_file_count!: number;
  @Stamp({ about: 'When it was created.', filter: 'range', sort: true }) mtg_created!: Date;
  @Stamp({ about: 'When it was last changed.', filter: 'range', sort: true }) mtg_updated!: Date;

  touch(clock: Clock): void {
    this.mtg_updated = clock.now();
  }
}

export const MOST_GROUPS_OF_SCOPE = 200;
export const MOST_TAGS_OF_GROUP = 10_000;

export const groupNameTaken = (name: string): Problem => alreadyExists('mtg_name', `A tag group named ${name} exists already.`);

export const tooManyGroups = (): Problem =>
  new Problem('limit_reached', `A workspace has at most ${MOST_GROUPS_OF_SCOPE} tag groups of one scope.`);

export const tooManyTags = (group: string): Problem =>
  new Problem('limit_reached', `The tag group ${group} has ${MOST_TAGS_OF_GROUP} values; it takes no more.`);
