import { Injectable } from '@nestjs/common';
import {
  columnsOf,
  Database,
  empty,
  listPage,
  requireScope,
  ResourceRepository,
  sql,
  type ListParameters,
  type Page,
  type Sql,
  type MethodsOf,
} from '@atrium/platform/database';
import { idsIn } from '../domain/lineage';
import { Term } from '../domain/term';

type Behaviour = MethodsOf<Term>;

/** A term as it is stored, with its lineage and how many active terms are directly below it. */
export type TermRow = Omit<Term, 'tenant_id' | 'row_version' | 'term_words' | Behaviour> & { readonly term_child_count: number };
export type VersionedTermRow = TermRow & { readonly row_version: number };

/** A term above another one. */
export interface TermStep {
  readonly term_id: string;
  readonly term_name: string;
}

/** Terms that the names in some rows can mean; each name has few. */
const MOST_CALLED = 20_000;
/** The first character behind all hexadecimal digits. */
const BEHIND = 'g';

const BESIDE = sql`r.term_lineage, (SELECT count(*) FROM term c WHERE c.tenant_id = r.tenant_id AND c.term_taxonomy = r.term_taxonomy AND c.term_parent = r.term_id AND c.term_active) AS term_child_count`;

/** Terms as aggregates and as answers, and the trees that they make. Changes happen under the lock of their taxonomy. */
@Injectable()
export class TermsRepository extends ResourceRepository<Term> {
  constructor(db: Database) {
    super(db, Term, 'term');
  }

  listTerms(tax_id: string, query: ListParameters, where: Sql): Promise<Page<TermRow>> {
    return listPage<TermRow>(this.db.current(), Term, query, {
      where: sql`r.term_taxonomy = ${tax_id} AND ${where}`,
      select: BESIDE,
      ignore: ['term_active'],
    });
  }

  findTermRow(tax_id: string, term_id: string): Promise<VersionedTermRow | undefined> {
    return this.db
      .current()
      .first(
        sql`SELECT ${columnsOf(Term)}, r.row_version, ${BESIDE} FROM term r WHERE ${this.ofTaxonomy(tax_id)} AND r.term_id = ${term_id}`,
      );
  }

  /** The names of the terms above those with these lineages. */
  async findNamesAbove(lineages: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const ids = [...new Set(lineages.flatMap((lineage) => idsIn(lineage).slice(0, -1)))];
    if (ids.length === 0) return new Map();
    const rows = await this.db
      .current()
      .query<TermStep & Record<string, unknown>>(
        sql`SELECT term_id, term_name FROM term WHERE tenant_id = ${requireScope().tenant_id} AND term_id = ANY(${ids}::uuid[])`,
      );
    return new Map(rows.map(({ term_id, term_name }) => [term_id, term_name]));
  }

  /** How many levels there are from the term down, itself included. */
  async countLevels({ term_taxonomy, term_lineage }: Pick<Term, 'term_taxonomy' | 'term_lineage'>): Promise<number> {
    const row = await this.db
      .current()
      .first<{ longest: number }>(
        sql`SELECT max(length(r.term_lineage)) AS longest FROM term r WHERE ${this.ofTaxonomy(term_taxonomy)} AND ${subtreeCondition(term_lineage)}`,
      );
    return ((row?.longest ?? term_lineage.length) - term_lineage.length) / 32 + 1;
  }

  /** The terms below one follow it to its new place. */
  async moveDescendants(term_taxonomy: string, from: string, to: string): Promise<void> {
    await this.db
      .current()
      .execute(
        sql`UPDATE term r SET term_lineage = ${to}::text || substr(r.term_lineage, ${from.length + 1}::integer) WHERE ${this.ofTaxonomy(term_taxonomy)} AND ${subtreeCondition(from)} AND r.term_lineage <> ${from}`,
      );
  }

