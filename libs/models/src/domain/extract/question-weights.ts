/** A text as its stems. */
type Stems = ReadonlySet<string>;

/**
 * What each stem of a question weighs: the more, the fewer of the sentences have it. A stem that none of them has weighs as
 * much as the rarest, since what it asks about is not there.
 */
export class QuestionWeights {
  private readonly weights: ReadonlyMap<string, number>;
  private readonly total: number;

  constructor(question: readonly string[], sentences: readonly Stems[]) {
    const within = (stem: string): number => sentences.filter((stems) => stems.has(stem)).length;
    this.weights = new Map(question.map((stem) => [stem, Math.log(1 + sentences.length / Math.max(within(stem), 1))]));
    this.total = this.weightOf(() => true);
  }

  /** How much of the question is in a text, or in several together, from 0 to 1. */
  shareIn(...texts: readonly Stems[]): number {
    return this.total === 0 ? 0 : this.weightOf((stem) => texts.some((stems) => stems.has(stem))) / this.total;
  }

  private weightOf(counts: (stem: string) => boolean): number {
    return [...this.weights].reduce((sum, [stem, weight]) => sum + (counts(stem) ? weight : 0), 0);
  }
}
