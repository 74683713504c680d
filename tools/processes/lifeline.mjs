// Children that never outlive their starter, however it ends.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

const PARENT_CHECK_MS = 250;

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

/**
 * A shell in a session of its own that outlives its starter. It reads from a pipe which programs and folders its starter has. When
 * the starter ends, even by kill -9, the pipe closes: the shell ends the programs, also stopped ones, and removes the folders.
 */
const REAPER = `
trap '' INT TERM HUP
programs=''; folders=''
without() { left=''; for each in $1; do [ "$each" = "$2" ] || left="$left $each"; done; printf '%s' "$left"; }
while read -r word what; do
  case "$word" in
    program) programs="$programs $what" ;;
    ended) programs=$(without "$programs" "$what") ;;
    folder) folders="$folders$what
" ;;
  esac
done
for each in $programs; do kill -s CONT "$each"; kill -s TERM "$each"; done 2>/dev/null
for second in 1 2 3 4 5 6 7 8 9 10; do
  living=''
  for each in $programs; do kill -0 "$each" 2>/dev/null && living="$living $each"; done
  [ -n "$living" ] || break
  sleep 1
done
for each in $programs; do kill -s KILL "$each"; done 2>/dev/null
printf '%s' "$folders" | while read -r each; do rm -rf -- "$each"; done
`;

let reaper;
function sendToReaper(line) {
  if (!reaper) {
    reaper = spawn('/bin/sh', ['-c', REAPER, 'atrium-reaper'], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
    reaper.stdin.on('error', () => undefined);
    reaper.unref();
    reaper.stdin.unref();
  }
  reaper.stdin.write(`${line}\n`);
}

/**
 * A program that was started with `spawn` ends with its starter, however that ends. No shell is between them: its process id and
 * its signals are its own, so that it can be measured and stopped. After ten seconds it is killed.
 */
export function endWithStarter(child) {
  if (child.pid === undefined) return child;
  sendToReaper(`program ${child.pid}`);
  child.once('exit', () => sendToReaper(`ended ${child.pid}`));
  return child;
}

/** A folder, in whose path there is no line break, is removed when its starter has ended. */
export function removeWithStarter(folder) {
  sendToReaper(`folder ${folder}`);
}

/** npm cannot pass on that it was killed: when it has ended, the script that it runs ends too. */
export function endWithNpm(script) {
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event !== script) return;
  setInterval(() => process.ppid === parent || process.kill(process.pid, 'SIGTERM'), PARENT_CHECK_MS).unref();
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
