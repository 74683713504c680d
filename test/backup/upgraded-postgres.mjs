// A cluster of the distribution's PostgreSQL that holds the dump given, taken to a new cluster by pg_upgrade: says the new one's address, ends with its standard input.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { asAccount, giveTo, serverAccount } from '../../tools/postgres/account.mjs';
import { distributionPostgres } from '../../tools/postgres/binaries.mjs';
import { THROWAWAY, createCluster, freePort, startCluster } from '../../tools/postgres/cluster.mjs';

const [major, dump] = process.argv.slice(2);
const binaries = distributionPostgres(Number(major));
const account = serverAccount();
const password = 'upgrade';
// Short, for it holds a socket.
const home = mkdtempSync('/tmp/atrium-up-');
giveTo(account, home);
const [from, to] = [join(home, 'old'), join(home, 'new')];

for (const folder of [from, to]) await createCluster({ binaries, account, folder, password });
const old = await startCluster({ binaries, account, folder: from, settings: THROWAWAY });
const admin = (database) => old.url('postgres', password, database);
run('psql', [
  '-d',
  admin('postgres'),
  ...['atrium_owner LOGIN CREATEROLE', 'atrium_app LOGIN', 'atrium_search', 'atrium_definer'].flatMap((role) => [
    '-c',
    `CREATE ROLE ${role}`,
  ]),
  '-c',
  'CREATE DATABASE atrium OWNER atrium_owner',
]);
run('psql', ['-q', '-v', 'ON_ERROR_STOP=1', '-d', admin('atrium'), '-f', dump]);
await old.stop();
run('pg_upgrade', [
  '-b',
  binaries.bin,
  '-B',
  binaries.bin,
  '-d',
  from,
  '-D',
  to,
  '-U',
  'postgres',
  '-p',
  String(await freePort()),
  '-P',
  String(await freePort()),
  '-s',
  home,
]);
const upgraded = await startCluster({ binaries, account, folder: to, settings: THROWAWAY });
process.stdout.write(`${upgraded.url('postgres', password, 'atrium')}\n`);
process.stdin.resume();
process.stdin.once('end', () => void upgraded.stop().then(() => rmSync(home, { recursive: true, force: true })));

function run(program, words) {
  const { status, stderr, stdout } = spawnSync(
    join(binaries.bin, program),
    words,
    asAccount(account, {
      cwd: home,
      encoding: 'utf8',
      maxBuffer: 1 << 26,
      env: { PATH: process.env.PATH, PGPASSWORD: password, LC_ALL: 'C' },
    }),
  );
  if (status !== 0) throw new Error(`${program}: ${stderr}${stdout}`);
}
