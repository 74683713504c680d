import { Injectable } from '@nestjs/common';
import { FormRows } from '@atrium/forms';
import { Audit, changesBetween, defineAuditTypes } from '@atrium/platform/access';
import { Database, violatesConstraint, type ListParameters, type Page, type Precondition } from '@atrium/platform/database';
import { Clock, Ids, notFound, pick, Problem, type JsonObject } from '@atrium/platform/kernel';
import { freeSlug, slugOf } from '../domain/slug';
import { MOST_TAXONOMIES, Taxonomy, taxonomyNameTaken, taxonomySlugTaken, tooManyTaxonomies } from '../domain/taxonomy';
import { TaxonomiesRepository, type TaxonomyRow, type VersionedTaxonomyRow } from '../infrastructure/taxonomies.repository';
import { TermsRepository } from '../infrastructure/terms.repository';

/** What is kept of changes to taxonomies. */
export const TAXONOMIES_AUDIT = defineAuditTypes({
  'object_taxonomy.created': 'A taxonomy was created.',
  'object_taxonomy.updated': 'A taxonomy was changed, activated or deactivated.',
  'object_term.deleted': 'A term was deleted.',
});

export type { TaxonomyRow, VersionedTaxonomyRow };

export interface TaxonomyFacts {
  readonly tax_name?: string;
  readonly tax_slug?: string;
  readonly tax_description?: string | null;
  readonly tax_hierarchical?: boolean;
  readonly tax_metadata?: JsonObject;
  readonly tax_active?: boolean;
}

export interface TaxonomyFilters extends ListParameters {
  readonly tax_active?: boolean;
}

const NAMED_FORMS = 10;

/** The vocabularies of a workspace. */
@Injectable()
export class TaxonomiesService {
  constructor(
    private readonly db: Database,
    private readonly taxonomies: TaxonomiesRepository,
    private readonly terms: TermsRepository,
    private readonly forms: FormRows,
    private readonly audit: Audit,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  list({ tax_active = true, ...query }: TaxonomyFilters): Promise<Page<TaxonomyRow>> {
    return this.db.read(() => this.taxonomies.listTaxonomies(query, tax_active));
  }

  get(tax_id: string): Promise<VersionedTaxonomyRow> {
    return this.db.read(() => this.read(tax_id));
  }

  create({ tax_slug, ...facts }: TaxonomyFacts & { readonly tax_name: string }): Promise<VersionedTaxonomyRow> {
    return this.db.write(async () => {
      if (await this.taxonomies.hasAtLeast(MOST_TAXONOMIES)) throw tooManyTaxonomies();
      const slug = slugOf(facts.tax_name);
      const now = this.clock.now();
      const taxonomy = Taxonomy.blank(
        { tax_id: this.ids.next(), tax_slug: tax_slug ?? freeSlug(slug, await this.taxonomies.listSlugsLike(slug)), ...given(facts) },
        now,
      );
      await this.once(taxonomy, () => this.taxonomies.insert(taxonomy));
      this.audit.record({
        type: TAXONOMIES_AUDIT['object_taxonomy.created'],
        target: targetOf(taxonomy),
        ...changesBetween(null, shown(taxonomy)),
      });
      return this.read(taxonomy.tax_id);
    });
  }

  change(tax_id: string, facts: TaxonomyFacts, precondition?: Precondition): Promise<VersionedTaxonomyRow> {
    return this.db.write(async () => {
      const taxonomy = await this.taxonomies.lockToChange(tax_id, facts, precondition, (row) => row.assertOwn());
      const before = shown(taxonomy);
      const { tax_active: was } = taxonomy;
      Object.assign(taxonomy, given(facts));
      if (was && !taxonomy.tax_active) await this.assertUnused(taxonomy);
      if (!was && taxonomy.tax_active && (await this.taxonomies.hasAtLeast(MOST_TAXONOMIES))) throw tooManyTaxonomies();
      if (facts.tax_hierarchical === false && (await this.terms.isNested(tax_id)))
        throw new Problem('in_use', 'Some terms are below other terms. Move them to the top level before making the taxonomy flat.');
      await this.save(taxonomy, before);
      return this.read(tax_id);
    });
  }

  /** Objects keep their terms; the taxonomy can be activated again. */
  deactivate(tax_id: string, precondition?: Precondition): Promise<void> {
    return this.db.write(async () => {
      const taxonomy = await this.taxonomies.lockToDelete(tax_id, precondition, (row) => row.assertOwn());
      if (!taxonomy) return;
      const before = shown(taxonomy);
      taxonomy.tax_active = false;
      await this.assertUnused(taxonomy);
      await this.save(taxonomy, before);
    });
  }

  private async save(taxonomy: Taxonomy, before: JsonObject): Promise<void> {
    const after = shown(taxonomy);
    if (JSON.stringify(before) === JSON.stringify(after)) return;
    taxonomy.touch(this.clock);
    await this.once(taxonomy, () => this.taxonomies.save(taxonomy));
    this.audit.record({ type: TAXONOMIES_AUDIT['object_taxonomy.updated'], target: targetOf(taxonomy), ...changesBetween(before, after) });
  }

  /** Fields of active schemas would take no value any more. */
  private async assertUnused({ tax_id, tax_name }: Taxonomy): Promise<void> {
    const using = await this.forms.listFormsWithSetting('taxonomy', 'taxonomy', tax_id, NAMED_FORMS);
    if (using.length === 0) return;
    throw new Problem(
      'in_use',
      `Fields of active schemas use the terms of ${tax_name}. Remove these fields or deactivate the schemas first.`,
      {
        errors: using.map(({ form_id, form_name }) => ({
          path: form_id,
          code: 'in_use',
          message: `The schema ${form_name} has such a field.`,
        })),
      },
    );
  }

  private async read(tax_id: string): Promise<VersionedTaxonomyRow> {
    const row = await this.taxonomies.findTaxonomyRow(tax_id);
    if (!row) throw notFound('taxonomy');
    return row;
  }

  private async once(taxonomy: Taxonomy, write: () => Promise<unknown>): Promise<void> {
    try {
      await write();
    } catch (error) {
      if (violatesConstraint(error, 'taxonomy_name_taken')) throw taxonomyNameTaken(taxonomy.tax_name);
      throw violatesConstraint(error, 'taxonomy_slug_taken') ? taxonomySlugTaken(taxonomy.tax_slug) : error;
    }
  }
}

const SHOWN = ['tax_name', 'tax_slug', 'tax_description', 'tax_hierarchical', 'tax_metadata', 'tax_active'] as const;
const shown = (taxonomy: Taxonomy): JsonObject => pick(taxonomy, SHOWN);
const targetOf = ({ tax_id, tax_name }: Taxonomy) => ({ type: 'object_taxonomy', id: tax_id, name: tax_name });
const given = <T extends object>(facts: T): T => Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) as T;
