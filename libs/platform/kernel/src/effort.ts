import { Problem } from './problem';

/** What one request may compute on the event loop that it shares with all others. A unit is worth about a microsecond. */
const OF_REQUEST = 200_000;
/** What one step of a job may: a row, or what it does between two units of work. */
const OF_STEP = 2_000_000;

export const TOO_COMPLEX = 'too_complex';

/** What was asked for computes more than its share. */
const tooComplex = (): Problem => {
  const message = 'It takes too much work to evaluate. Simplify its expressions, patterns or schemas, or send less content in one request.';
  // What is compiled already costs nothing: the next request may have enough.
  return new Problem('unprocessable_content', message, { errors: [{ path: '', code: TOO_COMPLEX, message }], isMeasured: true });
};

/** Whether an error says that a request or step had no effort left. */
export const isTooComplex = (error: unknown): error is Problem =>
  error instanceof Problem && (error.errors ?? []).some(({ code }) => code === TOO_COMPLEX);

/**
 * What is left of the effort that one request or step of a job may spend. Everything whose cost people decide by what they write or
 * send spends from the same one, before it does the work: many cheap evaluations are bounded like one that is dear.
 */
export class Effort {
  /** Made once: evaluation may go on past the first refusal, and meet many. */
  private refusal: Problem | undefined;
  private spent = 0;

  private constructor(
    private left: number,
    readonly isOfStep: boolean,
    private readonly whole?: Effort,
  ) {}

  static ofRequest(): Effort {
    return new Effort(OF_REQUEST, false);
  }

  static ofStep(): Effort {
    return new Effort(OF_STEP, true);
  }

  private get isSpent(): boolean {
    return this.whole ? this.whole.isSpent : this.left < 0;
  }

  /** The same effort, for an attempt: what it spends of it can be given back. */
  ofAttempt(): Effort {
    return new Effort(0, this.isOfStep, this);
  }

  /** The attempt came to nothing for no reason of its own, and is made again. */
  restoreEffort(): void {
    this.take(-this.spent);
  }

  /** Spends what is there; false where it was not enough. For work that ends by itself then, before `assertSome`. */
  affords(units: number): boolean {
    this.take(units);
    return !this.isSpent;
  }

  /** Throws `unprocessable_content` with the entry `too_complex` where less is left, then and from then on. */
  spend(units: number): void {
    if (!this.affords(units)) this.assertSome();
  }

  assertSome(): void {
    if (this.isSpent) throw (this.refusal ??= tooComplex());
  }

  private take(units: number): void {
    this.spent += units;
    if (this.whole) this.whole.take(units);
    else this.left -= units;
  }
}

let atHand = (): Effort | undefined => undefined;

/** Names the place where the effort of the running request or job is; what it answers names the former one again. */
export function findEffortBy(find: () => Effort | undefined): () => void {
  const before = atHand;
  atHand = find;
  return () => {
    atHand = before;
  };
}

/** The effort of the running request or job; outside of both, one for the piece of work that asks. */
export const currentEffort = (): Effort => atHand() ?? Effort.ofRequest();

/** Spends from the effort of the running request or job. */
export const spendEffort = (units: number): void => currentEffort().spend(units);
