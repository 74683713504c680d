import { Active, Id, Ref, Resource, Stamp, TenantRow, Text, Whole } from '@atrium/platform/database';
import { alreadyExists, Problem, type Clock } from '@atrium/platform/kernel';

const MOST_LEVELS = 5;

/** What a client says of a category. */
export interface CategoryFacts {
  readonly pcat_name?: string;
  readonly pcat_description?: string | null;
  readonly pcat_parent?: string | null;
  readonly pcat_order?: number;
  readonly pcat_active?: boolean;
}

/** A category that prompts are found by: a tree of at most five levels, in which siblings have names of their own. */
@Resource({ table: 'prompt_category', sort: 'pcat_order' })
export class PromptCategory extends TenantRow {
  @Id({ about: 'Id of the category.' }) readonly pcat_id!: string;
  @Text({
    min: 1,
    max: 80,
    about: 'Name of the category; unique among active categories with the same parent, in any case.',
    example: 'Support',
    filter: 'contains',
    sort: true,
  })
  pcat_name!: string;
  @Text({ max: 5_000, optional: true, about: 'Description of the category.' }) pcat_description!: string | null;
  @Ref({
    optional: true,
    about: 'Id of the parent category; null at the top level. Categories can have at most five levels.',
    filter: 'equals',
  })
  pcat_parent!: string | null;
  @Whole({
    min: -1_000_000,
    max: 1_000_000,
    about: 'Position among categories with the same parent, lowest first.',
    example: 0,
    sort: true,
    column: 'integer',
  })
  pcat_order!: number;
  @Active('change', { about: 'Whether the category is active; false if it was deleted.' }) pcat_active!: boolean;
  @Stamp({ about: 'When the category was created.', filter: 'range', sort: true }) pcat_created!: Date;
  @Stamp({ about: 'When the category was last changed.', filter: 'range' }) pcat_updated!: Date;

  /** A new one that has nothing but what it must have. */
  static blank(facts: Pick<PromptCategory, 'pcat_id'>, now: Date): PromptCategory {
    return Object.assign(new PromptCategory(), {
      pcat_description: null,
      pcat_parent: null,
      pcat_order: 0,
      pcat_active: true,
      pcat_created: now,
      ...facts,
    });
  }

  /** Takes what is said of it, besides its place in the tree. */
  describe({ pcat_name, pcat_description, pcat_order, pcat_active }: CategoryFacts, clock: Clock): void {
    this.pcat_name = pcat_name ?? this.pcat_name;
    if (pcat_description !== undefined) this.pcat_description = pcat_description;
    this.pcat_order = pcat_order ?? this.pcat_order;
    this.pcat_active = pcat_active ?? this.pcat_active;
    this.pcat_updated = clock.now();
  }

  /** Goes below another one, or to the top. `above`: the new parent and those above it; `levels`: of categories below this one. */
  moveUnder(parent: string | null, { above, levels }: { readonly above: readonly string[]; readonly levels: number }): void {
    if (above.includes(this.pcat_id))
      throw new Problem('invalid_move', 'A category cannot be moved into itself or into one of its subcategories.');
    if (above.length + 1 + levels > MOST_LEVELS) throw new Problem('invalid_move', `Categories can have at most ${MOST_LEVELS} levels.`);
    this.pcat_parent = parent;
  }
}

export const categoryNameTaken = (): Problem =>
  alreadyExists('pcat_name', 'An active category with this name already exists at the same level. Choose another name.');
