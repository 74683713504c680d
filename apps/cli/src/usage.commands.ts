import { UsageRollup } from '@atrium/governance';
import type { Command } from 'commander';
import { command, pointInTime, workspaceId, type Output } from './command';
import type { Session } from './session';

interface Range extends Output {
  readonly workspace?: string;
  readonly from: Date;
  readonly to: Date;
}

/** `atrium usage …`: the rollups behind reports of usage. */
export function usageCommands(program: Command, session: Session): void {
  command(
    program.command('usage').description('Usage and its rollups.'),
    'rebuild',
    'Rebuilds the rollups of usage from the entries, by whole UTC days. Reports stay exact while it runs.',
  )
    .requiredOption('--from <time>', 'first day', pointInTime)
    .option('--to <time>', 'last day; default: today', pointInTime, new Date())
    .option('--workspace <id>', 'only this workspace', workspaceId)
    .action(({ workspace, from, to, ...output }: Range) =>
      session.run((app) => app.get(UsageRollup).rebuildRollups({ workspace, from, to }), output),
    );
}
