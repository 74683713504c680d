import { Compute } from '@atrium/platform/compute';
import { BuiltInAssist } from './built-in-assist';

const SENTENCE = 'The harbour office lets each berth of the northern quay for one year. ';

describe('assistance without a model that writes', () => {
  let compute: Compute;
  let assist: BuiltInAssist;

  beforeEach(() => {
    compute = new Compute({ timeoutMs: 60_000, memoryMib: 512 });
    assist = new BuiltInAssist(compute);
  });
  afterEach(() => compute.onApplicationShutdown());

  it('works on a short text at once', async () => {
    expect(await assist.do('proofread', 'The the quay.')).toMatchObject({ text: 'The quay.' });
    expect(compute.processIds).toEqual([]);
  });

  it('works on a text that takes a moment in a process beside this one, with the same answers', async () => {
    const text = SENTENCE.repeat(100);
    expect(await assist.do('title', text, 60)).toEqual(await assist.do('title', SENTENCE, 60));
    expect((await assist.do('keywords', text, 3)).map((each) => each.text)).toContain('northern quay');
    expect(await assist.do('extract', text, { type: 'object', properties: { year: { type: 'integer' } } })).toHaveProperty('data');
    expect((await assist.do('summarize', text, 'short', 'prose')).sentences).not.toEqual([]);
    expect((await assist.do('proofread', `${text}the the`)).edits).not.toEqual([]);
    expect(compute.processIds).toHaveLength(1);
  }, 60_000);

  it('counts everything that it is given, such as a large schema', async () => {
    const allowed = Array.from({ length: 200 }, (_, n) => `keyword number ${n}`);
    await assist.do('keywords', SENTENCE, 5, allowed);
    expect(compute.processIds).toHaveLength(1);
  }, 60_000);
});
