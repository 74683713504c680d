import { Problem } from './problem';

/** Which states may follow which; a state without an entry is final. */
export type Transitions<S extends string> = Readonly<Partial<Record<S, readonly S[]>>>;

/** The allowed transitions of one aggregate, as a table. */
export class StateMachine<S extends string> {
  constructor(
    private readonly subject: string,
    private readonly transitions: Transitions<S>,
  ) {}

  allows(from: S, to: S): boolean {
    return this.transitions[from]?.includes(to) ?? false;
  }

  isFinal(state: S): boolean {
    return (this.transitions[state]?.length ?? 0) === 0;
  }

  /** The new state, or the problem `invalid_state` naming both. */
  move(from: S, to: S): S {
    if (this.allows(from, to)) return to;
    throw new Problem('invalid_state', `The ${this.subject} is ${from} and cannot become ${to}.`);
  }
}
