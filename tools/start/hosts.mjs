// API and worker as children that are started again when they crash.
import { openSync, closeSync, existsSync, readFileSync, renameSync, statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { say } from '../console/steps.mjs';
import { spawnKept } from '../processes/lifeline.mjs';
import { projectRoot } from '../project.mjs';
import { HOST_FLAGS, hostProgram } from './operator.mjs';

const LOG_LIMIT_BYTES = 50 * 1024 * 1024;
const LAST_LINES = 15;
const CALM_MS = 60_000;
const LONGEST_BACKOFF_MS = 30_000;
const READY_DEADLINE_MS = 60_000;

/** A log that grew large becomes `<name>.1` at the next start. */
export function rotateLog(file) {
  if (existsSync(file) && statSync(file).size > LOG_LIMIT_BYTES) renameSync(file, `${file}.1`);
}

/**
 * Keeps a program running: `launch()` starts it, `name` is how it is called aloud. A crash is said with its code and
 * the program started again after 1, 2, 4 … 30 s; a minute of calm resets the pause.
 */
export function supervise(name, launch, { onStart = () => undefined } = {}) {
  let stopping = false;
  let wake = () => undefined;
  let current = launch();
  let failures = 0;
  onStart(current);
  const loop = (async () => {
    while (!stopping) {
      const from = Date.now();
      const { code, signal } = await current.ended;
      if (stopping) return;
      failures = Date.now() - from > CALM_MS ? 1 : failures + 1;
      const backoff = Math.min(1000 * 2 ** (failures - 1), LONGEST_BACKOFF_MS);
      say(`  ! ${name} ended (${signal ?? `code ${code}`}); starting it again in ${backoff / 1000} s`);
      await Promise.race([pause(backoff, undefined, { ref: false }), new Promise((resolve) => (wake = resolve))]);
      if (stopping) return;
      try {
        current = await launch();
        onStart(current);
        say(`  ✓ ${name} runs again`);
      } catch (error) {
        say(`  ! ${name}: ${error.message}`);
      }
    }
  })();
  return {
    get running() {
      return current.running;
    },
    async stop(graceMs) {
      stopping = true;
      wake();
      await current.stop(graceMs);
      await loop;
    },
    kill() {
      stopping = true;
      current.kill();
    },
  };
}

/** Starts a host (`api`, `worker`); its log goes to a file, because a pipe would break with the starter. */
export function launchHost(name, { env, logFile }) {
  const log = openSync(logFile, 'a', 0o600);
  try {
    return spawnKept(process.execPath, [...HOST_FLAGS, hostProgram(name)], {
      cwd: projectRoot,
      env: { MALLOC_ARENA_MAX: '2', ...env },
      stdio: [log, log],
    });
  } finally {
    closeSync(log);
  }
}

/** Resolves when the API answers `GET /health/ready` with 200; rejects with its last words when it ends instead. */
export async function untilReady(origin, host, logFile, signal) {
  const deadline = Date.now() + READY_DEADLINE_MS;
  while (host.running && Date.now() < deadline) {
    signal.throwIfAborted();
    const status = await fetch(`${origin}/health/ready`, { signal: AbortSignal.timeout(2_000) }).then(
      async (response) => (await response.arrayBuffer(), response.status),
      () => 0,
    );
    if (status === 200) return;
    await pause(50);
  }
  throw new Error(
    `${host.running ? `The API was not ready after ${READY_DEADLINE_MS / 1000} s` : 'The API ended while it started'}. ${lastWords(logFile)}`,
  );
}

export const lastWords = (logFile) =>
  `The end of ${logFile}:\n${existsSync(logFile) ? readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-LAST_LINES).join('\n') : ''}`;
