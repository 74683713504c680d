// Where the programs of a bench run: the load on a core of its own, the servers on another, where there are two.
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { endWithStarter } from '../processes/lifeline.mjs';

export const isInstalled = (program, flag = '--version') => spawnSync(program, [flag], { stdio: 'ignore' }).error === undefined;

/** `{ server, load }`, or nothing where there is one core, or no taskset. */
export const CORES = coresOf(process.platform === 'linux' && isInstalled('taskset') ? allowed() : []);

function coresOf(cores) {
  return cores.length < 2 ? {} : { server: cores[0], load: cores.at(-1) };
}

/** The cores that this process may use, as `0-2,5` says it. */
function allowed() {
  const [, ranges] = /Cpus_allowed_list:\s*(\S+)/.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return (ranges ?? '').split(',').flatMap((range) => {
    const [first, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, at) => first + at);
  });
}

/** `spawn`, on a core where one is named. The program ends with the bench, even if that is killed. */
export const spawnOn = (core, program, args, options) =>
  endWithStarter(core === undefined ? spawn(program, args, options) : spawn('taskset', ['-c', String(core), program, ...args], options));
