import { Choice, Decimal, Flag, Nested, NestedList, Ref, Stamp, Text, Whole } from '@atrium/platform/database';
import { Accepts, acceptParameter, Answer, Body, ListQuery, PageOf, View } from '@atrium/platform/http';
import { CREDIT_POLICIES, Grant, LedgerEntry, MAX_CREDITS } from '../domain/credits';
import { Price } from '../domain/price';
import { USAGE_PARAM_NAMES } from '../domain/usage-params';

@Answer()
export class BalanceView {
  @Choice(CREDIT_POLICIES, {
    about: '`enforced`: work that would cost more than is available is refused with 402. `metered`: usage is only counted.',
  })
  credit_policy!: string;
  @Decimal({ about: 'Balance without the credits reserved for running work.', example: 812.5 }) credit_available!: number;
  @Flag({ about: 'Whether the available credits are low.' }) credit_low!: boolean;
}

@Answer()
export class CreditStateView {
  @Decimal({ about: 'Sum of the ledger; negative if running work cost more than was left.', example: 852.5 })
  credit_balance!: number;
  @Decimal({ about: 'Credits reserved for running work.', example: 40 }) credit_held!: number;
  @Decimal({ about: 'Balance without reserved credits.', example: 812.5 }) credit_available!: number;
  @Choice(CREDIT_POLICIES, {
    about: 'Whether work is refused when credits are insufficient (`enforced`) or usage is only counted (`metered`).',
  })
  credit_policy!: string;
  @Whole({ about: 'Percentage of the active grants below which the balance is low.', example: 20 })
  credit_low_percent!: number;
  @Flag({ about: 'Whether the balance is low.' }) credit_low!: boolean;
  @Stamp({ optional: true, about: 'When the balance last changed. Null: never.' }) credit_updated!: Date | null;
}

@Answer()
export class GrantView extends View(Grant) {}

@Answer()
export class RunsOut {
  @Stamp({
    optional: true,
    about: 'When the credits will run out if usage continues as in the last four weeks. Null: not within 90 days, or unknown.',
  })
  runs_out_at!: Date | null;
}

@Answer()
export class CreditsView extends CreditStateView {
  @NestedList(() => GrantView, { about: 'Grants with remaining credits, newest first.' }) grants!: GrantView[];
  @Nested(() => RunsOut, { about: 'Forecast of when the credits will run out.' }) forecast!: RunsOut;
}

/** What a workspace decides of its credits. */
@Accepts()
export class ChangeCredits {
  @Whole({
    omittable: true,
    min: 1,
    max: 99,
    about: 'Percentage of the active grants below which the balance is low and the event `credits.low` is sent.',
    example: 20,
  })
  credit_low_percent?: number;
}

export class GrantPage extends PageOf(GrantView) {}
export class ListGrants extends ListQuery(Grant) {}

@Answer()
class LedgerView extends View(LedgerEntry) {}
export class LedgerPage extends PageOf(LedgerView) {}
export class ListLedger extends ListQuery(LedgerEntry) {}

@Answer()
export class PriceView extends View(Price) {}
export class PricePage extends PageOf(PriceView) {}
export class ListPrices extends ListQuery(Price) {
  at?: Date;
}
acceptParameter(ListPrices, { name: 'at', kind: 'stamp', about: 'Only prices that are valid at this time.' });

/** A price as every member sees it: a remark is for those who keep the accounts. */
@Answer()
class PriceInForce extends View(Price, { without: ['cost_note'] }) {}

@Answer()
export class UsageParamView {
  @Choice(USAGE_PARAM_NAMES, { sort: true, filter: 'equals', about: 'Usage parameter.', example: 'ai.output_tokens' }) usage_param!: string;
  @Text({ sort: true, filter: 'equals', about: 'Unit of measure.', example: 'token' }) unit!: string;
  @Text({ about: 'What the parameter counts.' }) description!: string;
  @NestedList(() => PriceInForce, {
    about: "Current price. An agreed price takes precedence over a list price, and a variant's price over the general one.",
  })
  cost!: PriceInForce[];
}
export class UsageParamPage extends PageOf(UsageParamView) {}
export class ListUsageParams extends ListQuery(UsageParamView, { whole: true }) {}

const NEW_GRANT = [
  'grant_priority',
  'grant_source',
  'grant_starts_at',
  'grant_expires_at',
  'grant_recurs',
  'grant_note',
  'grant_external_id',
] as const;

/** Credits that an operator gives. */
export class GiveCredits extends Body(Grant, { required: ['grant_credits'], optional: NEW_GRANT }) {}

@Accepts()
export class ChangePolicy {
  @Choice(CREDIT_POLICIES) credit_policy!: (typeof CREDIT_POLICIES)[number];
}

@Accepts()
export class CorrectCredits {
  @Decimal({ min: -MAX_CREDITS, max: MAX_CREDITS, about: 'Credits to add; negative to subtract.', example: -12.5 }) led_credits!: number;
  @Text({ min: 1, max: 500, about: 'Reason for the correction.' }) led_note!: string;
}

@Accepts()
export class ReverseUsage {
  @Text({ optional: true, max: 500, about: 'Reason for the reversal.' }) note?: string | null;
}

@Answer()
export class ReversedUsage {
  @Ref({ about: 'Usage entry of the reversal.' }) usage_id!: string;
  @Ref({ about: 'Usage entry that was reversed.' }) usage_reverses!: string;
}

/** A price that an operator sets. */
export class SetPrice extends Body(Price, {
  required: ['cost_param', 'cost_credits_per_unit'],
  optional: ['cost_details', 'cost_valid_from', 'cost_note'],
}) {}

export class ListListPrices extends ListQuery(Price, { whole: true }) {}
