import { Flag, Id, Ref, Resource, Stamp, TenantRow, Text, TextList, Whole } from '@atrium/platform/database';
import { alreadyExists, folded, invalidField, Problem, type Clock } from '@atrium/platform/kernel';
import { MOST_TAG_VALUE, tagValueFault, tidiedText } from './tag-words';

/** How many levels values of a group may nest. */
export const MOST_TAG_LEVELS = 5;
export const MOST_SYNONYMS = 20;

/**
 * One value of a tag group. It and its synonyms are one word each that means no other value of the group; a
 * caller who writes a synonym gets the value.
 */
@Resource({ table: 'media_tag', sort: 'mt_value' })
export class MediaTag extends TenantRow {
  @Id({ about: 'Id of the tag.' }) readonly mt_id!: string;
  @Ref({ about: 'Group of the tag. Cannot be changed.', filter: 'equals' }) readonly mt_group!: string;
  @Text({
    min: 1,
    max: MOST_TAG_VALUE,
    about: 'Value of the tag; unique in its group, ignoring case.',
    example: 'Harbour',
    filter: 'contains',
    sort: true,
  })
  mt_value!: string;
  @TextList({ max: MOST_SYNONYMS, about: 'Synonyms.', example: ['Port', 'Marina'] }) mt_synonyms!: string[];
  @Ref({ optional: true, about: 'Broader value in the same group; values can be nested at most 5 levels deep.', filter: 'equals' })
  mt_parent!: string | null;
  @Flag({ about: 'Whether the tag can be assigned to files.', filter: 'equals' }) mt_active!: boolean;
  @Whole({ about: 'Number of files with the tag, without files in the trash.', example: 57, generated: true })
  readonly mt_file_count!: number;
  @Stamp({ about: 'When it was created.', filter: 'range', sort: true }) mt_created!: Date;
  @Stamp({ about: 'When it was last changed.', filter: 'range', sort: true }) mt_updated!: Date;

  /** A new one that has nothing but what it must have. */
  static blank(facts: Pick<MediaTag, 'mt_id' | 'mt_group'>, now: Date): MediaTag {
    return Object.assign(new MediaTag(), { mt_synonyms: [], mt_parent: null, mt_active: true, mt_created: now, mt_updated: now, ...facts });
  }

  rename(value: string): void {
    this.mt_value = storable(value, 'mt_value');
    this.mt_synonyms = this.mt_synonyms.filter((synonym) => !isSame(synonym, this.mt_value));
  }

  /** Replaces the synonyms; one that is the value itself is left out. */
  alsoCall(synonyms: readonly string[]): void {
    if (synonyms.length > MOST_SYNONYMS) throw invalidField('mt_synonyms', `must have at most ${MOST_SYNONYMS} items`, 'too_many');
    const tidy = synonyms.map((synonym, at) => storable(synonym, `mt_synonyms[${at}]`));
    this.mt_synonyms = tidy.filter(
      (synonym, at) => !isSame(synonym, this.mt_value) && tidy.findIndex((other) => isSame(other, synonym)) === at,
    );
  }

  /** Puts it under a wider value. `above` are that value's own ancestors; `levels` how many are below this one, itself included. */
  placeUnder(parent: { readonly mt_id: string } | null, above: readonly string[], levels: number): void {
    if (parent && (parent.mt_id === this.mt_id || above.includes(this.mt_id)))
      throw new Problem('invalid_move', 'A tag cannot be moved below itself.');
    if (parent && above.length + 1 + levels > MOST_TAG_LEVELS)
      throw new Problem('invalid_move', `Tags can be nested at most ${MOST_TAG_LEVELS} levels deep.`);
    this.mt_parent = parent?.mt_id ?? null;
  }

  touch(clock: Clock): void {
    this.mt_updated = clock.now();
  }
}

const isSame = (one: string, other: string): boolean => folded(one) === folded(other);

function storable(text: string, path: string): string {
  const fault = tagValueFault(text);
  if (fault) throw invalidField(path, fault.message, fault.code);
  return tidiedText(text);
}

export const wordTaken = (value: string): Problem =>
  alreadyExists('mt_value', `${value} or one of its synonyms is already a word of another tag of the group.`);
