// One start at a time in a data folder, and nothing left over from one that was killed.
import { spawnSync } from 'node:child_process';
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { projectRoot } from '../project.mjs';
import { writePrivate } from './secrets.mjs';

const LEAVING_DEADLINE_MS = 15_000;
const KILL_AFTER_MS = 10_000;

export class AlreadyRunning extends Error {}

/**
 * DATA_DIR/run.json names this start and the process groups of its children. Throws `AlreadyRunning` when another
 * start works here; a start that was killed is cleaned up after.
 */
export async function takeRunLock(dataDir) {
  const file = join(dataDir, 'run.json');
  const state = { pid: process.pid, groups: [] };
  const deadline = Date.now() + LEAVING_DEADLINE_MS;
  while (!claim(file, state)) {
    const holder = readState(file);
    if (!holder || !isStart(holder.pid)) {
      await endLeftovers(holder?.groups ?? []);
      rmSync(file, { force: true });
    } else if (!isLeaving(holder) || Date.now() > deadline) {
      throw new AlreadyRunning(
        `Atrium is already running with this data folder (process ${holder.pid}${holder.base_url ? `, ${holder.base_url}` : ''}).`,
      );
    } else {
      await pause(100);
    }
  }
  return {
    /** Adds what is known of this start: a child's process group, the database's port, the address. */
    note(changes) {
      const { group, ...rest } = changes;
      if (group) state.groups.push(group);
      Object.assign(state, rest);
      writePrivate(file, state);
    },
    release: () => rmSync(file, { force: true }),
  };
}

/** Appears whole or not at all: another start never reads half a file. */
function claim(file, state) {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(state)}\n`, { mode: 0o600 });
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** The running start of this data folder, or null. */
export function runningStart(dataDir) {
  const state = readState(join(dataDir, 'run.json'));
  return state && isStart(state.pid) ? state : null;
}

function readState(file) {
  if (!existsSync(file)) return null;
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

/** A process id is reused sooner or later; only one that runs our script counts. */
const isStart = (pid) => pid !== process.pid && /tools\/(?:start|cli)\.mjs/.test(commandOf(pid));

/** A start whose npm has ended stops by itself shortly. */
const isLeaving = (holder) => holder.stopping === true || (holder.under_npm === true && parentOf(holder.pid) !== holder.parent);

const commandOf = (pid) => spawnSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).stdout?.trim() ?? '';
const parentOf = (pid) => Number(spawnSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' }).stdout?.trim() || 0);

/** Children stop by themselves when their starter ends; those that do not in time are killed. */
async function endLeftovers(groups) {
  const deadline = Date.now() + KILL_AFTER_MS;
  for (let left = ours(groups); left.length > 0; left = ours(groups)) {
    if (Date.now() > deadline) for (const pid of left) signal(pid, 'SIGKILL');
    else for (const pid of left) signal(pid, 'SIGTERM');
    await pause(100);
  }
}

/** Processes of the recorded groups that run our hosts; PostgreSQL is looked after through its own lock. */
function ours(groups) {
  const list = spawnSync('ps', ['-A', '-o', 'pid=,pgid=,stat=,args='], { encoding: 'utf8' }).stdout ?? '';
  return list.split('\n').flatMap((line) => {
    const [, pid, group, state, command] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s(.*)$/.exec(line) ?? [];
    const ends = !pid || state.startsWith('Z') || !groups.includes(Number(group)) || !command.includes(join(projectRoot, 'dist', 'apps'));
    return ends ? [] : [Number(pid)];
  });
}

function signal(pid, name) {
  try {
    process.kill(pid, name);
  } catch {
    // gone already
  }
}
