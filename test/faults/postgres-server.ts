import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ofThisFile } from '@atrium/platform/testing';

/** A PostgreSQL server of one test file that may be crashed and started again on the same port. */
export class PostgresServer {
  private constructor(
    private readonly keeper: ChildProcess,
    private readonly lines: AsyncIterator<string>,
    readonly adminUrl: string,
  ) {}

  static async start(): Promise<PostgresServer> {
    const keeper = ofThisFile(spawn(process.execPath, [join(__dirname, 'crashable-postgres.mjs')], { stdio: ['pipe', 'pipe', 'inherit'] }));
    const lines = createInterface({ input: keeper.stdout })[Symbol.asyncIterator]();
    const first = await lines.next();
    if (first.done) throw new Error('PostgreSQL did not start.');
    return new PostgresServer(keeper, lines, first.value);
  }

  /** Ends it at once, as a crash would: connections break, nothing is flushed. */
  crash(): Promise<void> {
    return this.order('crash');
  }

  /** Starts it again; resolves when it takes connections. */
  restart(): Promise<void> {
    return this.order('start');
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.keeper.once('close', resolve));
    this.keeper.stdin?.end();
    await ended;
  }

  private async order(word: 'crash' | 'start'): Promise<void> {
    this.keeper.stdin?.write(`${word}\n`);
    const answer = await this.lines.next();
    if (answer.done) throw new Error(`PostgreSQL did not ${word}.`);
  }
}
