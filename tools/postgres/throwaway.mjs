// A server for one test run, gone afterwards.
import { mkdtempSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canReach, giveTo, serverAccount } from './account.mjs';
import { bundledPostgres, runnableBinaries } from './binaries.mjs';
import { THROWAWAY, createCluster, startCluster } from './cluster.mjs';
import { shelterFor } from './placement.mjs';
import { projectRoot } from '../project.mjs';

/** Starts an empty server with `binaries` (the bundled ones by default): `{ adminUrl, stop }`. */
export async function startThrowaway(binaries = bundledPostgres()) {
  const account = serverAccount();
  const runnable = runnableBinaries(binaries, account, shelterFor(projectRoot));
  const home = openFolder(account);
  const folder = join(home, 'data');
  const password = randomBytes(12).toString('hex');
  await createCluster({ binaries: runnable, account, folder, password });
  const server = await startCluster({ binaries: runnable, account, folder, settings: THROWAWAY, removeAfterwards: home });
  return { adminUrl: server.url('postgres', password, 'postgres'), stop: server.stop };
}

/** A new folder that the account reaches: the folder for temporary files may lie in a closed home. */
function openFolder(account) {
  for (const base of new Set([tmpdir(), '/tmp', '/var/tmp'])) {
    if (!canReach(account, base)) continue;
    const folder = mkdtempSync(join(base, 'atrium-test-'));
    giveTo(account, folder);
    return folder;
  }
  throw new Error(`The user ${account.name} reaches no folder for temporary files.`);
}
