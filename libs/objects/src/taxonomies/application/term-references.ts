import { Injectable, type OnModuleInit } from '@nestjs/common';
import { FormReferences, type ReferenceQuestion, type ReferenceSource } from '@atrium/forms';
import type { Sql } from '@atrium/platform/database';
import { isId } from '@atrium/platform/kernel';
import { ObjectTerms, type TermSource } from '../../objects/application/object-terms';
import { subtreeOf, TermsRepository, type ReferableTerm } from '../infrastructure/terms.repository';

/** Answers for terms wherever something refers to them: in fields of forms of every kind, and beside the content of objects. */
@Injectable()
export class TermReferences implements ReferenceSource, TermSource, OnModuleInit {
  constructor(
    private readonly terms: TermsRepository,
    private readonly references: FormReferences,
    private readonly ofObjects: ObjectTerms,
  ) {}

  onModuleInit(): void {
    this.references.register('taxonomy', this);
    this.ofObjects.register(this);
  }

  async misfits(questions: readonly ReferenceQuestion[]): Promise<readonly (string | null)[]> {
    const found = await this.terms.referable(questions.map(({ id }) => id.toLowerCase()));
    return questions.map((question) => misfitOf(question, found.get(question.id.toLowerCase())));
  }

  subtree(term_ids: readonly string[]): Sql {
    return subtreeOf(term_ids);
  }

  async unknown(term_ids: readonly string[]): Promise<readonly string[]> {
    const found = await this.terms.referable(term_ids.filter(isId).map((id) => id.toLowerCase()));
    return term_ids.filter((id) => found.get(id.toLowerCase())?.is_open !== true);
  }
}

function misfitOf({ settings }: ReferenceQuestion, term: ReferableTerm | undefined): string | null {
  if (!term) return 'points to a term that is not known here.';
  if (term.term_taxonomy !== settings['taxonomy']) return 'points to a term of another taxonomy.';
  if (!term.is_open) return 'points to a term that is inactive.';
  return settings['leaf_only'] === true && !term.is_leaf ? 'points to a term with others below it; choose one of those.' : null;
}
