import type { TokenUsage } from '@atrium/models';
import { runAsJob, SYSTEM_ACTOR } from '@atrium/platform/database';
import { spendEffort, type JsonObject } from '@atrium/platform/kernel';
import { Answer } from '../../records/domain/answer';
import { Run } from '../../records/domain/run';
import type { RunSource } from '../../records/domain/run-source';
import { AnswerEnds } from './answer-ends';
import { AnswerStream } from './answer-stream';
import type { StepOutcome } from './model-step';
import { RunAttempt } from './run-attempt';
import type { Ending, RunRecords } from '../../records/application/run-records';
import type { FinishedStep } from '../../records/infrastructure/run-steps.repository';

const FACT = 'The notice is of three months.';
const SOURCE = { n: 1, source_kind: 'file', source_id: 's1', passage_id: null, title: 'Lease', text: FACT } as RunSource;
const SCHEMA: JsonObject = { type: 'object', properties: { months: { type: 'number' } }, required: ['months'] };

interface Facts {
  readonly said?: readonly string[];
  readonly steps?: readonly FinishedStep[];
  readonly require?: boolean;
  readonly schema?: JsonObject;
}

function ends({ said: parts = [], steps = [], require = false, schema }: Facts) {
  const answer = new Answer(parts.map((text) => ({ kind: 'text' as const, text })));
  const endings: Ending[] = [];
  const records: Partial<RunRecords> = { recordEnd: (_, ending) => Promise.resolve(void endings.push(ending)) };
  const run = Object.assign(new Run(), {
    run_id: 'r1',
    run_options: { max_steps: 8, retrieval: { require }, schema: schema ?? null },
    run_sources: [SOURCE],
    run_tainted: null,
  });
  const claimed = { run, attempt: 1, steps: steps as never, calls: [], parts: [], wasLost: false };
  const stream = new AnswerStream(answer, () => Promise.resolve('1'), 0);
  const attempt = new RunAttempt(
    {
      claimed,
      answer,
      stream,
      count: () => 1,
      stop: new AbortController(),
      shutdown: new AbortController().signal,
      overtime: new AbortController().signal,
    },
    records as RunRecords,
  );
  const rules = new AnswerEnds();
  const one = {
    demandSchema: () => rules.assertSchema(attempt),
    correctionOf: (said: StepOutcome) => rules.findCorrection(attempt, said),
    finish: (step: FinishedStep) => rules.finishAnswer(attempt, step),
    runsDry: () => rules.endWithoutCredits(attempt),
    timesOut: (usage: TokenUsage | null) => rules.endAtTimeLimit(attempt, usage),
  };
  return { one, ending: () => endings[0] };
}

const outcome = (text: string, finish: StepOutcome['finish'] = 'stop'): StepOutcome => ({ text, finish, calls: [], usage: {} as never });
const step = (facts: Partial<FinishedStep> = {}): FinishedStep => ({ step: 1, parts: [], finish: 'stop', correction: null, ...facts });

describe('an answer that is to keep a rule', () => {
  it.each<[string, Facts, StepOutcome, RegExp | null]>([
    ['has no rule', {}, outcome('Three.'), null],
    ['cites nothing', { require: true }, outcome('Three.'), /cite the number/],
    ['cites what there is not', { require: true }, outcome('Three. [2]'), /cite the number/],
    ['cites', { require: true }, outcome('Three. [1]'), null],
    ['was filtered', { require: true }, outcome('Three.', 'filter'), null],
    ['was corrected once', { require: true, steps: [step({ correction: 'Cite.' })] }, outcome('Three.'), null],
    ['is of the last step', { require: true, steps: Array.from({ length: 8 }, () => step()) }, outcome('Three.'), null],
    ['is no JSON', { schema: SCHEMA }, outcome('Three.'), /it is no JSON/],
    ['is other JSON', { schema: SCHEMA }, outcome('{}'), /required property 'months'/],
    ['is JSON by its schema', { schema: SCHEMA }, outcome('{"months":3}'), null],
  ])('and %s', (_, facts, said, correction) => {
    const asked = ends(facts).one.correctionOf(said);
    if (correction === null) expect(asked).toBeNull();
    else expect(asked).toMatch(correction);
  });
});

