import { Answer, Body, ListQuery, PageOf, View } from '@atrium/platform/http';
import { Taxonomy } from '../domain/taxonomy';

const OPTIONAL = ['tax_slug', 'tax_description', 'tax_hierarchical', 'tax_metadata'] as const;

export class CreateTaxonomy extends Body(Taxonomy, { required: ['tax_name'], optional: OPTIONAL }) {}

export class ChangeTaxonomy extends Body(Taxonomy, { optional: ['tax_name', ...OPTIONAL, 'tax_active'] }) {}

export class ListTaxonomies extends ListQuery(Taxonomy) {
  tax_active?: boolean;
}

@Answer()
export class TaxonomyView extends View(Taxonomy) {}

export class TaxonomyPage extends PageOf(TaxonomyView) {}
