import { Active, COLOR_FORM, Decimal, Id, Json, Ref, Resource, Stamp, TenantRow, Text, TextList } from '@atrium/platform/database';
import { alreadyExists, folded, invalidField, Problem, type Clock, type JsonObject } from '@atrium/platform/kernel';
import { isWithin, levelOf, lineageBelow, MOST_LEVELS } from './lineage';
import { MOST_SLUG, SLUG } from './slug';

const MOST_ALIASES = 50;
const MOST_ORDER = 1e9;

/** A term of a taxonomy. Its lineage always ends in its own id and begins with that of its parent. */
@Resource({ table: 'term', sort: 'term_order' })
export class Term extends TenantRow {
  @Id({ about: 'Id of the term.' }) readonly term_id!: string;
  @Ref({ about: 'Id of the taxonomy; cannot be changed.' }) readonly term_taxonomy!: string;
  @Ref({ optional: true, about: 'Id of the parent term in the same taxonomy; null at the top level. Terms can be nested 10 levels deep.' })
  term_parent!: string | null;
  @Text({
    min: 1,
    about: 'Name of the term; unique among active terms with the same parent, in any case.',
    example: 'Desk lamps',
    sort: true,
  })
  term_name!: string;
  @Text({
    min: 1,
    max: MOST_SLUG,
    form: SLUG,
    about: 'Slug of lowercase letters, digits and hyphens; unique in the taxonomy. Derived from the name when omitted.',
    example: 'desk-lamps',
  })
  term_slug!: string;
  @Text({ max: 5_000, optional: true, about: 'Description of the term.' }) term_description!: string | null;
  @TextList({ max: MOST_ALIASES, about: 'Other names by which lists find the term.', example: ['Table lamps'] }) term_aliases!: string[];
  @Text({ optional: true, max: 7, form: COLOR_FORM, about: 'Display color of the term.', example: '#2b6cb0' }) term_color!: string | null;
  @Decimal({
    min: -MOST_ORDER,
    max: MOST_ORDER,
    about: 'Position among terms with the same parent; last when omitted.',
    example: 10,
    sort: true,
  })
  term_order!: number;
  @Json({ about: 'Your own metadata, at most 64 KB.', example: { code: 'DL' } }) term_metadata!: JsonObject;
  @Active('change', {
    about:
      'Whether the term is active; false if it was deleted while in use. Inactive terms cannot be assigned; objects keep those they have.',
  })
  term_active!: boolean;
  @Stamp({ about: 'When the term was created.', filter: 'range', sort: true }) term_created!: Date;
  @Stamp({ about: 'When the term was last changed.', filter: 'range', sort: true }) term_updated!: Date;
  @Text({ internal: true }) term_lineage!: string;
  @Text({ internal: true }) term_words!: string;

  /** Puts the term below another one, or at the top; `levels` is how many levels it has with those below it. */
  placeUnder(parent: Pick<Term, 'term_id' | 'term_lineage'> | null, levels: number): void {
    if (parent && this.term_lineage && isWithin(parent.term_lineage, this.term_lineage))
      throw new Problem('invalid_move', 'A term cannot be moved below itself or below one of its descendants.');
    const above = parent?.term_lineage ?? '';
    if (levelOf(above) + levels > MOST_LEVELS) throw new Problem('invalid_move', `Terms can be nested at most ${MOST_LEVELS} levels deep.`);
    this.term_parent = parent?.term_id ?? null;
    this.term_lineage = lineageBelow(above, this.term_id);
  }

  name(name: string): void {
    this.term_name = name;
    this.alsoCall(this.term_aliases);
  }

  /** Replaces the aliases; each is kept once, and the name itself is none. */
  alsoCall(aliases: readonly string[]): void {
    const tidy = aliases.map((alias) => alias.trim());
    if (tidy.includes('')) throw invalidField('term_aliases', 'must not contain an empty text', 'too_short');
    const distinct = new Map(tidy.map((alias) => [folded(alias), alias]));
    distinct.delete(folded(this.term_name));
    this.term_aliases = [...distinct.values()];
    this.term_words = folded([this.term_name, ...this.term_aliases].join('\n'));
  }

  touch(clock: Clock): void {
    this.term_updated = clock.now();
  }
}

export const termNameTaken = (name: string): Problem =>
  alreadyExists('term_name', `A term named ${name} with the same parent already exists. Choose another name.`);

export const termSlugTaken = (slug: string): Problem =>
  alreadyExists('term_slug', `A term with the slug ${slug} already exists in the taxonomy. Choose another slug.`);
