import type { RunAttempt } from './run-attempt';
import { RunSetup } from './run-setup';
import type { RunRecords } from '../../records/application/run-records';
import type { ActingCallers } from '@atrium/identity';
import type { TextModels } from '@atrium/models';
import type { Database } from '@atrium/platform/database';
import type { RunInputs } from '../../prompt/run-input';
import type { RunContext, RunMaterials } from '../../prompt/run-materials';
import type { RunSearch } from '../../prompt/run-search';
import type { RunTools } from './run-tools';
import { RunSources, type FoundSource } from '../../records/domain/run-source';
import type { FinishedStep } from '../../records/infrastructure/run-steps.repository';

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

const OPENED = new Error('The model is opened.');

/** A run up to the first question to its model: what was written before it, and the sources that the model is given. */
async function before(
  ground: Partial<RunContext>,
  at: { readonly steps?: readonly FinishedStep[]; readonly known?: readonly FoundSource[] },
) {
  const written: string[] = [];
  const records = {
    recordSources: (_: unknown, sources: readonly { source_id: string }[], { recalls }: { recalls: boolean }) => {
      written.push(`found ${String(recalls)}`);
      return Promise.resolve(sources.filter(({ source_id }) => source_id === 'gone'));
    },
    markRecalls: () => Promise.resolve(void written.push('recalls')),
  } as unknown as RunRecords;
  const sources = new RunSources();
  sources.addSources(at.known ?? []);
  const attempt = {
    run: { run_user: 'ann', run_key: null, run_thread: 't1', run_model: 'm' },
    plan: { tools: [], retrieval: { mode: 'off' }, schema: null },
    signal: new AbortController().signal,
    sources,
    steps: at.steps ?? [],
    calls: [],
    answer: { parts: [] },
    stream: { restrictTo: () => undefined, applyChange: () => undefined },
    tainted: null,
    taintRun: () => undefined,
    writeRecords: (write: (of: RunRecords, held: unknown) => unknown) => write(records, {}),
  } as unknown as RunAttempt;
  let given: readonly string[] = [];
  const materials = {
    readRows: () => Promise.resolve({}),
    readMaterials: () =>
      Promise.resolve({ memory: true, recalls: false, question: 'What?', notices: [], taint: null, thread: {}, said: [], ...ground }),
    findMemories: () => Promise.resolve({ sources: [memory('kept'), memory('gone')], taint: null }),
  };
  const inputs = {
    buildInput: ({ found }: { found: readonly FoundSource[] }) => {
      given = found.map(({ source_id }) => source_id);
      return { system: { content: '' } };
    },
  };
  const setup = new RunSetup(
    { read: (work: () => unknown) => work() } as unknown as Database,
    { resolvePrincipal: () => Promise.resolve({ user_id: 'ann', key_id: null }) } as unknown as ActingCallers,
    { resolveModel: () => Promise.resolve({ openModel: () => Promise.reject(OPENED) }) } as unknown as TextModels,
    inputs as unknown as RunInputs,
    materials as unknown as RunMaterials,
    undefined as unknown as RunSearch,
    { resolveTools: () => Promise.resolve(new Map()), describeTools: () => ({}) } as unknown as RunTools,
  );
  await expect(setup.prepareSetting(attempt)).rejects.toBe(OPENED);
  return { written, given };
}

const step: FinishedStep = { step: 1, parts: [], finish: 'stop', correction: null };

describe('what a run begins with', () => {
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
