import { newId, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import type { SearchPair, SearchWorld } from './search-world';

const SCHEMA = 'leaves';
const TYPES: Readonly<Record<string, string>> = {
  mood: 'string',
  story: 'text',
  rating: 'number',
  seats: 'integer',
  printed: 'boolean',
  seen: 'date',
  season: 'enum',
  colors: 'string[]',
  uses: 'enum[]',
};
const VALUES: Readonly<Record<string, readonly string[]>> = { season: ['spring', 'summer', 'autumn'], uses: ['web', 'print', 'social'] };

/** The schema whose fields are asked: one of every type. */
async function schema({ api, tenant_id }: SearchWorld): Promise<string> {
  const fields = Object.entries(TYPES).map(([name, type]) => ({
    name,
    type,
    source: 'model',
    ...(VALUES[name] ? { values: VALUES[name] } : {}),
  }));
  await api.sql(
    'INSERT INTO media_analysis_schema (tenant_id, mas_id, mas_name, mas_fields) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
    [tenant_id, newId(), SCHEMA, JSON.stringify(fields)],
  );
  const [row] = await api.sql<{ mas_id: string }>('SELECT mas_id FROM media_analysis_schema WHERE tenant_id = $1 AND mas_name = $2', [
    tenant_id,
    SCHEMA,
  ]);
  return row?.mas_id ?? '';
}

async function analysed({ api, tenant_id }: SearchWorld, file: string, of: string, result: JsonObject, live = true): Promise<void> {
  await api.sql(
    `INSERT INTO file_analysis (tenant_id, fa_id, fa_file, fa_version, fa_schema, fa_schema_version, fa_status, fa_live, fa_result) VALUES ($1, $2, $3, 1, $4, 1, 'completed', $5, $6)`,
    [tenant_id, newId(), file, of, live, JSON.stringify(result)],
  );
}

/** What the analyses of both files say of one field; undefined where they say nothing of it. */
const analysis = (
  field: string,
  op: string,
  value: JsonValue | undefined,
  found: JsonValue | undefined,
  passed: JsonValue | undefined,
): SearchPair => ({
  field: 'analysis.<schema>.<field>',
  op,
  as: `analysis.${SCHEMA}.${field}`,
  arrange: async (world) => {
    const [hit = '', miss = ''] = await world.files([{}, {}]);
    const of = await schema(world);
    const saying = (said: JsonValue | undefined): JsonObject => (said === undefined ? {} : { [field]: said });
    await analysed(world, hit, of, saying(found));
    await analysed(world, miss, of, saying(passed));
    await analysed(world, miss, of, saying(found), false);
    return { ...(value === undefined ? {} : { value }), hit, miss };
  },
});

/** A file that was never analysed is none of what is asked for, and so all of what is asked against. */
const never = (field: string, op: string, value: JsonValue, passed: JsonValue): SearchPair => ({
  field: 'analysis.<schema>.<field>',
  op,
  as: `analysis.${SCHEMA}.${field}`,
  arrange: async (world) => {
    const [hit = '', miss = ''] = await world.files([{}, {}]);
    await analysed(world, miss, await schema(world), { [field]: passed });
    return { value, hit, miss };
  },
});

const HOUR = 3_600_000;
const at = (hoursFromNow: number): string => new Date(Date.now() + hoursFromNow * HOUR).toISOString();

export const PAIRS: readonly SearchPair[] = [
  analysis('mood', 'eq', 'calm', 'calm', 'Calm'),
  analysis('mood', 'ne', 'calm', 'wild', 'calm'),
  never('mood', 'ne', 'calm', 'calm'),
  analysis('mood', 'in', ['calm', 'wild'], 'wild', 'loud'),
  analysis('mood', 'not_in', ['calm', 'wild'], 'loud', 'wild'),
  analysis('story', 'contains', '50%_Dusk', 'Boats, 50%_dusk.', 'Boats, 50 percent dusk.'),
  analysis('story', 'not_contains', 'dusk', 'Boats at dawn.', 'Boats at Dusk.'),
  analysis('story', 'exists', undefined, 'Boats.', undefined),
  analysis('season', 'eq', 'summer', 'summer', 'autumn'),
  analysis('season', 'in', ['summer', 'spring'], 'spring', 'autumn'),
  analysis('printed', 'eq', true, true, false),
  analysis('printed', 'ne', true, false, true),
  analysis('rating', 'eq', 2.5, 2.5, 2.6),
  analysis('seats', 'ne', 2, 3, 2),
  analysis('rating', 'lt', 2, 1.9, 2),
  analysis('rating', 'lte', 2, 2, 2.1),
  analysis('seats', 'gt', 9, 10, 9),
  analysis('seats', 'gte', 10, 10, 9),
  analysis('seats', 'between', [9, 10], 10, 11),
  analysis('colors', 'has_any', ['red', 'blue'], ['blue', 'green'], ['green']),
  analysis('colors', 'has_all', ['red', 'blue'], ['blue', 'red'], ['red']),
  analysis('colors', 'has_none', ['red'], ['blue'], ['red', 'blue']),
  never('uses', 'has_none', ['print'], ['print']),
  analysis('uses', 'has_any', ['print', 'web'], ['web'], ['social']),
  analysis('seen', 'before', { ago: 'P1D' }, at(-25), at(-23)),
  analysis('seen', 'after', { ago: 'P1D' }, at(-23), at(-25)),
  analysis('seen', 'between', ['2020-01-01T00:00:00Z', '2020-02-01T00:00:00Z'], '2020-01-15', '2020-02-02'),
  analysis('seen', 'within', 'PT2H', at(-1), at(-3)),
];
