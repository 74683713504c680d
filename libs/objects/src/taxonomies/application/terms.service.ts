import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import {
  Database,
  sql,
  violatesConstraint,
  join,
  type ListParameters,
  type Page,
  type Precondition,
  type Sql,
} from '@atrium/platform/database';
import { Clock, dotless, folded, Ids, invalidField, invalidState, notFound, Problem, type JsonObject } from '@atrium/platform/kernel';
import { SeenUses } from '@atrium/forms';
import { freeSlug, slugOf } from '../domain/slug';
import type { Taxonomy } from '../domain/taxonomy';
import { Term, termNameTaken, termSlugTaken } from '../domain/term';
import { TaxonomiesRepository } from '../infrastructure/taxonomies.repository';
import { TermsRepository, subtreeCondition, type VersionedTermRow, type TermRow, type TermStep } from '../infrastructure/terms.repository';
import { idsIn, levelOf } from '../domain/lineage';

/** A term as clients see it. */
export type TermAnswer<R extends TermRow = TermRow> = Omit<R, 'term_lineage'> & {
  readonly term_path: readonly TermStep[];
  readonly term_depth: number;
  readonly term_use_count: number;
  readonly term_use_count_exact: boolean;
};

/** Uses that are counted for one term: reading a page stays bounded however often its terms are used. */
const MOST_COUNTED = 1_000;
const MOST_COUNTED_OF_ONE = 10_000;

export type { VersionedTermRow };

export interface TermFacts {
  readonly term_parent?: string | null;
  readonly term_name?: string;
  readonly term_slug?: string;
  readonly term_description?: string | null;
  readonly term_aliases?: readonly string[];
  readonly term_color?: string | null;
  readonly term_order?: number;
  readonly term_metadata?: JsonObject;
  readonly term_active?: boolean;
}

export interface TermFilters extends ListParameters {
  readonly term_parent?: string;
  readonly under?: string;
  readonly term_name?: string;
  readonly term_active?: boolean;
}

const TOP = 'root';

/** The terms of taxonomies. A change of one holds the taxonomy, so that two moves never make a circle. */
@Injectable()
export class TermsService {
  constructor(
    private readonly db: Database,
    private readonly taxonomies: TaxonomiesRepository,
    private readonly terms: TermsRepository,
    private readonly clock: Clock,
    private readonly ids: Ids,
    private readonly uses: SeenUses,
  ) {}

  list(caller: Principal, tax_id: string, filters: TermFilters): Promise<Page<TermAnswer>> {
    return this.db.read(async () => {
      await this.assertTaxonomy(tax_id);
      const { term_active: _, term_parent: __, under: ___, term_name: ____, ...query } = filters;
      const page = await this.terms.listTerms(tax_id, query, await this.conditions(tax_id, filters));
      return { ...page, data: await this.answersOf(caller, page.data) };
    });
  }

  get(caller: Principal, tax_id: string, term_id: string): Promise<TermAnswer<VersionedTermRow>> {
    return this.db.read(() => this.read(caller, tax_id, term_id));
  }

  create(caller: Principal, tax_id: string, facts: TermFacts & { readonly term_name: string }): Promise<TermAnswer<VersionedTermRow>> {
    return this.db.write(async () => {
      const taxonomy = await this.lockTaxonomy(tax_id);
      taxonomy.assertRoom();
      const { term_name, term_slug, term_parent = null, term_order, term_aliases = [], ...rest } = facts;
      const now = this.clock.now();
      const term = Object.assign(
        new Term(),
        { term_id: this.ids.next(), term_taxonomy: tax_id, term_aliases: [], term_description: null, term_color: null },
        { term_metadata: {}, term_active: true, term_created: now, term_updated: now },
        given(rest),
      );
      await this.place(taxonomy, term, term_parent, 1);
      term.name(term_name);
      term.alsoCall(term_aliases);
      const slug = slugOf(term_name);
      term.term_slug = term_slug ?? freeSlug(slug, await this.terms.listSlugsLike(tax_id, slug));
      term.term_order = term_order ?? (await this.terms.readNextOrder(tax_id, term_parent));
      await this.once(term, () => this.terms.insert(term));
      await this.taxonomies.countTerms(tax_id, 1);
      return this.read(caller, tax_id, term.term_id);
    });
  }

  change(
    caller: Principal,
    tax_id: string,
    term_id: string,
    facts: TermFacts,
    precondition?: Precondition,
  ): Promise<TermAnswer<VersionedTermRow>> {
    return this.db.write(async () => {
      const taxonomy = await this.lockTaxonomy(tax_id);
      const term = await this.terms.lockToChange(term_id, facts, precondition, termOf(tax_id));
      const { term_name, term_parent, term_aliases, ...rest } = facts;
      const from = term.term_lineage;
      Object.assign(term, given(rest));
      if (term_name !== undefined) term.name(term_name);
      if (term_aliases !== undefined) term.alsoCall(term_aliases);
      if (term_parent !== undefined && term_parent !== term.term_parent)
        await this.place(taxonomy, term, term_parent, await this.terms.countLevels({ term_taxonomy: tax_id, term_lineage: from }));
      else if (facts.term_active === true) await this.assertActiveParent(term);
      term.touch(this.clock);
      await this.once(term, () => this.terms.save(term));
      if (term.term_lineage !== from) await this.terms.moveDescendants(tax_id, from, term.term_lineage);
      return this.read(caller, tax_id, term_id);
    });
  }

