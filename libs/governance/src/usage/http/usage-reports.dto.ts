import { Choice, Decimal, Flag, Json, Nested, NestedList, Ref, Stamp, Text, TextList, Whole } from '@atrium/platform/database';
import { Accepts, acceptParameter, Answer, ListQuery, PageOf, View } from '@atrium/platform/http';
import { UsageEntry } from '../domain/usage-entry';
import { USAGE_PARAM_NAMES } from '../../credits/domain/usage-params';
import { GRANULARITIES, GROUPS, type Granularity, type Group } from '../domain/usage-report';
import { BudgetView } from '../../credits/http/budgets.dto';
import { acceptBounds, acceptParams } from './usage-query';

const NONE = 'The nil uuid (`00000000-0000-0000-0000-000000000000`) selects entries without one.';

const acceptZone = (owner: Function): void =>
  acceptParameter(owner, {
    name: 'tz',
    kind: 'text',
    min: 1,
    max: 64,
    about: 'Time zone of days and periods (IANA name). Default: the time zone of the workspace.',
    example: 'Europe/Lisbon',
  });
const acceptGranularity = (owner: Function, about: string): void =>
  acceptParameter(owner, { name: 'time_granularity', kind: 'choice', values: GRANULARITIES, about });
const acceptDetails = (owner: Function): void =>
  acceptParameter(owner, { name: 'usage_details', kind: 'text', max: 200, about: 'Only this variant; exact match.' });
const acceptUser = (owner: Function): void =>
  acceptParameter(owner, { name: 'usage_user', kind: 'id', about: `Only usage caused by this member. ${NONE}` });

/** Which entries a list shows. */
function acceptEntries(owner: Function): void {
  acceptParams(owner);
  acceptDetails(owner);
  acceptBounds(owner, 'Plain dates are days in the time zone of the workspace. Default: no limit.');
}

/** Which entries a report covers. */
function acceptReport(owner: Function): void {
  acceptZone(owner);
  acceptParams(owner);
  acceptDetails(owner);
  acceptUser(owner);
  acceptBounds(owner, 'Default: the last 30 local days.');
}

export class ListOwnUsage extends ListQuery(UsageEntry, { extended: true }) {
  usage_param?: string[];
  usage_details?: string;
  usage_timestamp?: string[];
}
acceptEntries(ListOwnUsage);

export class ListUsageEntries extends ListQuery(UsageEntry, { extended: true }) {
  usage_param?: string[];
  usage_details?: string;
  usage_timestamp?: string[];
  usage_user?: string;
}
acceptEntries(ListUsageEntries);
acceptUser(ListUsageEntries);

export class ListUsageDetails extends ListQuery(UsageEntry, { extended: true }) {
  usage_param?: string[];
  usage_details?: string;
  usage_timestamp?: string[];
  usage_user?: string;
  agent_id?: string;
  prompt_id?: string;
}
acceptEntries(ListUsageDetails);
acceptUser(ListUsageDetails);
acceptParameter(ListUsageDetails, { name: 'agent_id', kind: 'id', about: `Only usage of this agent. ${NONE}` });
acceptParameter(ListUsageDetails, { name: 'prompt_id', kind: 'id', about: `Only usage of this prompt. ${NONE}` });

export class AskPivot {
  group_by!: Group;
  time_granularity?: Granularity;
  tz?: string;
  usage_param?: string[];
  usage_details?: string;
  usage_user?: string;
  usage_timestamp?: string[];
}
acceptParameter(AskPivot, { name: 'group_by', kind: 'choice', values: GROUPS, about: 'Dimension of the rows.' }, undefined, true);
acceptGranularity(
  AskPivot,
  'Length of the periods: rows with `group_by=date` (default `day`), columns otherwise. At most 400 days, 260 weeks or 120 months.',
);
acceptReport(AskPivot);

export class AskAggregated {
  pivot?: Group;
  tz?: string;
  usage_param?: string[];
  usage_details?: string;
  usage_user?: string;
  usage_timestamp?: string[];
}
acceptParameter(AskAggregated, {
  name: 'pivot',
  kind: 'choice',
  values: GROUPS,
  about: 'Adds `rows`: one for each value, sorted by credits, or one for each day.',
});
acceptReport(AskAggregated);

export class AskSummary {
  time_granularity?: Granularity;
  tz?: string;
  usage_timestamp?: string[];
}
acceptGranularity(AskSummary, 'Adds `periods` of this length.');
acceptZone(AskSummary);
acceptBounds(AskSummary, 'Default: the current month.');

export class AskForecast {
  horizon_days?: number;
}
acceptParameter(AskForecast, {
  name: 'horizon_days',
  kind: 'whole',
  min: 1,
  max: 90,
  about: 'Number of days to forecast. Default: 30.',
});

