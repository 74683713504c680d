import { folded } from '@atrium/platform/kernel';
import { idsIn } from './lineage';

/** A term as cells call it. */
interface Called {
  readonly term_id: string;
  readonly term_name: string;
  readonly term_slug: string;
  /** Its folded name and aliases, each on its line. */
  readonly term_words: string;
  readonly term_lineage: string;
}

/** What a name means among terms. */
type TermMatch = { readonly term_id: string } | { readonly several: readonly string[] } | null;

const BORDERS = /[>\u203a\u00bb/\\|]/;
const MOST_STEPS = 10;
const MOST_SHOWN = 3;

/** The steps of a name that is a path, such as `Home > Lighting`; one step where it is none. */
const stepsOf = (name: string): readonly string[] => {
  const steps = name
    .split(BORDERS, MOST_STEPS + 1)
    .map((step) => step.trim())
    .filter((step) => step !== '');
  return steps.length > MOST_STEPS ? [name] : steps;
};

/** What names of terms are looked up by: as slugs, and folded whole and by the last step of a path. */
export function wordsOf(names: readonly string[]): { readonly slugs: readonly string[]; readonly words: readonly string[] } {
  const words = names.flatMap((name) => [folded(name), folded(stepsOf(name).at(-1) ?? name)]);
  return { slugs: [...new Set(names.map((name) => name.toLowerCase()))], words: [...new Set(words)] };
}

/** Terms of one name by the names above them, from the nearest up; as many as are shown are kept of each. */
interface Ending {
  readonly terms: Called[];
  readonly above: Map<string, Ending>;
}

/** Terms by what they are called: the slug as it is counts before the name, the name before an alias, and all of them before a path. */
export class TermsByName {
  private readonly slugs: ReadonlyMap<string, Called>;
  private readonly byName = new Map<string, Called[]>();
  private readonly byWord = new Map<string, Called[]>();
  private readonly endings = new Map<string, Ending>();
  private readonly folds = new Map<string, string>();

  /** `names`: the names of the terms above them, by their ids. */
  constructor(
    terms: readonly Called[],
    private readonly names: ReadonlyMap<string, string>,
  ) {
    this.slugs = new Map(terms.map((term) => [term.term_slug, term]));
    for (const term of terms) {
      const [name = '', ...aliases] = term.term_words.split('\n');
      add(this.byName, name, term);
      for (const alias of aliases) add(this.byWord, alias, term);
    }
  }

  meaningOf(name: string): TermMatch {
    const word = folded(name);
    return (
      this.bySlug(name) ??
      this.one(this.byName.get(word)) ??
      this.one(this.byWord.get(word)) ??
      this.bySlug(name.toLowerCase()) ??
      this.atPath(stepsOf(name))
    );
  }

  private bySlug(slug: string): TermMatch {
    const term = this.slugs.get(slug);
    return term ? { term_id: term.term_id } : null;
  }

  private atPath(steps: readonly string[]): TermMatch {
    if (steps.length < 2) return null;
    const [last = '', ...above] = steps.map(folded).reverse();
    let ending: Ending | undefined = this.endingsOf(last);
    for (const step of above) ending = ending?.above.get(step);
    return this.one(ending?.terms);
  }

  /** Made once a name: many names of a batch may end with it. */
  private endingsOf(last: string): Ending {
    const known = this.endings.get(last);
    if (known) return known;
    const top: Ending = { terms: [], above: new Map() };
    for (const term of this.byName.get(last) ?? []) {
      let ending = top;
      for (const id of idsIn(term.term_lineage).slice(0, -1).reverse()) {
        const step = this.foldedName(id);
        const above: Ending = ending.above.get(step) ?? { terms: [], above: new Map() };
        if (above.terms.length < MOST_SHOWN) above.terms.push(term);
        ending.above.set(step, above);
        ending = above;
      }
    }
    this.endings.set(last, top);
    return top;
  }

  private foldedName(term_id: string): string {
    const known = this.folds.get(term_id);
    if (known !== undefined) return known;
    const name = folded(this.names.get(term_id) ?? '');
    this.folds.set(term_id, name);
    return name;
  }

  private one(terms: readonly Called[] | undefined): TermMatch {
    const [first, ...others] = terms?.slice(0, MOST_SHOWN) ?? [];
    if (!first) return null;
    if (others.length === 0) return { term_id: first.term_id };
    return { several: [first, ...others].map((term) => this.pathOf(term).join(' > ')) };
  }

  private pathOf({ term_lineage, term_name }: Called): readonly string[] {
    return [
      ...idsIn(term_lineage)
        .slice(0, -1)
        .map((id) => this.names.get(id) ?? ''),
      term_name,
    ];
  }
}

function add(terms: Map<string, Called[]>, word: string, term: Called): void {
  const present = terms.get(word);
  if (present) present.push(term);
  else terms.set(word, [term]);
}
