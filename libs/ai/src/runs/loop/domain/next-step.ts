/** What decides of a finished step: whether the model is to correct it. */
interface StepFacts {
  readonly step: number;
  readonly correction: string | null;
}

/** What decides of a call: which step asked for it, how far it is, and whom it waits for. */
interface CallFacts {
  readonly step: number;
  readonly state: string;
  readonly waits_for: string | null;
}

/** Why work on an attempt broke off. */
export interface Interruption {
  /** Another attempt has the run, or somebody ended it: nothing of this one is written any more. */
  readonly isSuperseded: boolean;
  readonly isStopped: boolean;
  readonly isOverdue: boolean;
  readonly isShutDown: boolean;
  /** The error can be shown to the asker; every other one is a fault of this host. */
  readonly isKnown: boolean;
}

/** What decides what happens next while nothing interrupts the work. */
export interface RunState<Step extends StepFacts, Call extends CallFacts> {
  /** Somebody asked to stop the run before this attempt began with it. */
  readonly isStopRequested: boolean;
  readonly steps: readonly Step[];
  readonly calls: readonly Call[];
  /** Whether the message has no room for more. */
  readonly isFull: boolean;
  readonly hasCredits: boolean;
}

/** How a run ends. */
export type Finish<Step> =
  | { readonly kind: 'finish'; readonly reason: 'answered'; readonly step: Step }
  /** The message is full: the last step is the answer, cut. */
  | { readonly kind: 'finish'; readonly reason: 'full'; readonly step: Step }
  | { readonly kind: 'finish'; readonly reason: 'out_of_credits' | 'out_of_time' | 'stopped' | 'failed' };

/** Another round: of these calls, or of the model where there are none. */
interface RunAgain<Call> {
  readonly kind: 'run_again';
  readonly calls: readonly Call[];
}

/** Somebody has to answer these calls first; no worker has the run until then. */
interface Wait<Call> {
  readonly kind: 'wait';
  readonly calls: readonly Call[];
}

/** Another worker goes on; with the text so far where this one can still keep it. */
interface HandOver {
  readonly kind: 'hand_over';
  readonly keepsText: boolean;
}

/** What happens next in a run. */
type NextStep<Step, Call> = RunAgain<Call> | Wait<Call> | Finish<Step> | HandOver;

/**
 * Decides what happens next in a run, from what is committed alone: a worker that takes over decides as the one before. Calls come
 * before everything else, since their step is no answer; those that may be made come before those that wait. Work that broke off ends
 * the run, or is handed over.
 */
export function nextStep<Step extends StepFacts, Call extends CallFacts>(
  state: RunState<Step, Call>,
): RunAgain<Call> | Wait<Call> | Finish<Step>;
export function nextStep<Step extends StepFacts, Call extends CallFacts>(
  state: RunState<Step, Call>,
  interruption: Interruption,
): Finish<Step> | HandOver;
export function nextStep<Step extends StepFacts, Call extends CallFacts>(
  state: RunState<Step, Call>,
  interruption?: Interruption,
): NextStep<Step, Call> {
  if (interruption) return afterInterruption(interruption);
  if (state.isStopRequested) return { kind: 'finish', reason: 'stopped' };
  const open = state.calls.filter((call) => call.state === 'pending' || call.state === 'running');
  const callable = open.filter(({ waits_for }) => waits_for === null);
  if (callable.length > 0) return { kind: 'run_again', calls: callable };
  const waiting = open.filter((call) => call.state === 'pending');
  if (waiting.length > 0) return { kind: 'wait', calls: waiting };
  const last = state.steps.at(-1);
  if (last && isAnswer(last, state.calls)) return { kind: 'finish', reason: 'answered', step: last };
  if (last && state.isFull) return { kind: 'finish', reason: 'full', step: last };
  return state.hasCredits ? { kind: 'run_again', calls: [] } : { kind: 'finish', reason: 'out_of_credits' };
}

/** A step is the answer where it asks for no tools and there is nothing to correct in it. */
const isAnswer = ({ step, correction }: StepFacts, calls: readonly CallFacts[]): boolean =>
  correction === null && !calls.some((call) => call.step === step);

/** A stop is answered before anything else that ended the work, and the end of the time before a shutdown: both end the run here. */
function afterInterruption({ isSuperseded, isStopped, isOverdue, isShutDown, isKnown }: Interruption): Finish<never> | HandOver {
  if (isSuperseded) return { kind: 'hand_over', keepsText: false };
  if (isStopped) return { kind: 'finish', reason: 'stopped' };
  if (isOverdue) return { kind: 'finish', reason: 'out_of_time' };
  if (isShutDown) return { kind: 'hand_over', keepsText: true };
  return isKnown ? { kind: 'finish', reason: 'failed' } : { kind: 'hand_over', keepsText: false };
}
