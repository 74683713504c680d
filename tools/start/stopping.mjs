// How a start ends: hosts first, then the database, then the lock.
import { say } from '../console/steps.mjs';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const DRAIN_MS = 30_000;
const PARENT_CHECK_MS = 250;

/**
 * Holds what must be stopped. The first signal stops everything in order, letting requests and jobs finish; the second
 * kills the hosts. `signal` is aborted at the first one, so that steps under way give up.
 */
export function stopOnSignals(lock) {
  const kept = new Map();
  const abort = new AbortController();
  let ending;
  let finished = () => undefined;
  const untilStopped = new Promise((resolve) => (finished = resolve));

  const stop = (code) => (ending ??= end(code));
  async function end(code) {
    lock.note({ stopping: true });
    abort.abort(new Error('Stopped.'));
    clearInterval(parentWatch);
    await Promise.all(['api', 'worker'].map((name) => kept.get(name)?.stop(DRAIN_MS)));
    await kept.get('postgres')?.stop(DRAIN_MS);
    lock.release();
    if (code === 0) say('Stopped.');
    process.exitCode = code;
    for (const name of SIGNALS) process.removeAllListeners(name);
    finished();
    // A handle that something forgot must not keep a stopped start alive.
    setTimeout(() => process.exit(), 500).unref();
  }
  const onSignal = () => {
    if (ending) {
      for (const name of ['api', 'worker']) kept.get(name)?.kill();
      return;
    }
    say('\nStopping (press again to force) …');
    void stop(0);
  };
  for (const name of SIGNALS) process.on(name, onSignal);
  const parentWatch = watchParent(lock, onSignal);

  return {
    signal: abort.signal,
    untilStopped,
    stop,
    keep(name, child) {
      kept.set(name, child);
      if (ending) void child.stop(DRAIN_MS);
    },
    kept: (name) => kept.get(name),
  };
}

/** npm passes SIGTERM on but cannot pass on being killed: when it has ended, we end too. */
function watchParent(lock, gone) {
  const parent = process.ppid;
  const underNpm = process.env.npm_lifecycle_event === 'start';
  lock.note({ parent, under_npm: underNpm });
  if (!underNpm) return undefined;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    gone();
  }, PARENT_CHECK_MS);
  timer.unref();
  return timer;
}
