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

/** The command was called in a way it can not be; said without a trace. */
export class UsageError extends Error {}

/** Runs a command over the application services and prints what it answers; one that founds a workspace has all contexts at hand, the others start sooner. */
export async function run(work: (app: INestApplicationContext) => Promise<unknown>, { json = false, founds = false }: { readonly json?: boolean; readonly founds?: boolean }): Promise<void> {
  const root = founds ? (await import('./founding.module.js')).FoundingModule : CliModule;
  const app = await NestFactory.createApplicationContext(root, { logger: false, abortOnError: false });
  try {
    print(await runInScope({ tenant_id: null, actor: COMMAND_LINE, request_id: newId() }, () => work(app)), json);
  } finally {
    await app.close();
  }
}

/** Ends a command that failed: one line says why, the code says of which kind it is. */
export function conclude(error: unknown): void {
  // Commander has said its own words by now, and help is no failure.
  if (!(error instanceof CommanderError)) process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = exitCodeOf(error);
}

export function print(answer: unknown, json: boolean): void {
  if (json) process.stdout.write(`${JSON.stringify(answer)}\n`);
  else if (Array.isArray(answer)) for (const line of answer as object[]) process.stdout.write(`${Object.values(line).map(shown).join('  ')}\n`);
  else for (const [name, value] of Object.entries(answer as object)) process.stdout.write(`${name}: ${shown(value)}\n`);
}

const shown = (value: unknown): string => (Array.isArray(value) ? value.map(shown).join(',') : typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value));

function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT.usage;
  if (error instanceof UsageError) return EXIT.usage;
  if (!(error instanceof Problem)) return EXIT.failed;
  if (error.status === 404) return EXIT.notFound;
  if (error.status === 409) return EXIT.conflict;
  return error.status === 400 ? EXIT.usage : EXIT.failed;
}

/** The first line of standard input; secrets come this way, never as arguments. */
export async function secretFromInput(what: string): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write(`${what}: `);
  let text = '';
  for await (const chunk of process.stdin) {
    text += String(chunk);
    if (text.includes('\n')) break;
  }
  return text.split('\n')[0]?.replace(/\r$/, '') ?? '';
}
