// Views of objects: newest, by name, by content, by term, by state, by words; each beside a tenth of the objects, beside a bare
// server that sends the same statements, and half through its pages.
import { once } from 'node:events';
import { join } from 'node:path';
import { projectRoot } from '../project.mjs';
import { KINDS } from './objects-world.mjs';
import { wordAt } from './objects-seed.mjs';
import { asked, get, loadFor, plansOf, round, taking, throughput, told } from './view-measures.mjs';

const PORT = 3953;
const BARE_PORT = 3954;
const OURS = `http://127.0.0.1:${PORT}`;
const BARE = `http://127.0.0.1:${BARE_PORT}`;
const CONCERNS = /\b(object|form|term|taxonomy)(s|_\w+)?\b/;
/** Tables that no view may read from end to end. */
const LARGE = ['object', 'form_value', 'object_revision', 'object_transition'];
const RARE = wordAt(3_000);
const FREQUENT = wordAt(1);

const content = (key, value, operator) => `obj_content[${key}]${operator ? `[${operator}]` : ''}=${value}`;
const sorted = (key) => `sort=obj_content_${key}`;

/** Each view: what is asked for beside the schema, and which share of the objects it holds (none: it has no pages that go deep). */
export const VIEWS = [
  ['newest', () => '', 1],
  ['last changed', () => 'sort=-obj_updated', 1],
  ['by name', () => 'sort=obj_name', 1],
  ['by text', () => sorted('sku'), 1],
  ['by number', () => sorted('price'), 1],
  ['by integer, down', () => `sort=-obj_content_stock`, 1],
  ['by date', () => sorted('due'), 0.9],
  ['number from', () => `${content('price', 500, 'gte')}&${sorted('price')}`, 0.5],
  ['integer is', () => content('stock', 7), 0.001],
  ['number range', () => `${content('price', 500, 'gte')}&${content('price', 501, 'lt')}`, 0.001],
  ['dates between', () => `${content('due', '2025-06-01', 'gte')}&${content('due', '2025-07-01', 'lt')}`, 0.0135],
  ['date is empty', () => content('due', 'true', 'empty'), 0.1],
  ['select is', () => content('kind', KINDS[3]), 0.1],
  ['boolean is', () => content('open', 'true'), 1 / 3],
  ['text is', ({ rows }) => content('sku', `SKU-${Math.floor(rows / 2)}`)],
  ['taxonomy is', ({ leaves }) => content('category', leaves[7]), 0.01],
  ['term', ({ leaves }) => `obj_terms=${leaves[7]}`, 0.02],
  ['term, subtree', ({ root }) => `obj_terms=${root}`, 0.36],
  ['state', () => 'obj_status=live', 0.2],
  ['rare word', () => `full_text_search=${RARE}`],
  ['frequent word', () => `full_text_search=${FREQUENT}`, 0.44],
  ['name contains', ({ rows }) => `obj_name=harbour%20${Math.floor(rows / 23)}`],
  ['select, by number', () => `${content('kind', KINDS[3])}&${sorted('price')}`, 0.1],
  [
    'select and date',
    () => `${content('kind', KINDS[3])}&${content('due', '2025-06-01', 'gte')}&${content('due', '2025-07-01', 'lt')}`,
    0.00135,
  ],
  ['state and select', () => `obj_status=live&${content('kind', KINDS[3])}`, 0.02],
  ['term, by date', ({ leaves }) => `obj_terms=${leaves[7]}&${sorted('due')}`, 0.018],
];

export const VIEW_NAMES = VIEWS.map(([name]) => name);

/** Measures the views that are wanted of `large`, beside `small`, which has a tenth of its objects. */
export async function measureViews({ env, launch, untilOk, connect }, { large, small }, wanted = VIEW_NAMES) {
  launch([join(projectRoot, 'tools/bench/recorded-api.cjs')], { env: { PORT: String(PORT) } });
  await untilOk(`${OURS}/health/ready`);
  const bare = launch([join(projectRoot, 'tools/bench/replaying-server.mjs'), String(BARE_PORT), env.DATABASE_URL, large.ws_id]);
  await once(bare.stdout, 'data');
  const service = await connect(env.DATABASE_URL);
  const results = {};
  for (const [name, query, share] of VIEWS.filter(([name]) => wanted.includes(name)))
    results[name] = await measure(service, { large, small }, { name, query, share });
  await service.end();
  return results;
}

async function measure(service, { large, small }, { name, query, share }) {
  const path = (world) => `/objects?obj_form=${world.form_id}&limit=50&${query(world)}`;
  const [at, tenth] = await taking(
    () => get(OURS, large, path(large)),
    () => get(OURS, small, path(small)),
  );
  const { nodes, scanned, statements, read } = await plansOf(service, {
    origin: OURS,
    world: large,
    path: path(large),
    concerns: CONCERNS,
    large: LARGE,
    counted: true,
  });
  await fetch(`${BARE}/statements`, { method: 'PUT', body: JSON.stringify(statements) });
  const how = loadFor(at);
  const ratios = { of_bare: await throughput([OURS, asked(large, path(large))], [BARE, () => ({ method: 'GET', path: '/' })], how) };
  const behind = share && JSON.parse(await get(OURS, large, `${path(large)}&offset=${Math.floor((large.rows * share) / 2)}`)).next_cursor;
  if (behind)
    ratios.deep = await throughput([OURS, asked(large, `${path(large)}&cursor=${behind}`)], [OURS, asked(large, path(large))], how);
  const deepText = behind ? `   deep ${told('deep', ratios)} of the first page` : '';
  console.log(
    `${name.padEnd(18)} ${at.toFixed(1).padStart(8)} ms   ${(at / tenth).toFixed(2)}x of a tenth of the objects   ${told('of_bare', ratios)} of the bare server${deepText}`,
  );
  console.log(
    `${''.padEnd(18)} at most ${read.toLocaleString('en')} rows a node: ${nodes.join(', ')}${scanned.length > 0 ? `  SEQ SCAN of ${scanned.join(', ')}` : ''}`,
  );
  return { ms: round(at), of_a_tenth: round(at / tenth), ...ratios, rows_read: read, nodes, seq_scans: scanned };
}
