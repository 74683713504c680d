import type { FlowState } from './flow';
import { assertMap, assertRemoved, keptMap, successorOf, type StateMap } from './state-map';

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

/** What a change says of the states that a flow no longer has. */
export interface RemovedStates<P> {
  /** What the flow remembers of earlier changes. */
  readonly map: StateMap;
  /** Where this change sends removed states, and the field of the request that says so. */
  readonly said: StateMap;
  readonly field: string;
  readonly states: readonly FlowState[];
  /** Whether states that the flow still has may not be sent anywhere. */
  readonly isStrict: boolean;
  /** The places whose states the flow no longer has, and the state of each. */
  readonly listRemoved: () => Promise<readonly P[]>;
  readonly stateOf: (place: P) => string;
  /** The refusal of a change that leaves subjects behind. */
  readonly refuse: (stranded: readonly [Stranded<P>, ...Stranded<P>[]]) => Error;
}

/** Where a change sends subjects. */
export interface PlannedRemoval<P> {
  /** What the flow remembers from now on. */
  readonly map: StateMap;
  /** The places whose subjects go to other states, and where to. */
  readonly moved: readonly { readonly place: P; readonly to: string }[];
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

  /** Where the subjects in removed states go; refuses a change that leaves some behind. */
  async planRemoval({
    map: known,
    said,
    field,
    states,
    isStrict,
    listRemoved,
    stateOf,
    refuse,
  }: RemovedStates<P>): Promise<PlannedRemoval<P>> {
    assertMap(said, states, field);
    if (isStrict) assertRemoved(said, states, field);
    const map = keptMap(known, said, states);
    const places = (await listRemoved()).map((place) => ({ place, to: successorOf(stateOf(place), map) }));
    const [first, ...others] = await this.findStranded(places.flatMap(({ place, to }) => (to === undefined ? [place] : [])));
    if (first) throw refuse([first, ...others]);
    return { map, moved: places.flatMap(({ place, to }) => (to === undefined ? [] : [{ place, to }])) };
  }

  /** Moves the next subjects out of the first of the places, in the background; how many. */
  async moveBatch([place]: readonly P[]): Promise<number> {
    return place === undefined ? 0 : this.followers.moveOut(place, FOLLOWING_BATCH);
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
