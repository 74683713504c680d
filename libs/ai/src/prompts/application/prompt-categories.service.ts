import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database, violatesConstraint, type ListParameters, type Page, type Precondition } from '@atrium/platform/database';
import { Clock, Ids, invalidField, notFound, Problem } from '@atrium/platform/kernel';
import { categoryNameTaken, PromptCategory, type CategoryFacts } from '../domain/prompt-category';
import { PromptCategoriesRepository, type CategoryRow } from '../infrastructure/prompt-categories.repository';
import { PromptsRepository } from '../infrastructure/prompts.repository';

export type CategoryAnswer = CategoryRow & { readonly pcat_prompt_count: number };

/** The tree of categories that prompts are found by. */
@Injectable()
export class PromptCategoriesService {
  constructor(
    private readonly db: Database,
    private readonly categories: PromptCategoriesRepository,
    private readonly prompts: PromptsRepository,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  list(caller: Principal, query: ListParameters & { readonly pcat_active?: boolean }): Promise<Page<CategoryAnswer>> {
    return this.db.read(async () => {
      const page = await this.categories.listCategories(query);
      return { ...page, data: await this.counted(caller, page.data) };
    });
  }

  get(caller: Principal, pcat_id: string): Promise<CategoryAnswer> {
    return this.db.read(() => this.answer(caller, pcat_id));
  }

  create(caller: Principal, { pcat_parent, ...facts }: CategoryFacts & { readonly pcat_name: string }): Promise<CategoryAnswer> {
    return named(categoryNameTaken, () =>
      this.db.write(async () => {
        await this.categories.lockTree();
        const now = this.clock.now();
        const category = PromptCategory.blank({ pcat_id: this.ids.next() }, now);
        category.describe(facts, this.clock);
        await this.place(category, pcat_parent, 0);
        await this.categories.insert(category);
        return this.answer(caller, category.pcat_id);
      }),
    );
  }

  change(caller: Principal, pcat_id: string, facts: CategoryFacts, precondition?: Precondition): Promise<CategoryAnswer> {
    return named(facts.pcat_active === false ? childNameTaken : categoryNameTaken, () =>
      this.db.write(async () => {
        await this.categories.lockTree();
        const category = await this.categories.lockToChange(pcat_id, facts, precondition);
        const wasActive = category.pcat_active;
        category.describe(facts, this.clock);
        await this.place(category, facts.pcat_parent, await this.categories.countLevelsBelow(pcat_id));
        await this.categories.save(category);
        if (wasActive && !category.pcat_active) await this.empty(category);
        return this.answer(caller, pcat_id);
      }),
    );
  }

  /** Its children move to its parent, and prompts are in it no more. */
  remove(pcat_id: string, precondition?: Precondition): Promise<void> {
    return named(childNameTaken, () =>
      this.db.write(async () => {
        await this.categories.lockTree();
        const category = await this.categories.lockToDelete(pcat_id, precondition);
        if (!category) return;
        category.describe({ pcat_active: false }, this.clock);
        await this.categories.save(category);
        await this.empty(category);
      }),
    );
  }

  private async empty({ pcat_id, pcat_parent }: PromptCategory): Promise<void> {
    await this.categories.moveChildren(pcat_id, pcat_parent);
    await this.categories.unlinkPrompts(pcat_id);
  }

  /** Under the lock of the tree. Undefined: it stays where it is. */
  private async place(category: PromptCategory, parent: string | null | undefined, levels: number): Promise<void> {
    if (parent === undefined) return;
    const above = parent === null ? [] : await this.categories.findPath(parent);
    if (parent !== null && above.length === 0) throw invalidField('pcat_parent', 'must be an active prompt category', 'reference');
    category.moveUnder(parent?.toLowerCase() ?? null, { above, levels });
  }

  private async answer(caller: Principal, pcat_id: string): Promise<CategoryAnswer> {
    const row = await this.categories.findCategoryRow(pcat_id);
    const [answer] = row ? await this.counted(caller, [row]) : [];
    if (!answer) throw notFound('prompt category');
    return answer;
  }

  private async counted(caller: Principal, rows: readonly CategoryRow[]): Promise<CategoryAnswer[]> {
    const counts =
      rows.length > 0
        ? await this.prompts.countPromptsByCategory(
            caller,
            rows.map(({ pcat_id }) => pcat_id),
          )
        : new Map<string, number>();
    return rows.map((row) => ({ ...row, pcat_prompt_count: counts.get(row.pcat_id) ?? 0 }));
  }
}

/** Siblings have names of their own: the index refuses the second one. */
async function named<T>(taken: () => Problem, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw violatesConstraint(error, 'prompt_category_name_taken') ? taken() : error;
  }
}

const childNameTaken = (): Problem =>
  new Problem(
    'already_exists',
    'A subcategory has the same name as a category on the level above and would be moved there. Rename one of them first.',
  );
