import { Active, Flag, Id, Json, Ref, Resource, Stamp, TenantRow, Text, Whole } from '@atrium/platform/database';
import { alreadyExists, invalidState, Problem, type Clock, type JsonObject } from '@atrium/platform/kernel';
import { MOST_SLUG, SLUG } from './slug';

export const MOST_TAXONOMIES = 1_000;
const MOST_TERMS = 20_000;

/** A vocabulary of terms. Who changes its terms holds its row, so that moves in one tree never cross. */
@Resource({ table: 'taxonomy', sort: '-tax_created' })
export class Taxonomy extends TenantRow {
  @Id({ about: 'Id of the taxonomy.' }) readonly tax_id!: string;
  @Text({
    min: 1,
    about: 'Name of the taxonomy; unique among active taxonomies, in any case.',
    example: 'Product lines',
    filter: 'contains',
    sort: true,
  })
  tax_name!: string;
  @Text({
    min: 1,
    max: MOST_SLUG,
    form: SLUG,
    about: 'Slug of lowercase letters, digits and hyphens; unique among active taxonomies. Derived from the name when omitted.',
    example: 'product-lines',
  })
  tax_slug!: string;
  @Text({ max: 5_000, optional: true, about: 'What the taxonomy classifies.' }) tax_description!: string | null;
  @Flag({ about: 'Whether terms can have terms below them.' }) tax_hierarchical!: boolean;
  @Json({ about: 'Your own metadata, at most 64 KB.', example: { owner: 'Marketing' } }) tax_metadata!: JsonObject;
  @Ref({
    optional: true,
    about: 'Extension that manages the taxonomy; null for the workspace. Managed taxonomies are read-only.',
    filter: 'equals',
  })
  tax_managed_by!: string | null;
  @Active('change', {
    about:
      'Whether the taxonomy is active; false if it was deleted. Terms of deleted taxonomies cannot be assigned; objects keep those they have.',
  })
  tax_active!: boolean;
  @Whole({ about: 'Number of terms, including inactive ones.', column: 'integer', generated: true, example: 42 })
  readonly tax_term_count!: number;
  @Stamp({ about: 'When the taxonomy was created.', filter: 'range', sort: true }) tax_created!: Date;
  @Stamp({ about: 'When the taxonomy was last changed.', filter: 'range', sort: true }) tax_updated!: Date;

  /** A new one that has nothing but what it must have. */
  static blank(facts: Partial<Taxonomy> & Pick<Taxonomy, 'tax_id' | 'tax_slug'>, now: Date): Taxonomy {
    return Object.assign(new Taxonomy(), {
      tax_description: null,
      tax_hierarchical: true,
      tax_metadata: {},
      tax_managed_by: null,
      tax_active: true,
      tax_created: now,
      tax_updated: now,
      ...facts,
    });
  }

  assertOwn(): void {
    if (this.tax_managed_by !== null)
      throw invalidState('The taxonomy is managed by an extension and cannot be changed here. Create your own taxonomy instead.');
  }

  /** Terms are written while the taxonomy belongs to the workspace and is active. */
  assertOpen(): void {
    this.assertOwn();
    if (!this.tax_active) throw invalidState(`The taxonomy ${this.tax_name} is inactive. Activate it before changing its terms.`);
  }

  assertRoom(): void {
    if (this.tax_term_count >= MOST_TERMS)
      throw new Problem('limit_reached', `The taxonomy ${this.tax_name} has ${MOST_TERMS} terms, which is the maximum.`);
  }

  touch(clock: Clock): void {
    this.tax_updated = clock.now();
  }
}

export const taxonomyNameTaken = (name: string): Problem =>
  alreadyExists('tax_name', `An active taxonomy named ${name} already exists. Choose another name.`);

export const taxonomySlugTaken = (slug: string): Problem =>
  alreadyExists('tax_slug', `An active taxonomy with the slug ${slug} already exists. Choose another slug.`);

export const tooManyTaxonomies = (): Problem =>
  new Problem('limit_reached', `A workspace can have at most ${MOST_TAXONOMIES} active taxonomies. Delete one first.`);
