// Views over HTTP: how long they take in turn, their throughput beside another server's, and what the plans of their statements
// are made of under the service's own role.
import { load } from './load.mjs';

const TIMES = 9;
/** Rounds of load, in which both sides take turns. */
const TURNS = 3;
/** Callers, and seconds a turn: of views that answer at once, and of those that take their time. */
const LOAD = { connections: 8, seconds: 1 };
const SLOW_MS = 100;
const SLOW_LOAD = { connections: 1, seconds: 4 };
export const FLOORS = { of_bare: 0.7, deep: 0.9 };

/** How a view is asked that answers after so many milliseconds. */
export const loadFor = (ms) => (ms > SLOW_MS ? SLOW_LOAD : LOAD);

/** The same request of a workspace's key again and again. */
export const asked =
  ({ headers }, path) =>
  () => ({ method: 'GET', path: `/api/v1${path}`, headers });

/** The text of what the origin answers to a workspace's key. */
export async function get(origin, { headers }, path) {
  const answer = await fetch(`${origin}/api/v1${path}`, { headers });
  const body = await answer.text();
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${body}`);
  return body;
}

/** Median milliseconds of each, taking turns after a turn each to warm up. */
export async function taking(one, other) {
  const spent = [[], []];
  for (let n = 0; n <= TIMES; n++) {
    for (const [i, work] of [one, other].entries()) {
      const started = performance.now();
      await work();
      if (n > 0) spent[i].push(performance.now() - started);
    }
  }
  return spent.map((all) => all.sort((a, b) => a - b)[Math.floor(all.length / 2)]);
}

/** Throughput of one as a ratio of the other's: the median over turns, after a turn each to warm up. */
export async function throughput([origin, next], [otherOrigin, otherNext], how) {
  const ratios = [];
  for (let n = 0; n <= TURNS; n++) {
    const theirs = await load(otherOrigin, otherNext, how);
    const ratio = (await load(origin, next, how)) / theirs;
    if (n > 0) ratios.push(ratio);
  }
  return round(ratios.sort((a, b) => a - b)[Math.floor(TURNS / 2)]);
}

/**
 * One request's statements on tables that `concerns` names, what their plans are made of, and which of the `large` tables they
 * read from end to end. With `counted` they run, and `read` says how many rows the busiest node of a plan saw.
 */
export async function plansOf(service, { origin, world, path, concerns, large, counted = false }) {
  await (await fetch(`${origin}/statements`)).json();
  await get(origin, world, path);
  const sent = await (await fetch(`${origin}/statements`)).json();
  const statements = sent.filter(({ text }) => /^\s*(SELECT|WITH)\b/.test(text) && concerns.test(text));
  const [nodes, scanned] = [new Set(), new Set()];
  let read = 0;
  for (const { text, values } of statements) {
    await service.query(`START TRANSACTION READ ONLY; SET LOCAL app.tenant_id = '${world.ws_id}'`);
    const {
      rows: [plan],
    } = await service.query({ text: `EXPLAIN (${counted ? 'ANALYZE, TIMING OFF, ' : ''}FORMAT JSON) ${text}`, values });
    await service.query('COMMIT');
    walk(plan['QUERY PLAN'][0].Plan, (node) => {
      nodes.add(node['Node Type']);
      if (node['Node Type'] === 'Seq Scan' && large.includes(node['Relation Name'])) scanned.add(node['Relation Name']);
      read = Math.max(read, rowsSeen(node));
    });
  }
  return { nodes: [...nodes].sort(), scanned: [...scanned].sort(), statements, read };
}

function rowsSeen(node) {
  const each = (node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  return Math.round(each * (node['Actual Loops'] ?? 0));
}

function walk(node, look) {
  look(node);
  for (const child of node.Plans ?? []) walk(child, look);
}

/** A ratio with its floor where it is below it. */
export function told(name, ratios) {
  return `${ratios[name].toFixed(2)}x${ratios[name] < FLOORS[name] ? ` (BELOW ${FLOORS[name]})` : ''}`;
}

export function round(value) {
  return Math.round(value * 1_000) / 1_000;
}
