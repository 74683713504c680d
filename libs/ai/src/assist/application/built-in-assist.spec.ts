import { Compute } from '@atrium/platform/compute';
import { BuiltInAssist } from './built-in-assist';
import { performBuiltIn, type BuiltInInputs, type BuiltInTask } from './built-in-tasks';

const SENTENCE = 'The harbour office lets each berth of the northern quay for one year. ';

/** What follows the text in each task: nothing of it may be lost on the way. */
const REST: { readonly [K in BuiltInTask]: BuiltInInputs[K] extends [string, ...infer R] ? R : never } = {
  proofread: [],
  summarize: ['short', 'bullets'],
  title: [20],
  keywords: [2, ['berth', 'northern quay', 'ferry', 'harbour office']],
  extract: [{ type: 'object', properties: { year: { type: 'integer' }, name: { type: 'string' } }, required: ['year'] }],
};
const TASKS = Object.keys(REST) as BuiltInTask[];
const inputOf = <K extends BuiltInTask>(task: K, text: string): BuiltInInputs[K] => [text, ...REST[task]] as unknown as BuiltInInputs[K];
/** Sentences with numbers, so that no two are the same, and with a fault at the end. */
const textOf = (sentences: number): string =>
  `${Array.from({ length: sentences }, (_, at) => `In ${1900 + at} the harbour office let berth ${at} of the northern quay. `).join('')}\n\nYear: 1987\nName: Ada Quartermaine\n\nThe the end.`;

describe('assistance without a model that writes', () => {
  let compute: Compute;
  let assist: BuiltInAssist;

  beforeEach(() => {
    compute = new Compute({ timeoutMs: 60_000, memoryMib: 512 });
    assist = new BuiltInAssist(compute);
  });
  afterEach(() => compute.onApplicationShutdown());

  it('works on a short text at once', async () => {
    expect(await assist.runTask('proofread', 'The the quay.')).toMatchObject({ text: 'The quay.' });
    expect(compute.processIds).toEqual([]);
  });

  it('works on a text that takes a moment in a process beside this one', async () => {
    const text = SENTENCE.repeat(100);
    expect((await assist.runTask('keywords', text, 3)).map((each) => each.text)).toContain('northern quay');
    expect(await assist.runTask('extract', text, { type: 'object', properties: { year: { type: 'integer' } } })).toHaveProperty('data');
    expect((await assist.runTask('summarize', text, 'short', 'prose')).sentences).not.toEqual([]);
    expect((await assist.runTask('proofread', `${text}the the`)).edits).not.toEqual([]);
    expect(compute.processIds).toHaveLength(1);
  }, 60_000);

  it.each([
    [10, 0],
    [100, 1],
  ])(
    'gives the same answers wherever it works: %i sentences in %i processes',
    async (sentences, processes) => {
      const text = textOf(sentences);
      for (const task of TASKS) {
        const direct = await performBuiltIn(task, inputOf(task, text));
        expect([task, await assist.runTask(task, ...inputOf(task, text))]).toEqual([task, direct]);
        expect([task, JSON.stringify(direct)]).not.toEqual([task, JSON.stringify(await performBuiltIn(task, inputOf(task, 'The end.')))]);
      }
      expect(compute.processIds).toHaveLength(processes);
    },
    60_000,
  );

  it('counts everything that it is given, such as a large schema', async () => {
    const allowed = Array.from({ length: 200 }, (_, n) => `keyword number ${n}`);
    await assist.runTask('keywords', SENTENCE, 5, allowed);
    expect(compute.processIds).toHaveLength(1);
  }, 60_000);
});
