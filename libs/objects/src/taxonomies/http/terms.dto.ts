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
  about: 'Is directly below this term; `root`: at the top.',
  example: 'root',
});
acceptParameter(ListTerms, { name: 'under', kind: 'id', about: 'Is below this term, however deep.' });
acceptParameter(ListTerms, {
  name: 'term_name',
  kind: 'text',
  min: 1,
  max: 200,
  about: 'Contains this text in its name or an alias, in any case.',
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
    'What becomes of terms below it: they move to the term above it, or all of them are deleted too. Required when there are active ones.',
});
acceptParameter(DeleteTerm, {
  name: 'reassign_to',
  kind: 'id',
  about: 'An active term of the same taxonomy that objects get in its place. Without it objects keep the term.',
});

@Answer()
export class TermStepView {
  @Ref({ about: 'Id of the term.' }) term_id!: string;
  @Text({ about: 'Its name.', example: 'Lamps' }) term_name!: string;
}

@Answer()
export class TermView extends View(Term) {
  @NestedList(() => TermStepView, { about: 'The terms above it, top first.' }) term_path!: TermStepView[];
  @Whole({ about: 'Its level: 1 at the top.', example: 2 }) term_depth!: number;
  @Whole({ about: 'Active terms directly below it.', example: 3 }) term_child_count!: number;
  @Whole({
    about:
      'Places where objects and records have it: fields and `obj_terms`, those of deleted objects that may be restored included. Counting stops at 10,000, in lists at 1,000.',
    example: 57,
  })
  term_use_count!: number;
  @Flag({ about: 'False where counting stopped.' }) term_use_count_exact!: boolean;
}

export class TermPage extends PageOf(TermView) {}
