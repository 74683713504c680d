import { CreditOperations } from '@atrium/governance';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { onWorkspace, pointInTime, wholeNumber, type Output } from './command';
import type { Session } from './session';

interface Grant extends Output {
  readonly credits: number;
  readonly priority?: number;
  readonly source?: 'plan' | 'purchase' | 'promotion' | 'adjustment';
  readonly starts?: Date;
  readonly expires?: Date;
  readonly monthly?: boolean;
  readonly note?: string;
  readonly externalId?: string;
}

const amount = (value: string): number => {
  if (!/^\d{1,10}(\.\d{1,6})?$/.test(value) || Number(value) <= 0 || Number(value) > 9_000_000_000)
    throw new InvalidArgumentError('Give an amount above zero with up to six decimals.');
  return Number(value);
};

/** `atrium credits …`: the credits of workspaces. */
export function creditsCommands(program: Command, session: Session): void {
  onWorkspace(
    program.command('credits').description('Credits of workspaces.'),
    'grant',
    'Grants credits to a workspace, once per external reference.',
  )
    .requiredOption('--credits <amount>', 'how many', amount)
    .option('--priority <number>', '1 to 100; lower numbers are used first', wholeNumber)
    .addOption(new Option('--source <source>', 'source of the credits').choices(['plan', 'purchase', 'promotion', 'adjustment']))
    .option('--starts <time>', 'start of validity; default: now', pointInTime)
    .option('--expires <time>', 'expiry of unused credits; default: never', pointInTime)
    .option('--monthly', 'repeat the grant at the start of every month')
    .option('--note <text>', 'a remark')
    .option('--external-id <reference>', 'external reference; a repeated call shows the existing grant')
    .action((ws_id: string, { credits, priority, source, starts, expires, monthly, note, externalId, ...output }: Grant) =>
      session.run(async (app) => {
        const { grant } = await app.get(CreditOperations).grantCredits(ws_id, {
          grant_credits: credits,
          ...(priority === undefined ? {} : { grant_priority: priority }),
          ...(source ? { grant_source: source } : {}),
          ...(starts ? { grant_starts_at: starts } : {}),
          grant_expires_at: expires ?? null,
          grant_recurs: monthly ? 'monthly' : 'none',
          grant_note: note ?? null,
          grant_external_id: externalId ?? null,
        });
        return grant;
      }, output),
    );
}
