import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { operatorTokenHash } from '@atrium/platform/access';
import { loadSettings } from '@atrium/platform/config';
import { migrateDatabase, prepareDatabase } from '@atrium/platform/database';
import { migrateQueue } from '@atrium/platform/messaging';
import { SigningKeys } from '@atrium/identity';
import { InvalidArgumentError, type Command } from 'commander';
import { command, type Output } from './command';
import { diagnose } from './doctor';
import { UsageError, type Session } from './session';

/** Beside the build, or beside the sources where those run as they are. */
export const MIGRATIONS =
  ['../../../../migrations', '../../../migrations'].map((path) => join(__dirname, path)).find((path) => existsSync(path)) ?? 'migrations';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_LENGTH = 43;

/** `atrium migrate`, `prepare`, `doctor`, `operator-token` and `signing-keys`: the installation itself. */
export function installationCommands(program: Command, session: Session): void {
  command(program, 'migrate', 'Migrates the database to the current version (requires DATABASE_OWNER_URL).').action((options: Output) =>
    migrateAll(session, options),
  );

  command(
    program,
    'prepare',
    'Creates the roles and rights that a dump does not contain. Run it on an empty database before a restore (requires DATABASE_OWNER_URL).',
  ).action(({ json }: Output) => prepare(session, json ?? false));

  command(
    program,
    'doctor',
    'Checks roles, row-level security, migrations, storage, queue and clocks. Exits with code 1 if a check fails.',
  ).action((options: Output) => examine(session, options));

  command(
    program.command('operator-token').description('Tokens of operators.'),
    'create',
    'Prints a new token for /operator/v1 and its entry for OPERATOR_TOKENS. The token is shown only once.',
  )
    .argument('<name>', 'name of its user: lowercase letters, digits and hyphens', operatorName)
    .action((name: string, { json }: Output) => {
      const token = `aop_${name}_${Array.from({ length: SECRET_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')}`;
      const entry = `${name}:${operatorTokenHash(token)}`;
      session.print(
        json ? { token, entry } : { token, 'add to OPERATOR_TOKENS (commas between entries)': entry, line: `OPERATOR_TOKENS=${entry}` },
        json ?? false,
      );
    });

  command(
    program.command('signing-keys').description('Keys that sign access tokens.'),
    'rotate',
    'Signs with a new key from now on. The previous key verifies tokens until the last one has expired.',
  ).action((options: Output) => session.run((app) => app.get(SigningKeys).rotateKeys(), options));
}

/** The connection as the role that owns the database, or the sentence that asks for it. */
export function ownerUrl(): string {
  const { DATABASE_OWNER_URL } = loadSettings();
  if (!DATABASE_OWNER_URL) throw new UsageError('DATABASE_OWNER_URL is not set. This command needs the role that owns the database.');
  return DATABASE_OWNER_URL;
}

async function prepare(session: Session, json: boolean): Promise<void> {
  const statements = await prepareDatabase(ownerUrl());
  if (json) session.print({ statements }, true);
  else session.say(statements.length === 0 ? 'nothing to do\n' : statements.map((statement) => `${statement};\n`).join(''));
}

async function migrateAll(session: Session, { json }: Output): Promise<void> {
  const DATABASE_OWNER_URL = ownerUrl();
  const applied: string[] = [];
  await migrateDatabase(DATABASE_OWNER_URL, MIGRATIONS, (step) => {
    applied.push(step);
    if (!json) session.say(`applied ${step}\n`);
  });
  await migrateQueue(DATABASE_OWNER_URL);
  if (json) session.print({ applied }, true);
  else if (applied.length === 0) session.say('nothing to apply\n');
}

async function examine(session: Session, { json }: Output): Promise<void> {
  const findings = await diagnose(loadSettings(), MIGRATIONS);
  if (json) session.print(findings, true);
  else session.say(findings.map(({ check, ok, detail }) => `${ok ? 'ok  ' : 'FAIL'} ${check}${detail ? `: ${detail}` : ''}\n`).join(''));
  if (findings.some(({ ok }) => !ok)) session.code = 1;
}

const operatorName = (name: string): string => {
  if (!/^[a-z][a-z0-9-]{0,39}$/.test(name))
    throw new InvalidArgumentError('Give 1 to 40 lowercase letters, digits and hyphens, starting with a letter.');
  return name;
};
