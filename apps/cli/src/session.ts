import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Problem } from '@atrium/platform/kernel';
import { CliModule } from './cli.module';

/** Exit codes of every command. */
const EXIT = { ok: 0, failed: 1, usage: 2, notFound: 3, conflict: 4 } as const;

/** Runs a command over the application services, prints what it answers, and ends with the code of its outcome. */
export async function run(work: (app: INestApplicationContext) => Promise<unknown>, json: boolean): Promise<void> {
  try {
    const app = await NestFactory.createApplicationContext(CliModule, { logger: false, abortOnError: false });
    try {
      print(await work(app), json);
    } finally {
      await app.close();
    }
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = exitCodeOf(error);
  }
}

function print(answer: unknown, json: boolean): void {
  if (answer === undefined) return;
  if (json) process.stdout.write(`${JSON.stringify(answer)}\n`);
  else if (Array.isArray(answer)) for (const line of answer as object[]) process.stdout.write(`${Object.values(line).join('  ')}\n`);
  else for (const [name, value] of Object.entries(answer as object)) process.stdout.write(`${name}: ${String(value)}\n`);
}

function exitCodeOf(error: unknown): number {
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
