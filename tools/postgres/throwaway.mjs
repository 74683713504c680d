// A server for one test run, gone afterwards.
import { existsSync, mkdtempSync, statfsSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canReach, giveTo, serverAccount } from './account.mjs';
import { bundledPostgres, runnableBinaries } from './binaries.mjs';
import { THROWAWAY, createCluster, startCluster } from './cluster.mjs';
import { shelterFor } from './placement.mjs';
import { projectRoot } from '../project.mjs';

/**
 * Memory as a file system, where the system has one. A database is a thousand files and a run makes hundreds of them: here
 * in two thirds of the time, and in a fifth where others have just deleted as many.
 */
const IN_MEMORY = '/dev/shm';
/** What all databases of a whole run may come to, and what is to remain for the programs. */
const ROOM_FOR_DATA = 8 * 2 ** 30;
const ROOM_FOR_PROGRAMS = 8 * 2 ** 30;

/** Starts an empty server with `binaries` (the bundled ones by default) and further settings, its data in memory if that may be and there is room: `{ adminUrl, stop }`. */
export async function startThrowaway({ binaries = bundledPostgres(), inMemory = false, settings = {} } = {}) {
  const account = serverAccount();
  const runnable = runnableBinaries(binaries, account, shelterFor(projectRoot));
  const home = openFolder(account, inMemory && hasRoomInMemory() ? [IN_MEMORY] : []);
  const folder = join(home, 'data');
  const password = randomBytes(12).toString('hex');
  await createCluster({ binaries: runnable, account, folder, password, checksums: !inMemory, proof: false });
  const server = await startCluster({
    binaries: runnable,
    account,
    folder,
    settings: { ...THROWAWAY, ...settings },
    removeAfterwards: home,
  });
  return { adminUrl: server.url('postgres', password, 'postgres'), stop: server.stop };
}

/** A new folder that the account reaches: the folder for temporary files may be in a closed home. */
function openFolder(account, preferred) {
  for (const base of new Set([...preferred, tmpdir(), '/tmp', '/var/tmp'])) {
    if (!canReach(account, base)) continue;
    const folder = mkdtempSync(join(base, 'atrium-test-'));
    giveTo(account, folder);
    return folder;
  }
  throw new Error(`The user ${account.name} cannot access a folder for temporary files.`);
}

function hasRoomInMemory() {
  if (!existsSync(IN_MEMORY)) return false;
  const { bavail, bsize } = statfsSync(IN_MEMORY);
  return bavail * bsize >= ROOM_FOR_DATA && process.availableMemory() >= ROOM_FOR_DATA + ROOM_FOR_PROGRAMS;
}
