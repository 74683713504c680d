import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { JobRegistry } from '@atrium/platform/messaging';
import type { RunningApi } from '@atrium/platform/testing';
import { startAtriumWithWorker } from '../support/api';

const KINDS = join(__dirname, '../../tools/fuzz/job-kinds.mjs');
const JOBS = join(__dirname, '../../tools/fuzz/costly-jobs.mjs');

let api: RunningApi;
beforeAll(async () => {
  api = await startAtriumWithWorker();
}, 120_000);
afterAll(() => api.close());

/** What `npm run fuzz -- --cost --jobs` knows of kinds of jobs, and the names of its cases. */
async function judging(): Promise<{ judged: Record<string, string[]>; others: Record<string, string>; cases: string[]; brief: string[] }> {
  const script = `
    import { JUDGED, NOT_JUDGED } from ${JSON.stringify(KINDS)};
    import { CostlyJobs } from ${JSON.stringify(JOBS)};
    const jobs = new CostlyJobs({});
    const names = (cases) => cases.map(({ name }) => name);
    console.log(JSON.stringify({ judged: JUDGED, others: NOT_JUDGED, cases: names(jobs.cases()), brief: names(jobs.brief()) }));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { maxBuffer: 16 * 1024 * 1024 });
  return JSON.parse(stdout) as Awaited<ReturnType<typeof judging>>;
}

describe('how long jobs hold their worker', () => {
  it('is measured of every kind of job, or the list of kinds says why it is not', async () => {
    const { judged, others } = await judging();
    const placed = [...Object.keys(judged), ...Object.keys(others)];
    const kinds = api.worker.get(JobRegistry, { strict: false }).names;
    expect(placed.sort()).toEqual([...kinds].sort());
    expect(Object.values(others).filter((why) => why.length < 20)).toEqual([]);
  });

  it('is measured by cases that there are, one of each kind in CI', async () => {
    const { judged, cases, brief } = await judging();
    const without = (names: readonly string[]): string[] =>
      Object.keys(judged).filter((kind) => !judged[kind]?.some((beginning) => names.some((name) => name.startsWith(`${beginning} · `))));
    expect(without(cases)).toEqual([]);
    expect(without(brief)).toEqual([]);
  });
});
