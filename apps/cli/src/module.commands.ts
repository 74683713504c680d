import { MODULES } from '@atrium/platform/access';
import { Licences } from '@atrium/identity';
import type { Command } from 'commander';
import { onWorkspace, pointInTime, type Output } from './command';
import { UsageError, type Session } from './session';

interface Grant extends Output {
  readonly from?: Date;
  readonly until?: Date;
  readonly source?: string;
  readonly note?: string;
}

/** `atrium module …`: what workspaces are licensed for. */
export function moduleCommands(program: Command, session: Session): void {
  const group = program.command('module').description('Modules of workspaces.');
  const about = `one of ${MODULES.join(', ')}`;

  onWorkspace(group, 'grant', 'Licenses a module to a workspace, or changes the license.')
    .argument('<module>', about, known)
    .option('--from <time>', 'else now', pointInTime)
    .option('--until <time>', 'else open', pointInTime)
    .option('--source <text>')
    .option('--note <text>')
    .action((ws_id: string, module: string, { from, until, source, note, ...output }: Grant) =>
      session.run(
        (app) => app.get(Licences).grant(ws_id, module, { lic_starts_at: from, lic_expires_at: until, lic_source: source, lic_note: note }),
        output,
      ),
    );

  onWorkspace(group, 'revoke', 'Ends the license of a module now. Content created with it is kept.')
    .argument('<module>', about, known)
    .action((ws_id: string, module: string, options: Output) => session.run((app) => app.get(Licences).revoke(ws_id, module), options));

  onWorkspace(group, 'list', 'Lists the licenses of a workspace.').action((ws_id: string, options: Output) =>
    session.run((app) => app.get(Licences).list(ws_id), options),
  );
}

const known = (module: string): string => {
  if (!(MODULES as readonly string[]).includes(module)) throw new UsageError(`${module} is not a module. Modules: ${MODULES.join(', ')}.`);
  return module;
};
