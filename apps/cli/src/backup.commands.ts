import type { Command } from 'commander';
import { loadSettings } from '@atrium/platform/config';
import { backUp } from './backup/backup';
import { restoreFrom } from './backup/restore';
import { command, type Output } from './command';
import { MIGRATIONS, ownerUrl } from './installation.commands';
import type { Session } from './session';

/** `atrium backup` and `restore`: the whole installation as one file, on a machine with nothing but Node. */
export function backupCommands(program: Command, session: Session): void {
  command(
    program,
    'backup',
    'Writes the database and the objects of the disk store to one file. The service can keep running (requires DATABASE_OWNER_URL).',
  )
    .argument('<file>', 'file to write; it must not exist')
    .action(async (file: string, { json = false }: Output) => {
      const outcome = await backUp(loadSettings(), ownerUrl(), file, tell(session));
      if (outcome.missing.length > 0) {
        session.complain(
          `${outcome.missing.length} objects that the database refers to are missing from the store: ${outcome.missing.slice(0, 5).join(', ')}${outcome.missing.length > 5 ? ' …' : ''}\n`,
        );
        session.code = 1;
      }
      session.print(outcome, json);
    });

  command(
    program,
    'restore',
    'Restores a backup into an empty installation, after verifying that the archive is complete (requires DATABASE_OWNER_URL).',
  )
    .argument('<file>', 'file written by `backup`')
    .action(async (file: string, { json = false }: Output) =>
      session.print(
        await restoreFrom({ settings: loadSettings(), ownerUrl: ownerUrl(), migrations: MIGRATIONS, file }, tell(session)),
        json,
      ),
    );
}

/** Progress goes to standard error: standard output is the outcome. */
const tell =
  (session: Session) =>
  (line: string): void =>
    session.complain(`${line}\n`);
