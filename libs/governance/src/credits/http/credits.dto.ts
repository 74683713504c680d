import { Choice, Decimal, Flag, Nested, NestedList, Ref, Stamp, Text, Whole } from '@atrium/platform/database';
import { Accepts, acceptParameter, Answer, Body, ListQuery, PageOf, View } from '@atrium/platform/http';
import { CREDIT_POLICIES, Grant, LedgerEntry, MAX_CREDITS } from '../domain/credits';
import { Price } from '../domain/price';
import { USAGE_PARAM_NAMES } from '../domain/usage-params';

@Answer()
export class BalanceView {
  @Choice(CREDIT_POLICIES, {
    about: '`enforced`: work that would cost more than is available is refused with 402; `metered`: it is only counted.',
  })
  credit_policy!: string;
  @Decimal({ about: 'Credits left, those set aside for running work taken off.', example: 812.5 }) credit_available!: number;
  @Flag({ about: 'Whether that is little.' }) credit_low!: boolean;
}

@Answer()
export class CreditStateView {
  @Decimal({ about: 'Sum of the ledger; negative when work that had begun cost more than was left.', example: 852.5 })
  credit_balance!: number;
  @Decimal({ about: 'Set aside for work that is running.', example: 40 }) credit_held!: number;
  @Decimal({ about: 'Balance without reserved credits.', example: 812.5 }) credit_available!: number;
  @Choice(CREDIT_POLICIES, { about: 'Whether work is refused when credits do not suffice (`enforced`) or only counted (`metered`).' })
  credit_policy!: string;
  @Whole({ about: 'Below this part of the grants that are alive the balance is low, in percent.', example: 20 })
  credit_low_percent!: number;
  @Flag({ about: 'Whether it is low.' }) credit_low!: boolean;
  @Stamp({ optional: true, about: 'When the balance last moved; null: never.' }) credit_updated!: Date | null;
}

@Answer()
export class GrantView extends View(Grant) {}

@Answer()
export class RunsOut {
  @Stamp({
    optional: true,
    about: 'When the credits will be used up if the coming weeks go like the last four; null: not within 90 days, or not known.',
  })
  runs_out_at!: Date | null;
}

@Answer()
export class CreditsView extends CreditStateView {
  @NestedList(() => GrantView, { about: 'Grants with something left, latest first.' }) grants!: GrantView[];
  @Nested(() => RunsOut, { about: 'Forecast of when the credits will be used up.' }) forecast!: RunsOut;
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
acceptParameter(ListPrices, { name: 'at', kind: 'stamp', about: 'Only what holds at this moment.' });

/** A price as every member sees it: a remark is for those who keep the accounts. */
@Answer()
class PriceInForce extends View(Price, { without: ['cost_note'] }) {}

@Answer()
export class UsageParamView {
  @Choice(USAGE_PARAM_NAMES, { sort: true, filter: 'equals', about: 'What is counted.', example: 'ai.output_tokens' }) usage_param!: string;
  @Text({ sort: true, filter: 'equals', about: 'The unit it is counted in.', example: 'token' }) unit!: string;
  @Text({ about: 'What it is.' }) description!: string;
  @NestedList(() => PriceInForce, {
    about: 'What it costs now; the most particular price holds: agreed before listed, a variant before all.',
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
  @Decimal({ min: -MAX_CREDITS, max: MAX_CREDITS, about: 'Credits to add; below zero: to take.', example: -12.5 }) led_credits!: number;
  @Text({ min: 1, max: 500, about: 'Why.' }) led_note!: string;
}

@Accepts()
export class ReverseUsage {
  @Text({ optional: true, max: 500, about: 'Why.' }) note?: string | null;
}

@Answer()
export class ReversedUsage {
  @Ref({ about: 'The correction.' }) usage_id!: string;
  @Ref({ about: 'The entry it takes back.' }) usage_reverses!: string;
}

/** A price that an operator sets. */
export class SetPrice extends Body(Price, {
  required: ['cost_param', 'cost_credits_per_unit'],
  optional: ['cost_details', 'cost_valid_from', 'cost_note'],
}) {}

export class ListListPrices extends ListQuery(Price, { whole: true }) {}
