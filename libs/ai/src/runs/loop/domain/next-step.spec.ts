import { nextStep, type Interruption, type RunState } from './next-step';

interface Step {
  readonly step: number;
  readonly correction: string | null;
}

interface Call {
  readonly call_id: string;
  readonly step: number;
  readonly state: string;
  readonly waits_for: string | null;
}

const step = (number: number, correction: string | null = null): Step => ({ step: number, correction });
const call = (state: string, facts: Partial<Call> = {}): Call => ({ call_id: state, step: 1, state, waits_for: null, ...facts });

const stateOf = (facts: Partial<RunState<Step, Call>>): RunState<Step, Call> => ({
  isStopRequested: false,
  steps: [],
  calls: [],
  isFull: false,
  hasCredits: true,
  ...facts,
});

const RUN_AGAIN = { kind: 'run_again', calls: [] };
const waiting = call('pending', { call_id: 'w', waits_for: 'approval' });

describe('what happens next in a run', () => {
  it.each<[string, Partial<RunState<Step, Call>>, object]>([
    ['nothing was said', {}, RUN_AGAIN],
    ['the last step asks for nothing', { steps: [step(1)] }, { kind: 'finish', reason: 'answered', step: step(1) }],
    ['the last step is to be corrected', { steps: [step(1, 'Cite.')] }, RUN_AGAIN],
    ['the step before the last was corrected', { steps: [step(1, 'Cite.'), step(2)] }, { reason: 'answered', step: step(2) }],
    ['all calls of the last step ended', { steps: [step(1)], calls: [call('done'), call('error'), call('unknown')] }, RUN_AGAIN],
    ['a call was denied', { steps: [step(1)], calls: [call('denied')] }, RUN_AGAIN],
    ['an earlier step asked for calls', { steps: [step(1), step(2)], calls: [call('done')] }, { reason: 'answered', step: step(2) }],
    ['a call was asked for', { steps: [step(1)], calls: [call('pending')] }, { kind: 'run_again', calls: [call('pending')] }],
    ['a worker was lost with a call', { steps: [step(1)], calls: [call('running')] }, { kind: 'run_again', calls: [call('running')] }],
    ['a call needs consent', { steps: [step(1)], calls: [waiting] }, { kind: 'wait', calls: [waiting] }],
    ['only one of two calls needs consent', { steps: [step(1)], calls: [waiting, call('pending')] }, { calls: [call('pending')] }],
    ['the other call ended', { steps: [step(1)], calls: [waiting, call('done')] }, { kind: 'wait', calls: [waiting] }],
    [
      'the message is full after calls',
      { steps: [step(1)], calls: [call('done')], isFull: true },
      { kind: 'finish', reason: 'full', step: step(1) },
    ],
    ['the message is full with the answer', { steps: [step(1)], isFull: true }, { kind: 'finish', reason: 'answered', step: step(1) }],
    ['the message is full and a call is open', { steps: [step(1)], calls: [call('pending')], isFull: true }, { kind: 'run_again' }],
    ['there are no credits for a step', { hasCredits: false }, { kind: 'finish', reason: 'out_of_credits' }],
    ['the answer took the last credits', { steps: [step(1)], hasCredits: false }, { kind: 'finish', reason: 'answered' }],
    ['it was to stop before', { isStopRequested: true, steps: [step(1)], calls: [call('pending')] }, { kind: 'finish', reason: 'stopped' }],
  ])('is decided where %s', (_, facts, next) => {
    expect(nextStep(stateOf(facts))).toMatchObject(next);
  });

  it('makes the calls in the order in which they were asked for', () => {
    const calls = ['a', 'b', 'c'].map((call_id) => call('pending', { call_id }));
    expect(nextStep(stateOf({ steps: [step(1)], calls }))).toEqual({ kind: 'run_again', calls });
  });
});

describe('what happens next where work broke off', () => {
  const QUIET: Interruption = { isSuperseded: false, isStopped: false, isOverdue: false, isShutDown: false, isKnown: false };

  it.each<[string, Partial<Interruption>, object]>([
    ['another attempt has the run', { isSuperseded: true, isStopped: true, isKnown: true }, { kind: 'hand_over', keepsText: false }],
    ['somebody stopped it', { isStopped: true, isKnown: true }, { kind: 'finish', reason: 'stopped' }],
    ['it was stopped as its time was over', { isStopped: true, isOverdue: true }, { kind: 'finish', reason: 'stopped' }],
    ['its time is over', { isOverdue: true, isKnown: true }, { kind: 'finish', reason: 'out_of_time' }],
    ['its time is over at a shutdown', { isOverdue: true, isShutDown: true }, { kind: 'finish', reason: 'out_of_time' }],
    ['the worker shuts down', { isShutDown: true }, { kind: 'hand_over', keepsText: true }],
    ['the model was cut off by the shutdown', { isShutDown: true, isKnown: true }, { kind: 'hand_over', keepsText: true }],
    ['the model failed', { isKnown: true }, { kind: 'finish', reason: 'failed' }],
    ['the host failed', {}, { kind: 'hand_over', keepsText: false }],
  ])('is decided where %s', (_, facts, next) => {
    expect(nextStep(stateOf({ steps: [step(1)], calls: [waiting] }), { ...QUIET, ...facts })).toEqual(next);
  });
});
