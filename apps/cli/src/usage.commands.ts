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
    'Makes the rollups of usage anew from the entries, by whole UTC days; reports stay exact meanwhile.',
  )
    .requiredOption('--from <time>', 'from the day of this moment', pointInTime)
    .option('--to <time>', 'to the day of this one; else today', pointInTime, new Date())
    .option('--workspace <id>', 'only of this workspace', workspaceId)
    .action(({ workspace, from, to, ...output }: Range) =>
      session.run((app) => app.get(UsageRollup).rebuild({ workspace, from, to }), output),
    );
}
