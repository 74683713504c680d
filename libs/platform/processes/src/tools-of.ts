import { readdir, readFile } from 'node:fs/promises';

/** Beyond so many, what is known is enough. */
const MOST = 64;

/**
 * Ids of the programs that a process of Node has started, and of those that these have started; none where the system does not say.
 * Node starts programs in its first thread alone.
 */
export const toolsOf = async (pid: number): Promise<readonly number[]> => withStarted(await childrenOf(pid, pid));

/** The ids of programs with those of all that they have started, in any of their threads. */
export async function withStarted(programs: readonly number[]): Promise<readonly number[]> {
  const found = [...programs];
  for (let at = 0; at < found.length && found.length < MOST; at++) {
    const pid = found[at] ?? 0;
    for (const thread of await threadsOf(pid)) found.push(...(await childrenOf(pid, thread)));
  }
  return found.slice(0, MOST);
}

const threadsOf = async (pid: number): Promise<number[]> => (await readdir(`/proc/${pid}/task`).catch(() => [])).map(Number);

async function childrenOf(pid: number, thread: number): Promise<number[]> {
  const written = await readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => '');
  return written.split(' ').filter(Boolean).map(Number);
}
