import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  FormReferences,
  settingText,
  type NamedReference,
  type NameQuestion,
  type ReferenceAsker,
  type ReferenceQuestion,
  type ReferenceSource,
} from '@atrium/forms';
import type { Sql } from '@atrium/platform/database';
import { isId, LoopTurns } from '@atrium/platform/kernel';
import { ObjectTerms, type TermSource } from '../../objects/application/object-terms';
import { TermsByName, wordsOf } from '../domain/called-terms';
import { NearNames } from '../domain/nearest-name';
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

  async findMisfits(questions: readonly ReferenceQuestion[]): Promise<readonly (string | null)[]> {
    const found = await this.terms.lockReferable(questions.map(({ id }) => id.toLowerCase()));
    return questions.map((question) => misfitOf(question, found.get(question.id.toLowerCase())));
  }

  /** Terms by slug, name, alias or path, for those who may see terms at all. */
  async resolveNames(questions: readonly NameQuestion[], { actor }: ReferenceAsker): Promise<readonly NamedReference[]> {
    if (actor && !(actor.permissions.has('object:view') && actor.modules.has('module-objects')))
      return questions.map(() => ({ misfit: 'is not an id' }));
    const answers = new Map<NameQuestion, NamedReference>();
    for (const tax_id of new Set(questions.map(taxonomyOf))) {
      const asked = questions.filter((question) => taxonomyOf(question) === tax_id);
      for (const [at, answer] of (
        await this.namedIn(
          tax_id,
          asked.map(({ name }) => name),
        )
      ).entries()) {
        const question = asked[at];
        if (question) answers.set(question, answer);
      }
    }
    return questions.map((question) => answers.get(question) ?? { misfit: NO_TERM });
  }

  subtreeQuery(term_ids: readonly string[]): Sql {
    return subtreeOf(term_ids);
  }

  async findUnknown(term_ids: readonly string[]): Promise<readonly string[]> {
    const found = await this.terms.lockReferable(term_ids.filter(isId).map((id) => id.toLowerCase()));
    return term_ids.filter((id) => found.get(id.toLowerCase())?.is_open !== true);
  }

  private async namedIn(tax_id: string, names: readonly string[]): Promise<readonly NamedReference[]> {
    const found = await this.terms.findByWords(tax_id, wordsOf(names));
    const terms = new TermsByName(found, await this.terms.findNamesAbove(found.map(({ term_lineage }) => term_lineage)));
    const turns = new LoopTurns();
    const meanings: ReturnType<TermsByName['meaningOf']>[] = [];
    for (const name of names) {
      if (turns.isOver) await turns.awaitNextTurn();
      meanings.push(terms.meaningOf(name));
    }
    const isAnyUnknown = meanings.includes(null);
    const others = new NearNames(isAnyUnknown ? await this.terms.listActiveNames(tax_id, MOST_COMPARED) : []);
    let suggested = 0;
    const answers: NamedReference[] = [];
    for (const [at, name] of names.entries()) {
      if (turns.isOver) await turns.awaitNextTurn();
      const meaning = meanings[at];
      if (meaning) answers.push('term_id' in meaning ? { id: meaning.term_id } : severalOf(meaning.several));
      else answers.push(noneOf(name, ++suggested > MOST_SUGGESTED ? undefined : others.nearest(name)));
    }
    return answers;
  }
}

const NO_TERM = 'is not a term of this taxonomy';
/** Names that an unknown one is compared with, and how many unknown ones of a batch are. */
const MOST_COMPARED = 2_000;
const MOST_SUGGESTED = 20;
const LONGEST_SHOWN = 80;

const severalOf = (paths: readonly string[]): NamedReference => ({
  misfit: 'matches several terms; use the path or the slug of one of them',
  detail: paths.join(', '),
});

function noneOf(name: string, nearest: string | undefined): NamedReference {
  const none = `there is no term ${name.slice(0, LONGEST_SHOWN)}`;
  return { misfit: NO_TERM, detail: nearest === undefined ? none : `${none}; did you mean ${nearest}?` };
}

const taxonomyOf = ({ settings }: NameQuestion): string => settingText({ settings }, 'taxonomy')?.toLowerCase() ?? '';

function misfitOf({ settings }: ReferenceQuestion, term: ReferableTerm | undefined): string | null {
  if (!term) return 'refers to a term that does not exist or that you cannot use.';
  if (term.term_taxonomy !== settings['taxonomy']) return 'refers to a term of another taxonomy.';
  if (!term.is_open) return 'refers to an inactive term.';
  return settings['leaf_only'] === true && !term.is_leaf ? 'refers to a term with terms below it; choose one of those.' : null;
}