/** A price that might be. */
@Accepts()
export class SupposedCost {
  @Choice(USAGE_PARAM_NAMES, { about: 'Usage parameter.', example: 'ai.output_tokens' }) cost_param!: string;
  @Text({
    optional: true,
    max: 200,
    about: 'Variant the price applies to. Default: every variant without a price of its own in the request.',
  })
  cost_details?: string | null;
  @Decimal({ min: 0, max: 1_000_000, about: 'Credits per unit.', example: 0.00005 }) cost_credits_per_unit!: number;
}

/** Prices to try on past usage. */
@Accepts()
export class SimulateUsage {
  @NestedList(() => SupposedCost, { min: 1, max: 200, about: 'Simulated prices. Usage without one keeps its real cost.' })
  costs!: SupposedCost[];
  usage_timestamp?: string[];
}
acceptBounds(SimulateUsage, 'Default: the last 30 local days.');

@Answer()
export class SimulatedTotal {
  @Whole({ about: 'Number of entries.', example: 12 }) usage_entries!: number;
  @Decimal({ about: 'Real cost in credits.', example: 0.9216 }) usage_consumed_credits!: number;
  @Decimal({ about: 'Simulated cost in credits.', example: 0.768 }) simulated_credits!: number;
}

/** Which rollups to make again. */
@Accepts()
export class RebuildUsage {
  @Ref({ optional: true, about: 'Only this workspace.' }) workspace?: string | null;
  @Stamp({ about: 'First UTC day, given by any time within it.' }) from!: Date;
  @Stamp({ about: 'Last UTC day, given by any time within it.' }) to!: Date;
}

@Answer()
export class RebuiltUsage {
  @Whole({ about: 'Number of workspaces processed.', example: 1 }) workspaces!: number;
  @Whole({ about: 'Number of rollup rows in the range after the rebuild.', example: 5120 }) cells!: number;
}

@Answer()
class UsageEntryView extends View(UsageEntry) {}

export class UsageEntryPage extends PageOf(UsageEntryView) {}

@Answer()
class UsageDetailView extends View(UsageEntry) {
  @Text({ optional: true, about: 'Name of the member.', example: 'Ada Lovelace' }) usage_user_name!: string | null;
  @Text({ optional: true, about: 'Name of the agent.' }) agent_name!: string | null;
  @Text({ optional: true, about: 'Name of the prompt.' }) prompt_name!: string | null;
}

export class UsageDetailPage extends PageOf(UsageDetailView) {}

@Answer()
export class UsageSum {
  @Whole({ about: 'Number of entries.', example: 12 }) usage_entries!: number;
  @Decimal({ optional: true, about: 'Quantity. Null where units of different kinds would be added.', example: 15360 })
  usage_consumed_units!: number | null;
  @Decimal({ about: 'Cost in credits, with up to six decimals.', example: 0.9216 }) usage_consumed_credits!: number;
}

@Answer()
export class UsageTotal {
  @Whole({ about: 'Number of entries.', example: 12 }) usage_entries!: number;
  @Decimal({ about: 'Cost in credits, with up to six decimals.', example: 0.9216 }) usage_consumed_credits!: number;
}

@Answer()
export class UsagePeriod {
  @Text({ about: 'Local day, Monday of the week, or month.', example: '2026-03-01' }) key!: string;
  @Stamp({ about: 'Start of the period within the range.' }) from!: Date;
  @Stamp({ about: 'End of the period within the range (exclusive).' }) to!: Date;
}

@Answer()
export class SummaryPeriod extends UsagePeriod {
  @Whole({ about: 'Number of entries.', example: 12 }) usage_entries!: number;
  @Decimal({ optional: true, about: 'Quantity. Null where units of different kinds would be added.' }) usage_consumed_units!: number | null;
  @Decimal({ about: 'Cost in credits, with up to six decimals.' }) usage_consumed_credits!: number;
}

@Answer()
export class UsageParamSum extends UsageSum {
  @Choice(USAGE_PARAM_NAMES, { about: 'Usage parameter.', example: 'ai.output_tokens' }) usage_param!: string;
  @Text({ about: 'Unit of measure.', example: 'token' }) unit!: string;
}

@Answer()
export class UsageRow extends UsageSum {
  @Text({ optional: true, about: 'Id, parameter or period. Null: none.' }) key!: string | null;
  @Text({ about: 'Current name.', example: 'Ada Lovelace' }) label!: string;
}

