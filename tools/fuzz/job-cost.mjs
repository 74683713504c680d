// npm run fuzz -- --cost --jobs: how long jobs hold the event loop of their worker with files of the strangest kinds.
import { setTimeout as pause } from 'node:timers/promises';
import { say, sinceStart } from '../console/steps.mjs';
import { boundsOf, isWithin, JOB_BOUNDS, verdictOf } from './cost-verdict.mjs';
import { EXCEPTIONS } from './cost-exceptions.mjs';
import { patient } from './costly-jobs.mjs';
import { kindsOf } from './job-kinds.mjs';

const AT_ONCE = 4;
const QUIET_LOOKS = 3;
const LOOK_MS = 150;
/** What follows from a job has ended within this. */
const PATIENCE_MS = 15 * 60_000;
const MOST_SHOWN = 60;
const MOST_LONGEST = 10;
/** Of a job that was over, the least of so many counts. */
const AGAIN = { warming: 0, repeats: 5 };
const MIB = 1024 * 1024;
/** A job that ended so has read what it was given, as far as it goes. */
const WELL = ['completed', 'done', 'partial', 'ready'];

/** One run over the cases of `CostlyJobs`, with the meter of the worker and the address of its metrics. */
export class JobCostRun {
  #failures = [];
  #seen = [];
  /** Of each job, how often it ended in which way. */
  #outcomes = new Map();
  #names = new Set();

  constructor({ meter, metricsUrl, write = say }) {
    Object.assign(this, { meter, metricsUrl, write });
  }

  /** Many at once, and each alone where they were over together. */
  async judge(name, cases) {
    const taken = await this.#measured(cases, 0);
    this.#seen.push({ name, ...taken });
    this.write(`  ${name}: ${shown(taken)}, after ${sinceStart()}`);
    if (taken.lost === undefined && cases.every((each) => isWithin(taken, bounds(each)))) return;
    for (const each of cases) await this.#judgeOne(each);
  }

  /** One after the other: each by itself. All of them have run before, so that code is compiled and loaded. */
  async judgeEach(cases) {
    await this.#measured(cases, 0);
    for (const each of cases) await this.#judgeOne(each);
  }

  async #judgeOne(each) {
    // An attempt that was lost has measured nothing; another one may.
    let lost;
    const verdict = await verdictOf(
      async (attempt) => {
        const taken = await this.#measured([each], attempt + 1);
        if (attempt === 0) this.#seen.push({ name: each.name, ...taken });
        if (taken.lost === undefined) return taken;
        lost = taken.lost;
        this.write(`  ${each.name} was lost: ${lost}`);
        return { ...taken, turn_ms: Infinity };
      },
      bounds(each),
      AGAIN,
    );
    if (!verdict.isOver) return;
    this.#failures.push(each.name);
    if (this.#failures.length > MOST_SHOWN) return;
    const isMeasured = verdict.least.turn_ms < Infinity;
    this.write(`\n✗ ${each.name}: ${isMeasured ? shown(verdict.least) : lost}`);
    if (isMeasured) this.write(`  ${(await this.#heldBy(each)).join('\n  ')}`);
  }

  async #heldBy(each) {
    await this.#measured([each], AGAIN.repeats + 2, () => this.meter.sample());
    return (await this.meter.held()).by;
  }

  /** The longest turn while they ran and until nothing is left to do, and how much more memory was in use than before. */
  async #measured(cases, attempt, begun = () => undefined) {
    const before = await this.meter.collected();
    await begun();
    await this.meter.turns();
    const waiting = [...cases];
    let lost;
    const lane = async () => {
      for (let each = waiting.shift(); each; each = waiting.shift()) {
        try {
          this.#count(each, await each.run(attempt));
        } catch (error) {
          lost ??= `${each.name}: ${error.message}`;
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
    await this.#untilQuiet();
    const { turn_ms, peak } = await this.meter.turns();
    return { turn_ms, memory: Math.max(0, peak - before.memory), lost };
  }

  #count({ name, operation }, outcome = 'done') {
    this.#names.add(name);
    const outcomes = this.#outcomes.get(operation) ?? new Map();
    this.#outcomes.set(operation, outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1));
  }

  /** A job that never came to a good end has not been measured, nor has a kind of job that never ran. */
  async demandAll() {
    for (const [operation, outcomes] of this.#outcomes)
      if (!WELL.some((outcome) => outcomes.has(outcome))) this.#fail(`${operation}: none of them came to a good end`);
    const metrics = await this.#metrics();
    for (const kind of kindsOf([...this.#names]))
      if (!new RegExp(`^atrium_job_seconds_count\\{job="${kind}",outcome="done"\\} [1-9]`, 'm').test(metrics))
        this.#fail(`${kind}: the worker has run none`);
  }

  #fail(what) {
    this.#failures.push(what);
    this.write(`\n✗ ${what}`);
  }

  /** Nothing runs and nothing waits. */
  async #untilQuiet() {
    let quiet = 0;
    for (const began = Date.now(); quiet < QUIET_LOOKS; await pause(LOOK_MS)) {
      quiet = (await this.#open()) === 0 ? quiet + 1 : 0;
      if (Date.now() - began > PATIENCE_MS) throw new Error(`Jobs have not ended after ${PATIENCE_MS / 60_000} minutes.`);
    }
  }

  async #open() {
    return [...(await this.#metrics()).matchAll(/^atrium_jobs_(?:running|waiting)\{[^}]*\} (\d+)/gm)].reduce(
      (sum, [, count]) => sum + Number(count),
      0,
    );
  }

  #metrics() {
    return patient(async () => (await fetch(this.metricsUrl)).text(), { orLost: true });
  }

  close() {
    this.meter.close();
  }

  report() {
    const ofJob = ([job, outcomes]) => `${job} ${[...outcomes].map(([outcome, count]) => `${outcome} ${count}`).join(', ')}`;
    this.write(`\nJobs by what became of them: ${[...this.#outcomes].map(ofJob).join('; ')}`);
    const longest = this.#seen.sort((a, b) => b.turn_ms - a.turn_ms).slice(0, MOST_LONGEST);
    this.write(`The longest turns:\n${longest.map((each) => `  ${shown(each)} · ${each.name}`).join('\n')}`);
    this.write(
      `${this.#failures.length === 0 ? 'No job was over its bound' : `${this.#failures.length} jobs were over`}, in ${sinceStart()}.`,
    );
    if (this.#failures.length > 0) process.exitCode = 1;
  }
}

const bounds = (each) => boundsOf(each, EXCEPTIONS, JOB_BOUNDS);

const shown = ({ turn_ms, memory }) => `${turn_ms.toFixed(0)} ms, ${(memory / MIB).toFixed(0)} MB`;
