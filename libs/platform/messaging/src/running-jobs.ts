import { SECOND } from '@atrium/platform/kernel';
import type { JobEnvelope } from './job-envelope';

/** How long an interrupted handler has to stop; then it is left behind. */
const GRACE_MS = 2 * SECOND;

type Work = Pick<JobEnvelope, 'tenant_id' | 'key'>;

/** A run that may be interrupted. */
export interface RunningJob {
  /** Aborted when it is interrupted. */
  readonly interrupted: AbortSignal;
  /** Aborted when it has had the time to stop. */
  readonly left: AbortSignal;
  end(): void;
}

/** The runs of this process, by the work they do, so that work that is no longer wanted gives its slot back. */
export class RunningJobs {
  private readonly byWork = new Map<string, Set<() => void>>();

  beginRun(work: Work): RunningJob {
    const [interrupted, left] = [new AbortController(), new AbortController()];
    let grace: NodeJS.Timeout | undefined;
    const interrupt = (): void => {
      interrupted.abort(new Error('The work was cancelled.'));
      grace ??= setTimeout(() => left.abort(), GRACE_MS).unref();
    };
    const name = nameOf(work);
    const runs = this.byWork.get(name) ?? new Set();
    this.byWork.set(name, runs.add(interrupt));
    return {
      interrupted: interrupted.signal,
      left: left.signal,
      end: () => {
        clearTimeout(grace);
        runs.delete(interrupt);
        if (runs.size === 0) this.byWork.delete(name);
      },
    };
  }

  interruptRuns(work: Work): void {
    for (const interrupt of this.byWork.get(nameOf(work)) ?? []) interrupt();
  }
}

const nameOf = ({ tenant_id, key }: Work): string => `${tenant_id} ${key}`;
