import { randomUUID } from 'node:crypto';
import type { RunningApi } from '@atrium/platform/testing';

/** A workspace's usage as a test wants it: spread over the past, by so many members and agents. */
export interface SeededUsage {
  readonly entries: number;
  /** The age of the first entries in days. */
  readonly days: number;
  readonly users: readonly string[];
  readonly agents: readonly string[];
  readonly prompts?: readonly string[];
  /** So many entries come at once, as of one conversation: within minutes, of one user, agent, prompt and model. One by default. */
  readonly together?: number;
}

const PARAMS = ['ai.input_tokens', 'ai.output_tokens', 'ai.tool_calls', 'studio_image', 'voice.seconds', 'storage.gb_days'];
const DETAILS = ['', 'local/small', 'local/large', 'png@2x'];

/** Ids of nobody in particular. */
export const someIds = (count: number): string[] => Array.from({ length: count }, () => randomUUID());

/**
 * Writes entries and, beside each, its row of the delta, as a charge does; in one transaction, spread evenly with odd
 * units and credits. One in eleven was caused by nobody, one in seven by no agent.
 */
export async function seedUsage(
  api: RunningApi,
  tenant_id: string,
  { entries, days, users, agents, prompts = [], together = 1 }: SeededUsage,
): Promise<void> {
  await api.sql(
    `SELECT make_month('usage_entry', 'usage_timestamp', now() - make_interval(months => m)) FROM generate_series(0, $1::integer) m`,
    [Math.ceil(days / 28)],
  );
  await api.sql(
    `WITH made AS (
       INSERT INTO usage_entry (tenant_id, usage_id, usage_timestamp, usage_user, usage_param, usage_details, usage_consumed_units, usage_consumed_credits, usage_cost_id, usage_agent, usage_prompt)
       SELECT $1, gen_random_uuid(), date_trunc('milliseconds', now() - least($3, began + random() * 0.005) * interval '1 day'),
              CASE WHEN b % 11 = 0 THEN NULL ELSE ($4::uuid[])[1 + b % cardinality($4::uuid[])] END, ($7::text[])[1 + (CASE WHEN $9 = 1 THEN random() * 5 ELSE (b + n % 2) % 6 END)::int], ($8::text[])[model],
              round((random() * 5000)::numeric, 6), round((random() * 3)::numeric, 6), $1,
              CASE WHEN b % 7 = 0 THEN NULL ELSE ($5::uuid[])[1 + b % cardinality($5::uuid[])] END, CASE WHEN b % 3 = 0 AND cardinality($6::uuid[]) > 0 THEN ($6::uuid[])[1 + b % cardinality($6::uuid[])] END
       FROM (SELECT b, random() * $3 AS began, 1 + (random() * 3)::int AS model FROM generate_series(1, ceil($2::numeric / $9::integer)::integer) b OFFSET 0) bursts, generate_series(1, $9::integer) n
       WHERE (b - 1) * $9 + n <= $2
       RETURNING *)
     INSERT INTO usage_delta (tenant_id, usage_timestamp, usage_param, usage_details, usage_user, usage_agent, usage_prompt, usage_consumed_units, usage_consumed_credits)
     SELECT tenant_id, usage_timestamp, usage_param, usage_details, usage_user, usage_agent, usage_prompt, usage_consumed_units, usage_consumed_credits FROM made`,
    [tenant_id, entries, days, users, agents, prompts, PARAMS, DETAILS, together],
  );
}

export interface OneEntry {
  readonly at: string;
  readonly param?: string;
  readonly details?: string;
  readonly user?: string | null;
  readonly agent?: string | null;
  readonly prompt?: string | null;
  readonly units?: string;
  readonly credits?: string;
}

/** Writes single entries, each with its row of the delta. */
export async function addEntries(api: RunningApi, tenant_id: string, entries: readonly OneEntry[]): Promise<void> {
  await api.sql(
    `WITH given AS (SELECT * FROM jsonb_to_recordset($2::jsonb) AS g (at timestamptz, param text, details text, "user" uuid, agent uuid, prompt uuid, units numeric, credits numeric)),
     made AS (
       INSERT INTO usage_entry (tenant_id, usage_id, usage_timestamp, usage_user, usage_param, usage_details, usage_consumed_units, usage_consumed_credits, usage_cost_id, usage_agent, usage_prompt)
       SELECT $1, gen_random_uuid(), at, "user", coalesce(param, 'ai.tool_calls'), coalesce(details, ''), coalesce(units, 1), coalesce(credits, 1), $1, agent, prompt FROM given RETURNING *)
     INSERT INTO usage_delta (tenant_id, usage_timestamp, usage_param, usage_details, usage_user, usage_agent, usage_prompt, usage_consumed_units, usage_consumed_credits)
     SELECT tenant_id, usage_timestamp, usage_param, usage_details, usage_user, usage_agent, usage_prompt, usage_consumed_units, usage_consumed_credits FROM made`,
    [tenant_id, JSON.stringify(entries)],
  );
}

/** A path with its query; a list repeats its parameter. */
export function withQuery(path: string, query: Readonly<Record<string, string | readonly string[] | undefined>>): string {
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [value].flat().map((one): [string, string] => [name, one]),
    ),
  );
  return `${path}?${search.toString()}`;
}
