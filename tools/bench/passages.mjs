// What `npm run bench -- retrieval --passages N` measures: searches among N passages (beside forty other workspaces that hold as
// many together) and among a tenth of them: how long words, meaning and both take, as a ratio of the two, and the throughput of
// both beside a bare server that sends the same statements.
import { once } from 'node:events';
import { join } from 'node:path';
import { projectRoot } from '../project.mjs';
import { clientOf } from './document-uploads.mjs';
import { load } from './load.mjs';
import { anyWord, seedPassages } from './passages-seed.mjs';
import { onBenchService } from './service.mjs';

const PORT = 3943;
const BARE_PORT = 3944;
const OURS = `http://127.0.0.1:${PORT}`;
const BARE = `http://127.0.0.1:${BARE_PORT}`;
const OTHERS = 40;
const QUERIES = 40;
const TURNS = 3;
const LOAD = { connections: 4, seconds: 12 };
const MODES = ['text', 'vector', 'hybrid'];
/** Ten times the passages cost a search by words so much more at most. */
const GROWTH = 2;
const OF_BARE = 0.7;
const UNLIMITED = 'read=100000000,write=100000000,search=100000000,workspace=100000000';

/** Queries of some rare words and some frequent ones, as people ask them. */
const queries = Array.from({ length: QUERIES }, () =>
  [anyWord(20, 200), anyWord(100, 1_000), anyWord(500, 5_000), anyWord(500, 5_000), anyWord(2_000, 20_000), anyWord(10_000, 100_000)].join(
    ' ',
  ),
);

export function measurePassages(passages) {
  return onBenchService({ port: PORT, settings: { RATE_LIMITS: UNLIMITED } }, async ({ env, owner, launch, startApi, workspace }) => {
    const made = async (name) => workspace(name, ['--module', 'module-documents']);
    const [large, small] = [await made('Passages large'), await made('Passages small')];
    const started = performance.now();
    await seedPassages(owner, { large, small, passages, others: OTHERS });
    console.log(
      `seeded ${passages.toLocaleString('en')} passages, a tenth of them and ${OTHERS} other workspaces in ${Math.round((performance.now() - started) / 1000)} s`,
    );
    await startApi({ program: join(projectRoot, 'tools/bench/recorded-api.cjs') });
    const [ours, tenth] = [clientOf(OURS, large), clientOf(OURS, small)];
    const results = {};
    for (const mode of MODES) {
      const [at, less] = await medians([ours, tenth], mode);
      results[mode] = { ms: round(at), of_a_tenth: round(at / less) };
      const over = mode === 'text' && at / less > GROWTH ? `  BEYOND ${GROWTH}x` : '';
      console.log(`${mode.padEnd(8)} ${at.toFixed(1).padStart(8)} ms   ${(at / less).toFixed(2)}x of a tenth of the passages${over}`);
    }
    const bare = launch([join(projectRoot, 'tools/bench/replaying-server.mjs'), String(BARE_PORT), env.DATABASE_URL, large.ws_id]);
    await once(bare.stdout, 'data');
    results.hybrid.of_bare = await besideBare(large, ours);
    console.log(
      `hybrid   ${results.hybrid.of_bare.toFixed(2)}x of the bare server that sends the same statements${results.hybrid.of_bare < OF_BARE ? `  BELOW ${OF_BARE}` : ''}`,
    );
    console.log(JSON.stringify(results));
  });
}

/** Median milliseconds of a query for each of the workspaces, taking turns. */
async function medians(clients, mode) {
  const spent = clients.map(() => []);
  for (const query of queries.slice(0, 5)) for (const client of clients) await client.post('/retrieval/search', { query, mode });
  for (const query of queries) {
    for (const [at, client] of clients.entries()) {
      const began = performance.now();
      await client.post('/retrieval/search', { query, mode });
      spent[at].push(performance.now() - began);
    }
  }
  return spent.map((all) => all.sort((a, b) => a - b)[Math.floor(all.length / 2)]);
}

/** Throughput of one query as a ratio of the bare server's, the median over turns after one to warm up. */
async function besideBare({ headers }, client) {
  const body = { query: queries[0], mode: 'hybrid' };
  await client.post('/retrieval/search', body);
  await (await fetch(`${OURS}/statements`)).json();
  await client.post('/retrieval/search', body);
  const statements = (await (await fetch(`${OURS}/statements`)).json()).filter(({ text }) => /^\s*(SELECT|WITH)\b/.test(text));
  await fetch(`${BARE}/statements`, { method: 'PUT', body: JSON.stringify(statements) });
  const asked = {
    method: 'POST',
    path: '/api/v1/retrieval/search',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
  const ratios = [];
  for (let turn = 0; turn <= TURNS; turn++) {
    const theirs = await load(BARE, () => ({ method: 'GET', path: '/' }), LOAD);
    const ratio = (await load(OURS, () => asked, LOAD)) / theirs;
    if (turn > 0) ratios.push(ratio);
  }
  return round(ratios.sort((a, b) => a - b)[Math.floor(TURNS / 2)]);
}

const round = (value) => Math.round(value * 1_000) / 1_000;
