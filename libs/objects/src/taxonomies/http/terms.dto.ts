import { Flag, NestedList, Ref, Text, Whole } from '@atrium/platform/database';
import { acceptParameter, Answer, Body, ListQuery, PageOf, View } from '@atrium/platform/http';
import { Term } from '../domain/term';

const OPTIONAL = ['term_parent', 'term_slug', 'term_description', 'term_aliases', 'term_color', 'term_order', 'term_metadata'] as const;

export class CreateTerm extends Body(Term, { required: ['term_name'], optional: OPTIONAL }) {}

export class ChangeTerm extends Body(Term, { optional: ['term_name', ...OPTIONAL, 'term_active'] }) {}

export class ListTerms extends ListQuery(Term) {
  term_active?: boolean;
  term_parent?: string;
  under?: string;
  term_name?: string;
}
acceptParameter(ListTerms, {
  name: 'term_parent',
  kind: 'text',
  min: 1,
  max: 36,
  form: { pattern: /^(root|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$/, words: 'the id of a term, or root' },
  about: 'Only terms directly below this term; `root` for the top level.',
  example: 'root',
});
acceptParameter(ListTerms, { name: 'under', kind: 'id', about: 'Only terms below this term, at any depth.' });
acceptParameter(ListTerms, {
  name: 'term_name',
  kind: 'text',
  min: 1,
  max: 200,
  about: 'Text in the name or an alias, in any case.',
});

/** Query of DELETE /object-taxonomies/{id}/terms/{term_id}. */
export class DeleteTerm {
  children?: 'reparent' | 'delete';
  reassign_to?: string;
}
acceptParameter(DeleteTerm, {
  name: 'children',
  kind: 'choice',
  values: ['reparent', 'delete'],
  about:
    'What happens to the terms below it: `reparent` moves them to the parent of the term, `delete` deletes them too. Required if any of them is active.',
});
acceptParameter(DeleteTerm, {
  name: 'reassign_to',
  kind: 'id',
  about: 'Id of an active term of the same taxonomy that replaces the term in objects. When omitted, objects keep the term.',
});

@Answer()
export class TermStepView {
  @Ref({ about: 'Id of the term.' }) term_id!: string;
  @Text({ about: 'Name of the term.', example: 'Lamps' }) term_name!: string;
}

@Answer()
export class TermView extends View(Term) {
  @NestedList(() => TermStepView, { about: 'Terms above it, from the top level down.' }) term_path!: TermStepView[];
  @Whole({ about: 'Level of the term, 1 at the top.', example: 2 }) term_depth!: number;
  @Whole({ about: 'Number of active terms directly below it.', example: 3 }) term_child_count!: number;
  @Whole({
    about:
      'Number of uses in objects and records: in fields and `obj_terms`, including deleted objects that can be restored. Counting stops at 10,000, in lists at 1,000.',
    example: 57,
  })
  term_use_count!: number;
  @Flag({ about: 'False if counting stopped at the limit.' }) term_use_count_exact!: boolean;
}

export class TermPage extends PageOf(TermView) {}
