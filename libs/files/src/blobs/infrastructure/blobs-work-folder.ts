import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAY } from '@atrium/platform/kernel';

const PREFIX = 'atrium-ingest-';

/** Gives the work a folder of its own and removes it afterwards, whatever happens. */
export async function inWorkFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), PREFIX));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Removes the folders that killed workers left behind a day ago or earlier. */
export async function removeStaleWorkFolders(now: Date): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(PREFIX)) continue;
    const folder = join(tmpdir(), name);
    const found = await stat(folder).catch(() => null);
    if (found && found.mtimeMs < now.getTime() - DAY) await rm(folder, { recursive: true, force: true });
  }
}
