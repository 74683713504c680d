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
    'Writes the database and the objects of the disk store to one file; the service may run meanwhile (needs DATABASE_OWNER_URL).',
  )
    .argument('<file>', 'file to write; must not exist')
    .action(async (file: string, { json = false }: Output) => {
      const outcome = await backUp(loadSettings(), ownerUrl(), file, tell(session));
      if (outcome.missing.length > 0) {
        session.complain(
          `${outcome.missing.length} objects that rows name are not in the store: ${outcome.missing.slice(0, 5).join(', ')}${outcome.missing.length > 5 ? ' …' : ''}\n`,
        );
        session.code = 1;
      }
      session.print(outcome, json);
    });

  command(
    program,
    'restore',
    'Puts a backup into an installation that holds nothing, after the archive was proven whole (needs DATABASE_OWNER_URL).',
  )
    .argument('<file>', 'file that `backup` wrote')
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
