import { Worker } from 'node:worker_threads';

const LOOK_MS = 1_000;

/** Runs beside the event loop, which a task may keep. */
const WATCH = `
const { workerData: parent } = require('node:worker_threads');
setInterval(() => {
  if (process.ppid === parent) return;
  try {
    process.kill(-process.pid, 'SIGKILL');
  } catch {
    process.kill(process.pid, 'SIGKILL');
  }
}, ${LOOK_MS});
`;

/**
 * Ends this process, and the tools in its group, soon after the one that started it is gone: a process that was killed says nothing,
 * and a task in the middle of a long computation would not hear it.
 */
export function endWithParent(): void {
  new Worker(WATCH, {
    eval: true,
    workerData: process.ppid,
    resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 2 },
  }).unref();
}
