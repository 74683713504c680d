// Children that never outlive their starter, however it ends.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * A few lines of shell stand between starter and program. They hold the reading end of a pipe whose writing end only
 * the starter has: when the starter ends, even by kill -9, the pipe closes and the program is stopped.
 */
const KEEPER = `
signal=$1; shift
exec 3<&0
"$@" </dev/null 3<&- & program=$!
( read -r line <&3; kill -s "$signal" "$program" ) >/dev/null 2>&1 & watch=$!
trap ':' INT TERM HUP
exec 3<&-
while :; do
  wait "$program"; code=$?
  kill -0 "$program" 2>/dev/null || break
done
kill "$watch" 2>/dev/null
[ -z "$ATRIUM_REMOVE" ] || rm -rf -- "$ATRIUM_REMOVE"
exit "$code"
`;

/**
 * Starts a program in a session of its own (Ctrl-C in the terminal reaches the starter alone, which stops things in
 * order). `stop()` sends the signal and resolves when the program has ended; after `graceMs` it is killed. The folder
 * `removeAfterwards` goes with the program.
 */
export function spawnKept(
  program,
  args,
  { signal = 'TERM', stdio = ['inherit', 'inherit'], removeAfterwards = '', env = process.env, ...options } = {},
) {
  const keeper = spawn('/bin/sh', ['-c', KEEPER, 'atrium-keeper', signal, program, ...args], {
    ...options,
    env: { ...env, ATRIUM_REMOVE: removeAfterwards },
    detached: true,
    stdio: ['pipe', ...stdio],
  });
  keeper.stdin.on('error', () => undefined);
  const ended = new Promise((resolve) => {
    keeper.once('error', (error) => resolve({ code: null, signal: null, error }));
    keeper.once('exit', (code, signalName) => resolve({ code, signal: signalName, error: null }));
  });
  let running = true;
  void ended.then(() => (running = false));
  return {
    pid: keeper.pid,
    ended,
    get running() {
      return running;
    },
    output: keeper.stdout,
    errors: keeper.stderr,
    async stop(graceMs = 30_000) {
      keeper.stdin.end();
      const timer = setTimeout(() => killGroup(keeper.pid), graceMs);
      const result = await ended;
      clearTimeout(timer);
      return result;
    },
    kill: () => killGroup(keeper.pid),
  };
}

function killGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // gone already
  }
}

/** The escape sequences by which some programs color their output even without a terminal. */
const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');

/** Runs a program to its end; rejects with what it printed when it fails. */
export async function run(program, args, { allowFailure = false, ...options } = {}) {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  let output = '';
  child.stdout?.on('data', (chunk) => (output += chunk));
  child.stderr?.on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'close');
  if (code !== 0 && !allowFailure)
    throw new Error(`${[program, ...args].join(' ')} ended with code ${code}.\n${output.replace(COLOURS, '').trim()}`);
  return { code, output };
}
