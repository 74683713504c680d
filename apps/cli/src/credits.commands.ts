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
    throw new InvalidArgumentError('Takes an amount above zero, with at most six decimals.');
  return Number(value);
};

/** `atrium credits …`: what workspaces may spend. */
export function creditsCommands(program: Command, session: Session): void {
  onWorkspace(
    program.command('credits').description('Credits of workspaces.'),
    'grant',
    'Gives a workspace credits; once for an outside reference.',
  )
    .requiredOption('--credits <amount>', 'how many', amount)
    .option('--priority <number>', '1 to 100; lower is used first', wholeNumber)
    .addOption(new Option('--source <source>', 'where they come from').choices(['plan', 'purchase', 'promotion', 'adjustment']))
    .option('--starts <time>', 'when they begin to count; else now', pointInTime)
    .option('--expires <time>', 'when what is left of them is gone; else never', pointInTime)
    .option('--monthly', 'the same again at each beginning of a month')
    .option('--note <text>', 'a remark')
    .option('--external-id <reference>', 'an outside reference: asked again, the grant that there is is answered')
    .action((ws_id: string, { credits, priority, source, starts, expires, monthly, note, externalId, ...output }: Grant) =>
      session.run(async (app) => {
        const { grant } = await app.get(CreditOperations).grant(ws_id, {
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
