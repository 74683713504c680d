// Usage of three workspaces with the same members, agents and span: so many entries, a tenth and a hundredth of it.
import { randomUUID } from 'node:crypto';

export const SPAN_DAYS = 425;
const MEMBERS = 40;
const AGENTS = 12;
const AT_ONCE = 500_000;
const SECONDARY = `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition FROM pg_index WHERE indrelid = 'usage_entry'::regclass AND NOT indisprimary`;

/** Office hours of fourteen months: forty members, each with three of twelve agents, six parameters. */
const ENTRIES = `
  INSERT INTO usage_entry (tenant_id, usage_id, usage_timestamp, usage_user, usage_param, usage_details, usage_consumed_units, usage_consumed_credits, usage_cost_id, usage_agent)
  SELECT $1, gen_random_uuid(), day - greatest(0, extract(isodow FROM day)::int - 5) * interval '1 day' + interval '8 hours' + random() * interval '9 hours',
         ($2::uuid[])[1 + who], ($4::text[])[1 + what], CASE WHEN what < 4 THEN 'local/small' ELSE '' END, round((random() * 4000)::numeric, 6), round((random() * 2)::numeric, 6), $1,
         ($3::uuid[])[1 + (who * 3 + floor(random() * 3)::int) % ${AGENTS}]
  FROM (SELECT date_trunc('day', now()) - (2 + floor(random() * ${SPAN_DAYS - 8})::int) * interval '1 day' AS day, floor(random() * ${MEMBERS})::int AS who, floor(random() * 6)::int AS what FROM generate_series(1, $5)) n`;

const PARAMS = ['ai.input_tokens', 'ai.cached_tokens', 'ai.output_tokens', 'ai.embedding_tokens', 'ai.tool_calls', 'studio_image'];

/** Fills `sizes[i]` entries into `tenants[i]`, with their rollups; secondary indexes are made afterwards, which is faster. */
export async function seedUsage(owner, tenants, sizes) {
  await owner.query(
    `SELECT make_month('usage_entry', 'usage_timestamp', now() - make_interval(months => m)) FROM generate_series(0, 15) m`,
  );
  const indexes = (await owner.query(SECONDARY)).rows;
  for (const { name } of indexes) await owner.query(`DROP INDEX ${name}`);
  const people = Array.from({ length: MEMBERS }, () => randomUUID());
  const agents = Array.from({ length: AGENTS }, () => randomUUID());
  for (const [i, tenant] of tenants.entries()) {
    for (let left = sizes[i]; left > 0; left -= AT_ONCE)
      await owner.query(ENTRIES, [tenant, people, agents, PARAMS, Math.min(left, AT_ONCE)]);
  }
  await owner.query("SET maintenance_work_mem = '512MB'");
  for (const { definition } of indexes) await owner.query(definition.replace(' ON ONLY ', ' ON '));
  await owner.query('ANALYZE usage_entry');
  for (const tenant of tenants) {
    for (let day = SPAN_DAYS; day >= 0; day -= 28)
      await owner.query(`SELECT usage_rebuild($1, now() - $2 * interval '1 day', now() - $3 * interval '1 day')`, [
        tenant,
        day,
        Math.max(0, day - 28),
      ]);
  }
  await owner.query('VACUUM ANALYZE usage_entry, usage_cells, usage_days, usage_thin, usage_delta');
  return { people, agents };
}