  /** The taxonomy, as nobody else changes its terms; managed and inactive ones are refused. */
  async lockTaxonomy(tax_id: string): Promise<Taxonomy> {
    return this.taxonomies.lock(tax_id, undefined, (row) => row.assertOpen());
  }

  /** A term of the taxonomy, active or not, locked for its removal. */
  lockTerm(tax_id: string, term_id: string, precondition?: Precondition): Promise<Term> {
    return this.terms.lock(term_id, precondition, termOf(tax_id));
  }

  private async conditions(tax_id: string, { term_active = true, term_parent, under, term_name }: TermFilters): Promise<Sql> {
    const where: Sql[] = [sql`r.term_active = ${term_active}`];
    if (term_parent === TOP) where.push(sql`r.term_parent IS NULL`);
    else if (term_parent !== undefined) where.push(sql`r.term_parent = ${term_parent}::uuid`);
    if (under !== undefined) {
      const above = await this.terms.findTermRow(tax_id, under);
      where.push(above ? sql`${subtreeCondition(above.term_lineage)} AND r.term_lineage <> ${above.term_lineage}` : sql`false`);
    }
    // A taxonomy has at most 20,000 terms, which one index holds together: reading them all takes milliseconds.
    if (term_name !== undefined) where.push(sql`position(${dotless(folded(term_name))} in dotless(r.term_words)) > 0`);
    return join(where, ' AND ');
  }

  private async assertTaxonomy(tax_id: string): Promise<void> {
    if (!(await this.taxonomies.findTaxonomyRow(tax_id))) throw notFound('taxonomy');
  }

  private async place(taxonomy: Taxonomy, term: Term, term_parent: string | null, levels: number): Promise<void> {
    if (term_parent !== null && !taxonomy.tax_hierarchical)
      throw new Problem('invalid_move', `The taxonomy ${taxonomy.tax_name} is flat: its terms cannot have a parent.`);
    const parent = term_parent === null ? null : await this.terms.findTermRow(taxonomy.tax_id, term_parent);
    if (term_parent !== null && !parent?.term_active)
      throw invalidField('term_parent', 'must be an active term of the same taxonomy', 'reference');
    term.placeUnder(parent ?? null, levels);
  }

  private async assertActiveParent({ term_taxonomy, term_parent }: Term): Promise<void> {
    if (term_parent === null) return;
    const parent = await this.terms.findTermRow(term_taxonomy, term_parent);
    if (parent && !parent.term_active) throw invalidState(`The parent term ${parent.term_name} is inactive. Activate it first.`);
  }

  private async read(caller: Principal, tax_id: string, term_id: string): Promise<TermAnswer<VersionedTermRow>> {
    const row = await this.terms.findTermRow(tax_id, term_id);
    const [answer] = row ? await this.answersOf(caller, [row]) : [];
    if (!answer) throw notFound('term');
    return answer;
  }

  private async once(term: Term, write: () => Promise<unknown>): Promise<void> {
    try {
      await write();
    } catch (error) {
      if (violatesConstraint(error, 'term_name_taken')) throw termNameTaken(term.term_name);
      throw violatesConstraint(error, 'term_slug_taken') ? termSlugTaken(term.term_slug) : error;
    }
  }

  /** Completes rows of terms: the terms above them and how often the caller sees them used, a constant number of statements for all rows. */
  private async answersOf<R extends TermRow>(caller: Principal, rows: readonly R[]): Promise<TermAnswer<R>[]> {
    const most = rows.length === 1 ? MOST_COUNTED_OF_ONE : MOST_COUNTED;
    const names = await this.terms.findNamesAbove(rows.map(({ term_lineage }) => term_lineage));
    const uses = await this.uses.countUses(
      caller,
      'taxonomy',
      rows.map(({ term_id }) => term_id),
      most + 1,
    );
    return rows.map(({ term_lineage, ...row }) => {
      const count = uses.get(row.term_id) ?? 0;
      return {
        ...row,
        term_path: idsIn(term_lineage)
          .slice(0, -1)
          .map((term_id) => ({ term_id, term_name: names.get(term_id) ?? '' })),
        term_depth: levelOf(term_lineage),
        term_use_count: Math.min(count, most),
        term_use_count_exact: count <= most,
      };
    });
  }
}

const termOf =
  (tax_id: string) =>
  ({ term_taxonomy }: Term): void => {
    if (term_taxonomy !== tax_id) throw notFound('term');
  };

const given = <T extends object>(facts: T): Partial<T> =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) as Partial<T>;
