import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const VERSION = '15';
const BIN = `/usr/lib/postgresql/${VERSION}/bin`;
const run = promisify(execFile);

/** A server of the distribution's PostgreSQL 15 with its own client programs: what an operator dumps and restores with. */
export class DistributionPostgres {
  private constructor(
    private readonly keeper: ChildProcess,
    readonly adminUrl: string,
  ) {}

  /** Whether the package is installed (postgresql-15). */
  static isInstalled(): boolean {
    return ['initdb', 'postgres', 'pg_dump', 'pg_restore', 'psql', 'pg_upgrade'].every((program) => existsSync(join(BIN, program)));
  }

  static start(): Promise<DistributionPostgres> {
    return this.keep('distribution-postgres.mjs');
  }

  /** A server that pg_upgrade brought the dump to; its address is that of the database. */
  static startUpgraded(dump: string): Promise<DistributionPostgres> {
    return this.keep('upgraded-postgres.mjs', dump);
  }

  private static async keep(script: string, ...words: readonly string[]): Promise<DistributionPostgres> {
    const keeper = spawn(process.execPath, [join(__dirname, script), VERSION, ...words], { stdio: ['pipe', 'pipe', 'inherit'] });
    const first = await createInterface({ input: keeper.stdout })[Symbol.asyncIterator]().next();
    if (first.done) throw new Error('PostgreSQL did not start.');
    return new DistributionPostgres(keeper, first.value);
  }

  /** Runs one of its programs; fails with what it complained of, and also when it complained and went on. */
  async run(program: string, words: readonly string[]): Promise<void> {
    const { stderr } = await run(join(BIN, program), [...words], { maxBuffer: 1 << 26 });
    if (/\berror\b/i.test(stderr)) throw new Error(stderr);
  }

  /** Runs lines of a shell in the repository with its programs at hand, on top of the environment of the test. */
  shell(text: string, env: Readonly<Record<string, string>>): Promise<{ readonly code: number | null; readonly out: string }> {
    return new Promise((resolve) => {
      const options = {
        cwd: join(__dirname, '../..'),
        env: { ...process.env, ...env, PATH: `${BIN}:${process.env.PATH}` },
        maxBuffer: 1 << 26,
      };
      const child = execFile('/bin/sh', ['-e', '-c', text], options, (_error, stdout, stderr) =>
        resolve({ code: child.exitCode, out: stdout + stderr }),
      );
    });
  }

  async stop(): Promise<void> {
    const ended = once(this.keeper, 'close');
    this.keeper.stdin?.end();
    await ended;
  }
}
