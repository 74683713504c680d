/** Most subjects that follow in the request that changes their flow; the rest follows in the background. */
export const AT_ONCE = 1_000;
/** Most subjects that follow in one step of the background work. */
export const FOLLOWING_BATCH = 200;

/** The subjects of a flow by their places: a state, or a state of one kind of subject. Their context counts and moves them. */
export interface Followers<P> {
  /** How many subjects are in the place, counted up to `most`. */
  countIn(place: P, most: number): Promise<number>;
  /** Moves at most `most` subjects out of the place to where the flow says; returns how many it found. */
  moveOut(place: P, most: number): Promise<number>;
}

/** A place whose subjects a change would leave behind, for a refusal. */
export interface Stranded<P> {
  readonly place: P;
  /** How many there are, in words: `17`, or `more than 1000`. */
  readonly counted: string;
}

/**
 * One change of a flow and what follows from it: subjects in removed states move to where the flow says. The request moves the
 * first thousand; the rest moves in the background, and until then the flow itself knows what their state means.
 */
export class FlowChange<P> {
  private left = AT_ONCE;

  constructor(private readonly followers: Followers<P>) {}

  /** Whether the request has moved as many as it may: what is left is for the background. */
  get isSpent(): boolean {
    return this.left <= 0;
  }

  /** Of the places, which lead nowhere, those with subjects. */
  async findStranded(places: readonly P[]): Promise<Stranded<P>[]> {
    const stranded: Stranded<P>[] = [];
    for (const place of places) {
      const count = await this.followers.countIn(place, AT_ONCE + 1);
      if (count > 0) stranded.push({ place, counted: count > AT_ONCE ? `more than ${AT_ONCE}` : String(count) });
    }
    return stranded;
  }

  /** Moves subjects out of the places, as many as the request may; returns the places with subjects left. */
  async moveSubjects(places: readonly P[]): Promise<P[]> {
    const unfinished: P[] = [];
    for (const place of places) {
      await this.spend((most) => this.followers.moveOut(place, most));
      if (this.isSpent && (await this.followers.countIn(place, 1)) > 0) unfinished.push(place);
    }
    return unfinished;
  }

  /** Does other work of the same change, which returns how many subjects it took; does nothing once the request has moved as many as it may. */
  async spend(work: (most: number) => Promise<number>): Promise<void> {
    if (!this.isSpent) this.left -= await work(this.left);
  }
}