describe('the schema of an answer', () => {
  it('is held against it with an effort of its own, whatever the run has spent before', async () => {
    const { one, ending } = ends({ schema: SCHEMA });
    await runAsJob({ tenant_id: null, actor: SYSTEM_ACTOR, request_id: 'r' }, async () => {
      expect(() => spendEffort(3_000_000)).toThrow();
      expect(one.correctionOf(outcome('{"months":3}'))).toBeNull();
      await one.finish(step({ parts: [{ kind: 'text', text: '{"months":3}' }] }));
    });
    expect(ending()).toMatchObject({ status: 'completed', data: { months: 3 } });
  });

  it('that was stored under other rules is refused before a model is asked', () => {
    const { one } = ends({ schema: { type: 'object', allOf: [{ $ref: '#' }] } });
    expect(() => one.demandSchema()).toThrow(
      expect.objectContaining({
        code: 'unprocessable_content',
        detail: expect.stringMatching(/same value.* Correct agent_schema of the agent/),
      }),
    );
    for (const facts of [{}, { schema: SCHEMA }]) expect(() => ends(facts).one.demandSchema()).not.toThrow();
  });
});

describe('the end of an answer', () => {
  it('has the numbers of sources that there are, with a quote of each', async () => {
    const { one, ending } = ends({ said: [`${FACT} [1] Pets are allowed. [4]`] });
    await one.finish(step({ finish: 'length' }));
    expect(ending()).toMatchObject({
      status: 'completed',
      finish: 'length',
      parts: [{ kind: 'text', text: `${FACT} [1] Pets are allowed.` }],
      citations: [{ n: 1, quote: FACT, check: 'exact' }],
    });
  });

  it('that no source supports says so, once, and nothing else', async () => {
    const { one, ending } = ends({ said: ['Three.', 'Surely. [2]'], require: true });
    await one.finish(step());
    expect(ending()?.parts).toEqual([
      { kind: 'text', text: 'I have no supported answer to this.' },
      { kind: 'text', text: '' },
      { kind: 'notice', code: 'ungrounded', detail: 'No source supports an answer.' },
    ]);
  });

  it('that was filtered stays as it is', async () => {
    const { one, ending } = ends({ said: ['Three.'], require: true });
    await one.finish(step({ finish: 'filter' }));
    expect(ending()).toMatchObject({ finish: 'filter', parts: [{ kind: 'text', text: 'Three.' }] });
  });

  it('by a schema is data, or has failed with what the model said', async () => {
    const good = ends({ schema: SCHEMA });
    await good.one.finish(step({ parts: [{ kind: 'text', text: '```json\n{"months":3}\n```' }] }));
    expect(good.ending()).toMatchObject({ status: 'completed', data: { months: 3 }, parts: [{ kind: 'data', value: { months: 3 } }] });
    const bad = ends({ schema: SCHEMA });
    await bad.one.finish(step({ parts: [{ kind: 'text', text: 'Three.' }] }));
    expect(bad.ending()).toMatchObject({
      status: 'failed',
      error: { code: 'unprocessable_content' },
      parts: [{ kind: 'notice', code: 'unprocessable_content', detail: 'Three.' }],
    });
  });

  it('by no schema keeps whole characters of what the model said', async () => {
    const { one, ending } = ends({ schema: SCHEMA });
    await one.finish(step({ parts: [{ kind: 'text', text: `${'x'.repeat(9_999)}\u{1f600}` }] }));
    expect(ending()?.parts).toMatchObject([{ kind: 'notice', detail: 'x'.repeat(9_999) }]);
  });

  it('whose time is over keeps what was said, with its citations and what the last step took', async () => {
    const usage: TokenUsage = { input_tokens: 9, cached_tokens: 0, output_tokens: 2, reasoning_tokens: 0, estimated: true };
    const { one, ending } = ends({ said: [`${FACT} [1]`] });
    await one.timesOut(usage);
    expect(ending()).toMatchObject({
      status: 'completed',
      finish: 'length',
      parts: [{ kind: 'text' }, { kind: 'notice', code: 'time_is_over' }],
      citations: [{ n: 1 }],
      unfinished: usage,
    });
    const structured = ends({ schema: SCHEMA });
    await structured.one.timesOut(null);
    expect(structured.ending()).toMatchObject({ status: 'failed', finish: 'error', error: { code: 'upstream_timeout' } });
  });

  it('without credits keeps what was said, with its citations', async () => {
    const { one, ending } = ends({ said: [`${FACT} [1]`], require: true });
    await one.runsDry();
    expect(ending()).toMatchObject({
      status: 'completed',
      finish: 'length',
      parts: [{ kind: 'text' }, { kind: 'notice', code: 'credits_exhausted' }],
      citations: [{ n: 1 }],
    });
  });

  it.each(['without credits', 'whose time is over'])(
    '%s and that no source supports says so, if the agent demands sources',
    async (end) => {
      const { one, ending } = ends({ said: ['Three.'], require: true });
      await (end === 'without credits' ? one.runsDry() : one.timesOut(null));
      expect(ending()).toMatchObject({
        finish: 'length',
        parts: [{ text: 'I have no supported answer to this.' }, { code: 'ungrounded' }, {}],
      });
    },
  );
});
