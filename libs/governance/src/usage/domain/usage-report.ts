/** What reports group by. `agent_name` and `prompt_name` mean the agent and the prompt: rows group by id and show the name. */
export const GROUPS = ['date', 'usage_user', 'agent_name', 'prompt_name', 'usage_param'] as const;
export type Group = (typeof GROUPS)[number];

export const GRANULARITIES = ['day', 'week', 'month'] as const;
export type Granularity = (typeof GRANULARITIES)[number];

/** How many periods a report may have. */
export const MAX_PERIODS: Readonly<Record<Granularity, number>> = { day: 400, week: 260, month: 120 };

/** Rows of a report; the rest is summed as `other`. */
export const MAX_ROWS = 5_000;

/** A sum over entries. Units are null where units of different kinds would be added. */
export interface Sum {
  readonly usage_entries: number;
  readonly usage_consumed_units: number | null;
  readonly usage_consumed_credits: number;
}

export const NOTHING: Sum = { usage_entries: 0, usage_consumed_units: 0, usage_consumed_credits: 0 };

/** A period of a report: `to` is where the next one begins. */
export interface Period {
  readonly key: string;
  readonly from: string;
  readonly to: string;
}

/** Which entries a report covers, besides their time. */
export interface UsageFilter {
  readonly usage_param?: readonly string[] | undefined;
  readonly usage_details?: string | undefined;
  /** The nil uuid means nobody. */
  readonly usage_user?: string | undefined;
}
