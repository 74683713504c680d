// Views of a large workspace beside a small one: how long each takes as a ratio of the two, its throughput as a ratio to a bare server
// that sends the same statements, a deep page as a ratio of the first one, and what the plans of its statements are made of under the
// service's own role.
import { once } from 'node:events';
import { join } from 'node:path';
import { projectRoot } from '../project.mjs';
import { load } from './load.mjs';

const ROUNDS = 9;
/** Rounds of load, in which both sides take turns. */
const TURNS = 3;
/** Callers, and seconds a turn: of views that answer at once, and of those that take their time. */
const LOAD = { connections: 8, seconds: 1 };
const SLOW_MS = 100;
const SLOW_LOAD = { connections: 1, seconds: 4 };
const FLOORS = { of_bare: 0.7, deep: 0.9 };

/** The views that `--only` names, or all of them. */
export function chosenViews(views, only) {
  const chosen = views.filter(({ name }) => !only || only.includes(name));
  if (chosen.length === 0) throw new Error(`--only takes views: ${views.map(({ name }) => name).join(', ')}.`);
  return chosen;
}

/**
 * Measures views `{ name, path(world), headers?(world), deepAt? }`; the last one is how many rows lie before a deep page. `small` says
 * what the small workspace is, `statements` which statements are a view's own, `tables` which tables none may read from end to end.
 */
export async function compareViews({ env, connect, launch, startApi }, { large, small }, { port, views, told, statements, tables }) {
  const [ours, bare] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${port + 1}`];
  await startApi({ program: join(projectRoot, 'tools/bench/recorded-api.cjs') });
  const server = launch([join(projectRoot, 'tools/bench/replaying-server.mjs'), String(port + 1), env.DATABASE_URL, large.ws_id]);
  await once(server.stdout, 'data');
  const service = await connect(env.DATABASE_URL);
  const measuring = { ours, bare, service, statements, tables };
  const results = {};
  for (const { name, path, deepAt, headers = (world) => world.headers } of views) {
    const call = (world) => ({ path: path(world), headers: headers(world) });
    results[name] = await measure(measuring, { large: call(large), small: call(small), tenant: large.ws_id, deepAt });
    print(name, results[name], told);
  }
  await service.end();
  return Object.fromEntries(Object.entries(results).map(([name, { nodes: _, ...result }]) => [name, result]));
}

async function measure({ ours, bare, service, statements, tables }, { large, small, tenant, deepAt }) {
  const [at, few] = await taking(
    () => get(ours, large),
    () => get(ours, small),
  );
  const sent = await statementsOf(ours, large, statements);
  const { nodes, scanned } = await plansOf(service, tenant, { sent, tables });
  await fetch(`${bare}/statements`, { method: 'PUT', body: JSON.stringify(sent) });
  const how = at > SLOW_MS ? SLOW_LOAD : LOAD;
  const first = [ours, asked(large)];
  const result = { ms: round(at), of_small: round(at / few), of_bare: await throughput(first, [bare, BARE_REQUEST], how) };
  const cursor = deepAt && JSON.parse(await get(ours, { ...large, path: `${large.path}&offset=${deepAt}` })).next_cursor;
  if (cursor) result.deep = await throughput([ours, asked({ ...large, path: `${large.path}&cursor=${cursor}` })], first, how);
  return { ...result, seq_scans: scanned, nodes };
}

function print(name, { ms, of_small, nodes, seq_scans, ...ratios }, told) {
  const deep = ratios.deep === undefined ? '' : `   deep ${shown('deep', ratios)} of the first page`;
  console.log(
    `${name.padEnd(20)} ${ms.toFixed(1).padStart(8)} ms   ${of_small.toFixed(2)}x of ${told}   ${shown('of_bare', ratios)} of the bare server${deep}`,
  );
  console.log(`${''.padEnd(20)} ${nodes.join(', ')}${seq_scans.length > 0 ? `  SEQ SCAN of ${seq_scans.join(', ')}` : ''}`);
}

const shown = (name, ratios) => `${ratios[name].toFixed(2)}x${ratios[name] < FLOORS[name] ? ` (BELOW ${FLOORS[name]})` : ''}`;

const BARE_REQUEST = () => ({ method: 'GET', path: '/' });

function asked({ path, headers }) {
  return () => ({ method: 'GET', path: `/api/v1${path}`, headers });
}

/** Throughput of one as a ratio of the other's: the median over turns, after a turn each to warm up. */
async function throughput([origin, next], [otherOrigin, otherNext], how) {
  const ratios = [];
  for (let n = 0; n <= TURNS; n++) {
    const theirs = await load(otherOrigin, otherNext, how);
    const ratio = (await load(origin, next, how)) / theirs;
    if (n > 0) ratios.push(ratio);
  }
  return round(ratios.sort((a, b) => a - b)[Math.floor(TURNS / 2)]);
}

/** What one request of the view sends. */
async function statementsOf(ours, call, ofView) {
  await (await fetch(`${ours}/statements`)).json();
  await get(ours, call);
  const sent = await (await fetch(`${ours}/statements`)).json();
  return sent.filter(({ text }) => /^\s*(SELECT|WITH)\b/.test(text) && ofView.test(text));
}

/** What the plans of the statements are made of, and which large tables they read from end to end. */
async function plansOf(service, tenant, { sent, tables }) {
  const [nodes, scanned] = [new Set(), new Set()];
  for (const { text, values } of sent) {
    await service.query(`START TRANSACTION READ ONLY; SET LOCAL app.tenant_id = '${tenant}'`);
    const {
      rows: [plan],
    } = await service.query({ text: `EXPLAIN (FORMAT JSON) ${text}`, values });
    await service.query('COMMIT');
    walk(plan['QUERY PLAN'][0].Plan, (node) => {
      nodes.add(node['Node Type']);
      if (node['Node Type'] === 'Seq Scan' && tables.includes(node['Relation Name'])) scanned.add(node['Relation Name']);
    });
  }
  return { nodes: [...nodes].sort(), scanned: [...scanned].sort() };
}

function walk(node, look) {
  look(node);
  for (const child of node.Plans ?? []) walk(child, look);
}

/** Median milliseconds of each, taking turns after a turn each to warm up. */
async function taking(one, other) {
  const spent = [[], []];
  for (let n = 0; n <= ROUNDS; n++) {
    for (const [i, work] of [one, other].entries()) {
      const started = performance.now();
      await work();
      if (n > 0) spent[i].push(performance.now() - started);
    }
  }
  return spent.map((all) => all.sort((a, b) => a - b)[Math.floor(all.length / 2)]);
}

async function get(ours, { path, headers }) {
  const answer = await fetch(`${ours}/api/v1${path}`, { headers });
  const body = await answer.text();
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${body}`);
  return body;
}

const round = (value) => Math.round(value * 1_000) / 1_000;