  /** The terms below one move to the term above it, or to the top. */
  async liftChildren({ term_taxonomy, term_id, term_parent, term_lineage }: Term, now: Date): Promise<number> {
    const above = term_lineage.slice(0, -32);
    const lifted = await this.db.current().execute(sql`
      UPDATE term r SET term_parent = ${term_parent}::uuid, term_updated = ${now}, row_version = r.row_version + 1 WHERE ${this.ofTaxonomy(term_taxonomy)} AND r.term_parent = ${term_id}`);
    await this.moveDescendants(term_taxonomy, term_lineage, above);
    return lifted;
  }

  /** Behind the last of the terms under a parent. */
  async readNextOrder(term_taxonomy: string, term_parent: string | null): Promise<number> {
    const row = await this.db
      .current()
      .first<{ next: number }>(
        sql`SELECT least(coalesce(max(r.term_order) + 1, 0), 1e9) AS next FROM term r WHERE ${this.ofTaxonomy(term_taxonomy)} AND r.term_parent IS NOT DISTINCT FROM ${term_parent}::uuid`,
      );
    return row?.next ?? 0;
  }

  /** The slugs of active terms of the taxonomy that are this one or continue it with a hyphen. */
  async listSlugsLike(term_taxonomy: string, slug: string): Promise<ReadonlySet<string>> {
    const rows = await this.db
      .current()
      .query<{ term_slug: string }>(
        sql`SELECT r.term_slug FROM term r WHERE ${this.ofTaxonomy(term_taxonomy)} AND r.term_active AND (r.term_slug = ${slug} OR (r.term_slug >= ${`${slug}-`} AND r.term_slug < ${`${slug}.`}))`,
      );
    return new Set(rows.map(({ term_slug }) => term_slug));
  }

  /** Whether terms of the taxonomy are below others. */
  async isNested(tax_id: string): Promise<boolean> {
    const row = await this.db
      .current()
      .first(sql`SELECT 1 FROM term r WHERE ${this.ofTaxonomy(tax_id)} AND r.term_parent IS NOT NULL LIMIT 1`);
    return row !== undefined;
  }

  /** The term and all below it, the deepest first; with `lock` nobody else changes them or begins to refer to them. */
  async findSubtree(
    { term_taxonomy, term_lineage }: Pick<Term, 'term_taxonomy' | 'term_lineage'>,
    { lock = false }: { readonly lock?: boolean } = {},
  ): Promise<TermInTree[]> {
    return this.db
      .current()
      .query<TermInTree>(
        sql`SELECT r.term_id, r.term_parent, r.term_active FROM term r WHERE ${this.ofTaxonomy(term_taxonomy)} AND ${subtreeCondition(term_lineage)} ORDER BY length(r.term_lineage) DESC, r.term_id ${lock ? sql`FOR UPDATE` : empty}`,
      );
  }

  /** How many were active. */
  deactivateTerms(ids: readonly string[], now: Date): Promise<number> {
    return this.db
      .current()
      .execute(
        sql`UPDATE term r SET term_active = false, term_updated = ${now}, row_version = r.row_version + 1 WHERE r.tenant_id = ${requireScope().tenant_id} AND r.term_id = ANY(${[...ids]}::uuid[]) AND r.term_active`,
      );
  }

  async removeAll(ids: readonly string[]): Promise<number> {
    return this.db
      .current()
      .execute(sql`DELETE FROM term r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.term_id = ANY(${[...ids]}::uuid[])`);
  }

  /** Terms among the ids as those who refer to them need them; they stay there until the unit of work has ended. */
  async lockReferable(ids: readonly string[]): Promise<ReadonlyMap<string, ReferableTerm>> {
    const { tenant_id } = requireScope();
    const rows = await this.db.current().query<ReferableTerm>(sql`
      SELECT r.term_id, r.term_taxonomy, r.term_active AND x.tax_active AS is_open,
        NOT EXISTS (SELECT FROM term c WHERE c.tenant_id = r.tenant_id AND c.term_taxonomy = r.term_taxonomy AND c.term_parent = r.term_id AND c.term_active) AS is_leaf
      FROM term r JOIN taxonomy x ON x.tenant_id = r.tenant_id AND x.tax_id = r.term_taxonomy
      WHERE r.tenant_id = ${tenant_id} AND r.term_id = ANY(${[...ids]}::uuid[]) ORDER BY r.term_id FOR KEY SHARE OF r`);
    return new Map(rows.map((row) => [row.term_id, row]));
  }

