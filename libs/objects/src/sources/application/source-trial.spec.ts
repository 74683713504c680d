import type { FormRows, Forms, WorkspaceConventions } from '@atrium/forms';
import type { Principal } from '@atrium/platform/access';
import { inWorkspace, type Database } from '@atrium/platform/database';
import { newId, type JsonObject } from '@atrium/platform/kernel';
import type { SourceQuestion } from '../domain/source-port';
import type { SourceAdapters } from '../infrastructure/source-adapters';
import type { SourceChecks } from './source-checks';
import { SourceTrial } from './source-trial';

const CONFIG = { url: 'https://lamps.example.com/all.json' };

/** A trial whose sources answer when they are let. */
function slowTrial(checks: Partial<Record<keyof SourceChecks, () => Promise<unknown>>> = {}) {
  const asked: SourceQuestion[] = [];
  let answer = (): void => undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  const adapters = {
    getAdapter: () => ({
      readPages: async function* (question: SourceQuestion) {
        asked.push(question);
        await answered;
        yield { cursor: {}, rows: [], next: null, total: null };
      },
    }),
  };
  const trial = new SourceTrial(
    { read: (work: () => Promise<unknown>) => work() } as unknown as Database,
    { openForm: () => Promise.resolve({ compiled: {} }) } as unknown as FormRows,
    { openCells: () => ({}) } as unknown as Forms,
    {
      checkAddress: () => Promise.resolve(),
      readMapping: () => Promise.resolve({ fieldsOf: () => [] }),
      ...checks,
    } as unknown as SourceChecks,
    adapters as unknown as SourceAdapters,
    { readHabits: () => Promise.resolve({}) } as unknown as WorkspaceConventions,
  );
  const run = (workspace: string, osr_config: JsonObject = CONFIG) =>
    inWorkspace(workspace, () => trial.runTrial({} as Principal, { osr_kind: 'http_json', osr_form: 'lamp', osr_config, osr_mapping: {} }));
  return { run, asked, answer };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('trials of sources', () => {
  it('of one workspace never keep others from theirs, however slow its sources are', async () => {
    const { run, asked, answer } = slowTrial();
    const [ours, theirs] = [newId(), newId()];
    const many = Array.from({ length: 12 }, () => run(ours));
    await turn();
    const held = asked.length;
    expect(held).toBeGreaterThan(0);
    expect(held).toBeLessThan(12);
    const other = run(theirs);
    await turn();
    expect(asked).toHaveLength(held + 1);
    answer();
    await Promise.all([...many, other]);
    expect(asked).toHaveLength(13);
  });

  it('with wrong settings or a wrong mapping are refused without waiting for the name server of the address', async () => {
    const address = jest.fn(() => new Promise(() => undefined));
    const { run } = slowTrial({ checkAddress: address, readMapping: () => Promise.reject(new Error('no such field')) });
    await expect(run(newId(), { ...CONFIG, method: 'PUT' })).rejects.toMatchObject({ code: 'validation_failed' });
    await expect(run(newId())).rejects.toThrow('no such field');
    expect(address).not.toHaveBeenCalled();
  });

  it('read the beginning of what a source answers', async () => {
    const { run, asked, answer } = slowTrial();
    answer();
    await run(newId());
    expect(asked[0]?.mostBytes).toBeLessThanOrEqual(2 * 1024 * 1024);
  });
});
