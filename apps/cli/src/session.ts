import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { runInScope, type Actor } from '@atrium/platform/database';
import { newId, Problem } from '@atrium/platform/kernel';
import { CommanderError } from 'commander';
import { CliModule } from './cli.module';

/** Exit codes of every command. */
const EXIT = { failed: 1, usage: 2, notFound: 3, conflict: 4 } as const;

/** Who acts, in audit trails. */
const COMMAND_LINE: Actor = { kind: 'operator', user_id: null, key_id: null, name: 'operator:cli' };

/** The command was called incorrectly; reported without a stack. */
export class UsageError extends Error {}

/** Where a command reads and writes; a process is one. */
export interface Streams {
  readonly stdin: AsyncIterable<unknown> & { readonly isTTY?: boolean | undefined };
  readonly stdout: Written;
  readonly stderr: Written;
}

interface Written {
  write(text: string): unknown;
}

/** One call of the command line, with its output and its exit code. */
export class Session {
  /** The exit code of a command that did not fail. */
  code = 0;

  constructor(private readonly streams: Streams) {}

  /** Runs a command over the application services and prints what it answers; a command that creates workspaces loads all contexts, the others start faster. */
  async run(
    work: (app: INestApplicationContext) => Promise<unknown>,
    { json = false, founds = false }: { readonly json?: boolean; readonly founds?: boolean },
  ): Promise<void> {
    const root = founds ? (await import('./founding.module.js')).FoundingModule : CliModule;
    const app = await NestFactory.createApplicationContext(root, { logger: false, abortOnError: false });
    try {
      this.print(await runInScope({ tenant_id: null, actor: COMMAND_LINE, request_id: newId() }, () => work(app)), json);
    } finally {
      await app.close();
    }
  }

  print(answer: unknown, json: boolean): void {
    if (json) this.say(`${JSON.stringify(answer)}\n`);
    else if (Array.isArray(answer)) for (const line of answer as object[]) this.say(`${Object.values(line).map(shown).join('  ')}\n`);
    else for (const [name, value] of Object.entries(answer as object)) this.say(`${name}: ${shown(value)}\n`);
  }

  say(text: string): void {
    this.streams.stdout.write(text);
  }

  complain(text: string): void {
    this.streams.stderr.write(text);
  }

  /** The first line of standard input; secrets come this way, never as arguments. */
  async secret(what: string): Promise<string> {
    const { stdin } = this.streams;
    if (stdin.isTTY) this.complain(`${what}: `);
    let text = '';
    for await (const chunk of stdin) {
      text += String(chunk);
      if (text.includes('\n')) break;
    }
    return text.split('\n')[0]?.replace(/\r$/, '') ?? '';
  }

  /** The end of a failed command: one line with the reason, and an exit code for its kind. */
  conclude(error: unknown): number {
    // Commander has already printed its message, and help is not a failure.
    if (!(error instanceof CommanderError)) this.complain(`${error instanceof Error ? error.message : String(error)}\n`);
    return exitCodeOf(error);
  }
}

const shown = (value: unknown): string =>
  Array.isArray(value) ? value.map(shown).join(',') : typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);

function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT.usage;
  if (error instanceof UsageError) return EXIT.usage;
  if (!(error instanceof Problem)) return EXIT.failed;
  if (error.status === 404) return EXIT.notFound;
  if (error.status === 409) return EXIT.conflict;
  return error.status === 400 ? EXIT.usage : EXIT.failed;
}