  /** Active terms of an active taxonomy that have one of these slugs, or one of these folded names or aliases. */
  findByWords(
    tax_id: string,
    { slugs, words }: { readonly slugs: readonly string[]; readonly words: readonly string[] },
  ): Promise<CalledTerm[]> {
    const { tenant_id } = requireScope();
    return this.db.current().query<CalledTerm>(sql`
      SELECT r.term_id, r.term_name, r.term_slug, r.term_words, r.term_lineage FROM term r
      JOIN taxonomy x ON x.tenant_id = r.tenant_id AND x.tax_id = r.term_taxonomy AND x.tax_active
      WHERE ${this.ofTaxonomy(tax_id)} AND r.term_active
        AND r.term_id IN (
          SELECT s.term_id FROM term s JOIN unnest(${[...slugs]}::text[]) AS n (slug) ON n.slug = s.term_slug WHERE s.tenant_id = ${tenant_id} AND s.term_taxonomy = ${tax_id}
          UNION ALL SELECT t.term_id FROM term t CROSS JOIN LATERAL unnest(string_to_array(t.term_words, E'\\n')) AS c (word) JOIN unnest(${[...words]}::text[]) AS n (word) ON n.word = c.word
            WHERE t.tenant_id = ${tenant_id} AND t.term_taxonomy = ${tax_id})
      ORDER BY r.term_id LIMIT ${MOST_CALLED}`);
  }

  /** Names of active terms of an active taxonomy, the shortest first. */
  async listActiveNames(tax_id: string, most: number): Promise<readonly string[]> {
    const rows = await this.db.current().query<{ term_name: string }>(sql`
      SELECT r.term_name FROM term r JOIN taxonomy x ON x.tenant_id = r.tenant_id AND x.tax_id = r.term_taxonomy AND x.tax_active
      WHERE ${this.ofTaxonomy(tax_id)} AND r.term_active ORDER BY length(r.term_name), r.term_name LIMIT ${most}`);
    return rows.map(({ term_name }) => term_name);
  }

  private ofTaxonomy(tax_id: string): Sql {
    return sql`r.tenant_id = ${requireScope().tenant_id} AND r.term_taxonomy = ${tax_id}`;
  }
}

/** A term as its place in the tree decides about it. */
export interface TermInTree extends Record<string, unknown> {
  readonly term_id: string;
  readonly term_parent: string | null;
  readonly term_active: boolean;
}

/** A term as cells call it. */
interface CalledTerm extends Record<string, unknown> {
  readonly term_id: string;
  readonly term_name: string;
  readonly term_slug: string;
  /** Its folded name and aliases, each on its line. */
  readonly term_words: string;
  readonly term_lineage: string;
}

/** What decides whether something may refer to a term. */
export interface ReferableTerm extends Record<string, unknown> {
  readonly term_id: string;
  readonly term_taxonomy: string;
  readonly is_open: boolean;
  readonly is_leaf: boolean;
}

/** Condition on `r`: the term with the lineage, or one below it. */
export const subtreeCondition = (lineage: string): Sql => sql`r.term_lineage >= ${lineage} AND r.term_lineage < ${lineage + BEHIND}`;

/** The ids of terms and of all below them, by one range of the index for each. */
export const subtreeOf = (term_ids: readonly string[]): Sql => sql`
  SELECT b.term_id FROM term a JOIN term b ON b.tenant_id = a.tenant_id AND b.term_taxonomy = a.term_taxonomy AND b.term_lineage >= a.term_lineage AND b.term_lineage < a.term_lineage || ${BEHIND}
  WHERE a.tenant_id = ${requireScope().tenant_id} AND a.term_id = ANY(${[...term_ids]}::uuid[])`;
