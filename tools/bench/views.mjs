// Views of a large workspace beside a small one: how long each takes as a ratio of the two, its throughput as a ratio to a bare server
// that sends the same statements, a deep page as a ratio of the first one, and what the plans of its statements are made of under the
// service's own role.
import { once } from 'node:events';
import { join } from 'node:path';
import { projectRoot } from '../project.mjs';
import { asked, get, loadFor, plansOf, round, taking, throughput, told as ratio } from './view-measures.mjs';

/** The views that `--only` names, or all of them. */
export function chosenViews(views, only) {
  const chosen = views.filter(({ name }) => !only || only.includes(name));
  if (chosen.length === 0) throw new Error(`--only takes views: ${views.map(({ name }) => name).join(', ')}.`);
  return chosen;
}

/**
 * Measures views `{ name, path(world), headers?(world), deepAt? }`; the last one is how many rows come before a deep page. `small` says
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

async function measure({ ours, bare, service, statements: concerns, tables }, { large, small, tenant, deepAt }) {
  const [at, few] = await taking(
    () => get(ours, large, large.path),
    () => get(ours, small, small.path),
  );
  const world = { ...large, ws_id: tenant };
  const { nodes, scanned, statements } = await plansOf(service, { origin: ours, world, path: large.path, concerns, large: tables });
  await fetch(`${bare}/statements`, { method: 'PUT', body: JSON.stringify(statements) });
  const how = loadFor(at);
  const first = [ours, asked(large, large.path)];
  const result = { ms: round(at), of_small: round(at / few), of_bare: await throughput(first, [bare, BARE_REQUEST], how) };
  const cursor = deepAt && JSON.parse(await get(ours, large, `${large.path}&offset=${deepAt}`)).next_cursor;
  if (cursor) result.deep = await throughput([ours, asked(large, `${large.path}&cursor=${cursor}`)], first, how);
  return { ...result, seq_scans: scanned, nodes };
}

function print(name, { ms, of_small, nodes, seq_scans, ...ratios }, told) {
  const deep = ratios.deep === undefined ? '' : `   deep ${ratio('deep', ratios)} of the first page`;
  console.log(
    `${name.padEnd(20)} ${ms.toFixed(1).padStart(8)} ms   ${of_small.toFixed(2)}x of ${told}   ${ratio('of_bare', ratios)} of the bare server${deep}`,
  );
  console.log(`${''.padEnd(20)} ${nodes.join(', ')}${seq_scans.length > 0 ? `  SEQ SCAN of ${seq_scans.join(', ')}` : ''}`);
}

const BARE_REQUEST = () => ({ method: 'GET', path: '/' });
