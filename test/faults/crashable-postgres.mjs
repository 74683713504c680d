// A PostgreSQL server that a test may stop and start: says its address, then obeys `crash` and `start`, one a line.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { canReach, giveTo, serverAccount } from '../../tools/postgres/account.mjs';
import { bundledPostgres, runnableBinaries } from '../../tools/postgres/binaries.mjs';
import { createCluster, readLock, startCluster } from '../../tools/postgres/cluster.mjs';
import { shelterFor } from '../../tools/postgres/placement.mjs';
import { projectRoot } from '../../tools/project.mjs';

const account = serverAccount();
const binaries = runnableBinaries(bundledPostgres(), account, shelterFor(projectRoot));
const base = [tmpdir(), '/tmp', '/var/tmp'].find((folder) => canReach(account, folder));
if (!base) throw new Error('The server reaches no folder for temporary files.');
const home = mkdtempSync(join(base, 'atrium-faults-'));
giveTo(account, home);
const folder = join(home, 'data');
const password = randomBytes(12).toString('hex');
const say = (word) => process.stdout.write(`${word}\n`);

// Durable: what was acknowledged must be there after a crash.
let server;
const start = async (port) => (server = await startCluster({ binaries, account, folder, port, settings: { shared_buffers: '32MB' } }));

await createCluster({ binaries, account, folder, password });
const { port, url } = await start();
say(url('postgres', password, 'postgres'));

for await (const line of createInterface({ input: process.stdin })) {
  if (line === 'crash') {
    process.kill(readLock(folder).pid, 'SIGQUIT'); // an immediate shutdown: clients get no message, recovery follows
    await server.process.ended;
  }
  if (line === 'start') await start(port);
  say(line);
}
await server.stop();
rmSync(home, { recursive: true, force: true });
