import type { MadeStep } from '../../records/application/made-step';
import type { RunAttempt } from './run-attempt';
import { RunCourse, type CourseParts } from './run-course';
import type { RunRecords } from '../../records/application/run-records';
import type { RunGround } from '../../prompt/run-materials';
import { RunSources, type FoundSource } from '../../records/domain/run-source';

const memory = (source_id: string): FoundSource => ({
  source_kind: 'memory',
  source_id,
  passage_id: null,
  version_id: null,
  title: 'Memory',
  url: null,
  page_from: null,
  page_to: null,
  char_start: 0,
  char_end: 4,
  version: null,
  updated: null,
  score: 0,
  text: source_id,
});

const ASKED = new Error('The model is asked.');

/** A course up to the first question to the model: what was written before it, and the sources that the model is given. */
async function before(ground: Partial<RunGround>, at: { readonly steps?: readonly MadeStep[]; readonly known?: readonly FoundSource[] }) {
  const written: string[] = [];
  const records = {
    found: (_: unknown, sources: readonly { source_id: string }[], { recalls }: { recalls: boolean }) => {
      written.push(`found ${String(recalls)}`);
      return Promise.resolve(sources.filter(({ source_id }) => source_id === 'gone'));
    },
    recalls: () => Promise.resolve(void written.push('recalls')),
  } as unknown as RunRecords;
  const sources = new RunSources();
  sources.add(at.known ?? []);
  const attempt = {
    run: { run_stop_requested: false, run_user: 'ann', run_key: null, run_thread: 't1', run_model: 'm' },
    plan: { tools: [], retrieval: { mode: 'off' }, schema: null },
    signal: new AbortController().signal,
    sources,
    steps: at.steps ?? [],
    calls: [],
    openCalls: [],
    answer: { parts: [] },
    stream: { keepTo: () => undefined, change: () => undefined },
    tainted: null,
    taint: () => undefined,
    checkpoint: () => Promise.resolve(),
    write: (write: (of: RunRecords, held: unknown) => unknown) => write(records, {}),
  } as unknown as RunAttempt;
  let given: readonly string[] = [];
  const parts = {
    db: { read: (work: () => unknown) => work() },
    callers: { of: () => Promise.resolve({ user_id: 'ann', key_id: null }) },
    materials: {
      read: () => Promise.resolve({}),
      of: () =>
        Promise.resolve({ memory: true, recalls: false, question: 'What?', notices: [], taint: null, thread: {}, said: [], ...ground }),
      memoriesFor: () => Promise.resolve({ sources: [memory('kept'), memory('gone')], taint: null }),
    },
    tools: { of: () => Promise.resolve(new Map()), offers: () => ({}) },
    inputs: {
      of: ({ found }: { found: readonly FoundSource[] }) => {
        given = found.map(({ source_id }) => source_id);
        return { system: { content: '' } };
      },
    },
    models: { resolve: () => Promise.resolve({ open: () => Promise.reject(ASKED) }) },
  } as unknown as CourseParts;
  await expect(new RunCourse(parts, attempt, 'mark').run()).rejects.toBe(ASKED);
  return { written, given };
}

const step: MadeStep = { step: 1, parts: [], finish: 'stop', correction: null };

describe('the course of a run', () => {
  it.each([
    ['the first attempt', {}, ['found true']],
    ['an attempt after a step', { steps: [step] }, ['recalls']],
    ['an attempt after what was found', { known: [memory('kept')] }, ['recalls']],
  ])('keeps that the conversation says what memories say before the model is asked, in %s', async (_, at, written) => {
    expect((await before({ recalls: true }, at)).written).toEqual(written);
  });

  it('keeps nothing of the kind where the conversation says no memory', async () => {
    expect((await before({}, { steps: [step] })).written).toEqual([]);
  });

  it('gives the model no memory that was deleted since it was read', async () => {
    expect((await before({}, {})).given).toEqual(['kept']);
  });
});