@Answer()
export class UsagePivotRow extends UsageRow {
  @Json({
    about: 'Sums by column: `{usage_entries, usage_consumed_units, usage_consumed_credits}`. Columns without entries are omitted.',
    example: {},
  })
  cells!: object;
}

@Answer()
class RangeAnswer {
  @TextList({
    about: 'First and last moment covered. Used as a filter, they select the same entries.',
    example: ['2026-03-01T00:00:00.000Z', '2026-03-31T23:59:59.999Z'],
  })
  usage_timestamp!: string[];
  @Text({ about: 'Time zone of days and periods.', example: 'Europe/Lisbon' }) tz!: string;
  @Choice(['exact', 'quarter_hour'], { about: '`quarter_hour`: a bound was widened because its individual entries are no longer kept.' })
  edges!: string;
  @Stamp({ about: 'When the sums were calculated.' }) as_of!: Date;
}

@Answer()
export class UsagePivot extends RangeAnswer {
  @Choice(GROUPS, { about: 'Dimension of the rows.' }) group_by!: string;
  @Choice(GRANULARITIES, { optional: true, about: 'Length of the periods. Null if none was requested.' }) time_granularity!: string | null;
  @NestedList(() => UsagePeriod, { about: 'All periods in order. Empty without a granularity.' }) periods!: UsagePeriod[];
  @TextList({
    about: 'Names of the columns: parameters with entries, or keys of all periods.',
    example: ['ai.input_tokens', 'ai.output_tokens'],
  })
  columns!: string[];
  @NestedList(() => UsagePivotRow, { about: 'Periods in chronological order, or values by credits, highest first; at most 5,000.' })
  data!: UsagePivotRow[];
  @Nested(() => UsageSum, { about: 'Sum of everything, including `other`.' }) total!: UsageSum;
  @Nested(() => UsageSum, { about: 'Sum of everything beyond the listed rows.' }) other!: UsageSum;
  @Flag({ about: 'Whether there were more than 5,000 values.' }) truncated!: boolean;
}

@Answer()
export class PreviousUsage {
  @TextList({ about: 'First and last moment covered.' }) usage_timestamp!: string[];
  @Nested(() => UsageSum, { about: 'Sum of all entries.' }) total!: UsageSum;
}

@Answer()
export class UsageAggregate extends RangeAnswer {
  @Nested(() => UsageSum, { about: 'Sum of all entries.' }) total!: UsageSum;
  @NestedList(() => UsageParamSum, { about: 'Sums by parameter, for parameters with entries.' }) by_param!: UsageParamSum[];
  @NestedList(() => UsageRow, { omittable: true, about: 'With `pivot`: one row for each value.' }) rows?: UsageRow[];
  @Nested(() => UsageSum, { omittable: true, about: 'With `pivot`: sum of everything beyond the listed rows.' }) other?: UsageSum;
  @Flag({ omittable: true, about: 'With `pivot`: whether there were more than 5,000 values.' }) truncated?: boolean;
  @Nested(() => PreviousUsage, { about: 'The preceding range of equal length.' }) previous!: PreviousUsage;
}

@Answer()
export class UsageSummary extends RangeAnswer {
  @Nested(() => UsageTotal, { about: 'Sum of all entries.' }) total!: UsageTotal;
  @NestedList(() => UsageParamSum, { about: 'Sums by parameter, for parameters with entries.' }) by_param!: UsageParamSum[];
  @NestedList(() => SummaryPeriod, { omittable: true, about: 'With `time_granularity`: all periods in order.' })
  periods?: SummaryPeriod[];
  @NestedList(() => BudgetView, { about: 'Budgets that apply to you, with your own spending.' }) budgets!: BudgetView[];
}

@Answer()
export class SimulatedParam extends UsageParamSum {
  @Decimal({ about: 'Simulated cost in credits.', example: 0.768 }) simulated_credits!: number;
}

@Answer()
export class UsageSimulation extends RangeAnswer {
  @Nested(() => SimulatedTotal, { about: 'Sum of all entries.' }) total!: SimulatedTotal;
  @NestedList(() => SimulatedParam, { about: 'Sums by parameter, for parameters with entries.' }) by_param!: SimulatedParam[];
}

@Answer()
export class UsageForecastView {
  @Decimal({ optional: true, about: 'Average cost per day in credits.', example: 12.5 }) daily_mean!: number | null;
  @Decimal({ optional: true, about: 'Daily change of the cost in credits.', example: 0.2 }) daily_trend!: number | null;
  @Decimal({ optional: true, about: 'Forecast cost of the coming days in credits.', example: 375 }) credits_needed!: number | null;
  @Stamp({ optional: true, about: 'When the available credits will run out. Null: not within the horizon.' }) runs_out_at!: Date | null;
}
