// Processor time of processes, which other programs on the machine hardly change. Only Linux reports it; elsewhere it is NaN.
import { readdirSync, readFileSync } from 'node:fs';

const TICK_MS = 10;

/** Milliseconds that a process has had of the processor. */
export const processMs = (pid) => (statOf(pid)?.own ?? NaN) * TICK_MS;

/** Milliseconds that a PostgreSQL has had, with all its processes, those that have ended too. */
export function databaseMs(postmaster) {
  const root = statOf(postmaster);
  if (!root) return NaN;
  const backends = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(statOf)
    .filter((stat) => stat?.parent === postmaster);
  return backends.reduce((sum, { own }) => sum + own, root.own + root.ended) * TICK_MS;
}

/** The process may end while it is looked at. */
function statOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of a program may hold anything, brackets too.
    const [, parent, ...rest] = text
      .slice(text.lastIndexOf(') ') + 2)
      .split(' ')
      .map(Number);
    const [user, system, endedUser, endedSystem] = rest.slice(9);
    return { parent, own: user + system, ended: endedUser + endedSystem };
  } catch {
    return undefined;
  }
}
