import type { Question } from './question';

/** A text as its stems, and those of what it is about. */
export interface TextStems {
  readonly stems: ReadonlySet<string>;
  readonly near: ReadonlySet<string>;
  readonly far: ReadonlySet<string>;
  /** Whether it says the kind of fact that is asked for. */
  readonly tellsFact: boolean;
}

type Stems = Pick<TextStems, 'stems' | 'near' | 'far'>;

/** How much of a stem a text has that is only about it, or says what it asks for. */
const [NEAR, FAR, FACT, FACT_OF_ANY_NUMBER] = [0.85, 0.7, 0.8, 0.4];
/** What a stem of a name weighs beside others, and one that no text has. */
const NAME = 1.5;
const unknownName = (length: number): number => 1 + 6 / length;
/** What is left from the question before counts less than what was asked last. */
const BEFORE = 0.4;
/** Stems that are akin: one begins or ends the other, or both begin alike. */
const [LEAST_BEGINNING, LEAST_END, LEAST_SHARED, SHARED] = [4, 5, 5, 0.6];
const AKIN = 0.7;
/** Longer questions are looked up in their own words. */
const MOST_AKIN = 24;

/**
 * How much of a question texts have. A stem weighs the more, the fewer of the texts have it; one that none has weighs as much as
 * the rarest, since what it asks about is not there.
 */
export class StemMatches {
  private readonly weights = new Map<string, number>();
  private readonly akin = new Map<string, ReadonlySet<string>>();
  private readonly total: number;
  private readonly totalAsked: number;

  constructor(
    private readonly question: Question,
    texts: readonly Stems[],
  ) {
    const { stems, own, names } = question;
    const within = new Map<string, number>();
    for (const text of texts)
      for (const stem of new Set([...text.stems, ...text.near, ...text.far])) within.set(stem, (within.get(stem) ?? 0) + 1);
    const unknown = stems.filter((stem) => !within.has(stem));
    if (unknown.length <= MOST_AKIN)
      for (const stem of unknown) {
        const others = [...within.keys()].filter((other) => areAkin(stem, other));
        if (others.length > 0) this.akin.set(stem, new Set(others));
      }
    for (const stem of stems) {
      const forms = [stem, ...(this.akin.get(stem) ?? [])];
      const count = Math.max(...forms.map((form) => within.get(form) ?? 0));
      const isFact = question.wanted?.words.has(stem) ?? false;
      const named = !names.has(stem) || isFact ? 1 : count === 0 ? unknownName(stems.length) : NAME;
      this.weights.set(stem, Math.log(1 + texts.length / Math.max(count, 1)) * named * (own.has(stem) ? 1 : BEFORE));
    }
    this.total = this.weightOf(() => 1);
    this.totalAsked = this.weightOf((stem) => (own.has(stem) ? 1 : 0));
  }

  /** How much of the question texts have together, from 0 to 1. */
  shareIn(texts: readonly TextStems[]): number {
    return this.total === 0 ? 0 : this.weightOf((stem) => this.most(stem, texts)) / this.total;
  }

  /** How much a text has of what was asked last. */
  shareOfAsked(text: TextStems): number {
    const { own } = this.question;
    return this.totalAsked === 0 ? 1 : this.weightOf((stem) => (own.has(stem) ? this.strength(stem, text) : 0)) / this.totalAsked;
  }

  /** Whether a text itself has something of the question, or says what it asks for right below it. */
  matchesText(text: Stems, tellsFact: boolean): boolean {
    return this.question.stems.some(
      (stem) => this.has(text.stems, stem) > 0 || ((tellsFact || text.near.size > 0) && this.has(text.near, stem) > 0),
    );
  }

  private weightOf(strength: (stem: string) => number): number {
    let sum = 0;
    for (const [stem, weight] of this.weights) sum += weight * strength(stem);
    return sum;
  }

  private most(stem: string, texts: readonly TextStems[]): number {
    return texts.reduce((most, text) => Math.max(most, this.strength(stem, text)), 0);
  }

  private strength(stem: string, { stems, near, far, tellsFact }: TextStems): number {
    const said = Math.max(this.has(stems, stem), NEAR * this.has(near, stem), FAR * this.has(far, stem));
    return tellsFact && this.question.wanted?.words.has(stem)
      ? Math.max(said, this.question.wanted.kind === 'count' ? FACT_OF_ANY_NUMBER : FACT)
      : said;
  }

  private has(stems: ReadonlySet<string>, stem: string): number {
    if (stems.has(stem)) return 1;
    const akin = this.akin.get(stem);
    return akin && meet(akin, stems) ? AKIN : 0;
  }
}

/** Whether two sets share one. A sentence has few stems, and a text thousands that are akin to one of the question. */
function meet(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const [few, many] = one.size <= other.size ? [one, other] : [other, one];
  for (const stem of few) if (many.has(stem)) return true;
  return false;
}

function areAkin(one: string, other: string): boolean {
  if (/\p{N}/u.test(one) || /\p{N}/u.test(other)) return false;
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (short.length >= LEAST_BEGINNING && long.startsWith(short)) return true;
  if (short.length >= LEAST_END && long.endsWith(short)) return true;
  let shared = 0;
  while (shared < short.length && one[shared] === other[shared]) shared++;
  return shared >= LEAST_SHARED && shared >= SHARED * long.length;
}
