import { Injectable } from '@nestjs/common';
import { metadataCondition, type MetadataFilter } from '@atrium/files';
import type { Principal } from '@atrium/platform/access';
import { Database, empty, sql, violatesConstraint, type ListParameters, type Page, type Precondition } from '@atrium/platform/database';
import { Clock, Ids, notFound } from '@atrium/platform/kernel';
import { assertMayDelete } from '../../shared/deleting-changes';
import { keyOf } from '../domain/prompt-text';
import { Wildcard, wildcardNameTaken, type WildcardFacts } from '../domain/wildcard';
import { PromptsRepository } from '../infrastructure/prompts.repository';
import { WildcardsRepository, type WildcardRow } from '../infrastructure/wildcards.repository';

export type WildcardAnswer = WildcardRow & { readonly wildcard_prompt_count: number };

export interface WildcardFilters extends ListParameters {
  readonly wildcard_active?: boolean;
  readonly wildcard_metadata?: MetadataFilter;
}

/** The questions that prompts ask. Prompts refer to them by name: a change counts from their next run. */
@Injectable()
export class WildcardsService {
  constructor(
    private readonly db: Database,
    private readonly wildcards: WildcardsRepository,
    private readonly prompts: PromptsRepository,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  list(caller: Principal, { wildcard_active = true, wildcard_metadata, ...query }: WildcardFilters): Promise<Page<WildcardAnswer>> {
    const tagged = metadataCondition(wildcard_metadata, 'wildcard_metadata');
    return this.db.read(async () => {
      const page = await this.wildcards.listWildcards(
        query,
        sql`r.wildcard_active = ${wildcard_active}${tagged === empty ? empty : sql` AND ${tagged}`}`,
      );
      return { ...page, data: await this.counted(caller, page.data) };
    });
  }

  get(caller: Principal, wildcard_id: string): Promise<WildcardAnswer> {
    return this.db.read(() => this.answer(caller, wildcard_id));
  }

  create(
    caller: Principal,
    facts: WildcardFacts & { readonly wildcard_name: string; readonly wildcard_control_type: string },
  ): Promise<WildcardAnswer> {
    return this.named(() =>
      this.db.write(async () => {
        const wildcard = Wildcard.blank({ wildcard_id: this.ids.next() }, this.clock.now());
        wildcard.describe(facts, this.clock);
        await this.wildcards.insert(wildcard);
        return this.answer(caller, wildcard.wildcard_id);
      }),
    );
  }

  change(caller: Principal, wildcard_id: string, facts: WildcardFacts, precondition?: Precondition): Promise<WildcardAnswer> {
    assertMayDelete(caller, 'prompt:delete', facts.wildcard_active);
    return this.named(() =>
      this.db.write(async () => {
        const wildcard = await this.wildcards.lockToChange(wildcard_id, facts, precondition);
        wildcard.describe(facts, this.clock);
        await this.wildcards.save(wildcard);
        return this.answer(caller, wildcard_id);
      }),
    );
  }

  /** Prompts keep the name, and ask for free text from now on. */
  remove(wildcard_id: string, precondition?: Precondition): Promise<void> {
    return this.db.write(async () => {
      const wildcard = await this.wildcards.lockToDelete(wildcard_id, precondition);
      if (!wildcard) return;
      wildcard.delete(this.clock);
      await this.wildcards.save(wildcard);
    });
  }

  private async answer(caller: Principal, wildcard_id: string): Promise<WildcardAnswer> {
    const row = await this.wildcards.findWildcardRow(wildcard_id);
    const [answer] = row ? await this.counted(caller, [row]) : [];
    if (!answer) throw notFound('wildcard');
    return answer;
  }

  private async counted(caller: Principal, rows: readonly WildcardRow[]): Promise<WildcardAnswer[]> {
    const keys = rows.map(({ wildcard_name }) => keyOf(wildcard_name));
    const counts = keys.length > 0 ? await this.prompts.countPromptsByWildcard(caller, keys) : new Map<string, number>();
    return rows.map((row) => ({ ...row, wildcard_prompt_count: counts.get(keyOf(row.wildcard_name)) ?? 0 }));
  }

  /** Of two that take one name at once, the second one is refused by the index. */
  private async named<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw violatesConstraint(error, 'wildcard_name_taken') ? wildcardNameTaken() : error;
    }
  }
}
