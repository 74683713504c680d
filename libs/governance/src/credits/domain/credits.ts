import { Choice, Decimal, Id, Ref, Resource, Stamp, TenantRow, Text, Whole } from '@atrium/platform/database';
import { invalidField } from '@atrium/platform/kernel';

/** Amounts stay exact as JSON numbers up to here. */
export const MAX_CREDITS = 9_000_000_000;
export const LEAST_CREDITS = 0.000001;
const CREDIT_DECIMALS = 6;

/** An amount as it goes into a statement: decimal text, so that nothing is lost on the way. Finer amounts are refused. */
export function amountText(path: string, value: number, decimals = CREDIT_DECIMALS): string {
  const text = value.toFixed(decimals);
  if (!Number.isFinite(value) || Number(text) !== value) throw invalidField(path, `must have at most ${decimals} decimals`, 'decimals');
  return text;
}

export const CREDIT_POLICIES = ['enforced', 'metered'] as const;
export type CreditPolicy = (typeof CREDIT_POLICIES)[number];

export const GRANT_SOURCES = ['plan', 'purchase', 'promotion', 'adjustment'] as const;
export const GRANT_RECURRENCES = ['none', 'monthly'] as const;

/**
 * Credits given to a workspace: used up in the order of priority, expiry and age; what is left when it expires is gone.
 * One that recurs ends with its month (of the workspace's time zone) and is followed by the next.
 */
@Resource({ table: 'credit_grant', sort: '-grant_created' })
export class Grant extends TenantRow {
  @Id({ about: 'Id of the grant.' }) readonly grant_id!: string;
  @Decimal({ min: LEAST_CREDITS, max: MAX_CREDITS, about: 'Granted credits.', example: 1000 }) readonly grant_credits!: number;
  @Decimal({ about: 'Credits of the grant that are neither used nor expired.', example: 812.5 }) readonly grant_remaining!: number;
  @Whole({ min: 1, max: 100, about: 'Priority of the grant. Grants with a lower number are used first.', example: 50 })
  readonly grant_priority!: number;
  @Choice(GRANT_SOURCES, { about: 'Source of the grant.', filter: 'equals' }) readonly grant_source!: (typeof GRANT_SOURCES)[number];
  @Stamp({ about: 'When the grant becomes available.' }) readonly grant_starts_at!: Date;
  @Stamp({ optional: true, about: 'When the remaining credits expire. Null: never.', filter: 'range' })
  readonly grant_expires_at!: Date | null;
  @Choice(GRANT_RECURRENCES, { about: '`monthly`: the same amount is granted at the start of each month.' })
  readonly grant_recurs!: (typeof GRANT_RECURRENCES)[number];
  @Text({ optional: true, max: 500, about: 'Note.' }) readonly grant_note!: string | null;
  @Text({ optional: true, about: 'Reference in the system of the issuer; unique for each grant.' }) readonly grant_external_id!:
    string | null;
  @Stamp({ about: 'When it was created.', sort: true }) readonly grant_created!: Date;
  @Text({ optional: true, about: 'User who created it.', example: 'operator:billing' }) readonly grant_created_by!: string | null;
}

export const LEDGER_KINDS = ['grant', 'charge', 'expire', 'correction'] as const;

/** One move of the balance. Rows are added and never changed; their sum is the balance, their numbers have no gap. */
@Resource({ table: 'credit_ledger', sort: '-led_seq' })
export class LedgerEntry extends TenantRow {
  @Id({ about: 'Id of the row.', filter: undefined }) readonly led_id!: string;
  @Whole({ about: 'Sequence number, without gaps.', example: 42, sort: true }) readonly led_seq!: number;
  @Stamp({ about: 'When the entry was written.', filter: 'range' }) readonly led_timestamp!: Date;
  @Choice(LEDGER_KINDS, { about: 'Reason for the change of the balance.', filter: 'equals' })
  readonly led_kind!: (typeof LEDGER_KINDS)[number];
  @Decimal({ about: 'Change of the balance in credits; negative for charges.', example: -12.5 }) readonly led_credits!: number;
  @Decimal({ about: 'Balance after the entry.', example: 987.5 }) readonly led_balance!: number;
  @Ref({ optional: true, about: 'Grant that was added, used or expired. Null if no grant is involved.', filter: 'equals' })
  readonly led_grant!: string | null;
  @Ref({ optional: true, about: 'Usage entry that was charged or reversed.' }) readonly led_usage!: string | null;
  @Text({ optional: true, max: 500, about: 'Note.' }) readonly led_note!: string | null;
}
