// npm run bench -- first-words [--questions N] [--json]: how long a person of one workspace waits for the first words of an answer,
// alone, and while another workspace imports records, has them indexed and crawls a website, all without end. The first words may
// take at most four times as long as alone.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { HOST_FLAGS, hostProgram } from '../start/operator.mjs';
import { benchClient } from './client.mjs';
import { follow } from './first-event.mjs';
import { onBenchService } from './service.mjs';

const PORT = 3961;
const FACTOR = 4;
const WARMING = 3;
const LONGEST_MS = 10 * 60_000;
const IMPORTS_AT_ONCE = 3;
const ROWS = 1_000;
const PAGES = 2_000;
/** The work of the other workspace is under way before anything is measured. */
const BEGUN = { records: 500, pages: 10 };
const ENDED = ['completed', 'partial', 'failed', 'cancelled'];
const QUESTION = 'When does the harbour open?';

const { values: options } = parseArgs({
  allowPositionals: true,
  options: { questions: { type: 'string', default: '15' }, json: { type: 'boolean' } },
});
const questions = Number(options.questions);

const settings = { RATE_LIMITS: 'read=1000000,write=1000000,ai=1000000,workspace=1000000', OUTBOUND_ALLOW: '127.0.0.1' };
await onBenchService({ port: PORT, settings }, run);

async function run({ owner, launch, startApi, workspace }) {
  await startApi();
  launch([...HOST_FLAGS, hostProgram('worker')], { env: { PORT: String(PORT + 1) } });
  const flags = ['--all-modules', '--credits', '100000000'];
  const [busy, quiet] = [await workspace('Busy', flags), await workspace('Quiet', flags)];
  await prepare(quiet);
  for (let n = 0; n < WARMING; n++) await firstWords(quiet);
  const alone = await measured(quiet);
  const site = await website();
  const stop = new AbortController();
  const work = bulkWork(busy, site.url, stop.signal);
  await begun(owner, busy);
  const among = await measured(quiet);
  const made = await madeBy(owner, busy);
  stop.abort();
  site.close();
  await work;
  const result = {
    idle_ms: median(alone),
    among_ms: median(among),
    worst_ms: Math.max(...among),
    ratio: median(among) / median(alone),
    ...made,
  };
  console.log(
    `first words: ${shown(result.idle_ms)} idle, ${shown(result.among_ms)} (worst ${shown(result.worst_ms)}) beside bulk work of another workspace ` +
      `(${made.records} records, ${made.pages} pages by then): ${result.ratio.toFixed(1)}x (at most ${FACTOR}x)${result.ratio > FACTOR ? '  ABOVE ITS BOUND' : ''}`,
  );
  if (result.ratio > FACTOR) process.exitCode = 1;
  if (options.json) console.log(JSON.stringify(result));
}

/** A base that answers the question, and an agent that searches it. */
async function prepare(world) {
  const { call } = benchClient(PORT, world);
  const { ds_id } = await call('POST', '/knowledge-bases', { ds_name: 'Harbour' });
  const body = { rec_name: 'Hours', rec_content: { body: 'The harbour opens at seven in the morning and closes at nine in the evening.' } };
  await call('POST', `/knowledge-bases/${ds_id}/records`, body);
  while ((await call('GET', `/knowledge-bases/${ds_id}`)).ds_passage_count === 0) await pause(50);
  await call('POST', '/agents', {
    agent_name: 'Harbour',
    agent_default: true,
    agent_knowledge: [ds_id],
    agent_retrieval: { mode: 'always' },
    agent_tools: [],
  });
}

async function measured(world) {
  const times = [];
  for (let n = 0; n < questions; n++) times.push(await firstWords(world));
  return times;
}

/** Milliseconds from the question to the first words of its answer. */
async function firstWords(world) {
  const { call } = benchClient(PORT, world);
  const thread_id = randomUUID();
  await call('POST', '/threads', { thread_id });
  const heard = await follow(PORT, world, thread_id, LONGEST_MS);
  try {
    const wanted = { words: ({ op }) => op === 'delta', done: ({ op }) => op === 'done' };
    return (await heard.after(() => call('POST', `/threads/${thread_id}/messages`, { msg_text: QUESTION }), wanted)).words;
  } finally {
    heard.leave();
  }
}

/** Imports and a crawl, begun again as soon as they end. */
async function bulkWork(world, url, signal) {
  const { call } = benchClient(PORT, world);
  const { ds_id } = await call('POST', '/knowledge-bases', { ds_name: 'Imported' });
  const crawled = await call('POST', '/knowledge-bases', { ds_name: 'Crawled' });
  const crawl = { crw_url: url, crw_settings: { delay_ms: 0, concurrency: 4, max_pages: PAGES } };
  await call('POST', `/knowledge-bases/${crawled.ds_id}/crawls`, crawl);
  await Promise.all(
    Array.from({ length: IMPORTS_AT_ONCE }, async () => {
      while (!signal.aborted) {
        const rows = Array.from({ length: ROWS }, (_, at) => ({
          name: `Berth ${at}`,
          body: `Berth ${randomUUID()} at the mole is let for a year.`,
        }));
        const { job_id } = await call('POST', `/knowledge-bases/${ds_id}/records/import`, { rows });
        while (!signal.aborted && !ENDED.includes((await call('GET', `/knowledge-bases/${ds_id}/jobs/${job_id}`)).status)) await pause(200);
      }
    }),
  );
}

async function madeBy(owner, { ws_id }) {
  const { rows } = await owner.query(
    `SELECT count(*)::integer AS records, (SELECT count(*)::integer FROM crawl_page WHERE tenant_id = $1 AND state = 'fetched') AS pages
     FROM knowledge_record WHERE tenant_id = $1`,
    [ws_id],
  );
  return rows[0];
}

async function begun(owner, world) {
  for (;;) {
    const { records, pages } = await madeBy(owner, world);
    if (records >= BEGUN.records && pages >= BEGUN.pages) return;
    await pause(100);
  }
}

/** Pages without end, each of which leads to the next ten. */
async function website() {
  const server = createServer((request, response) => {
    if (request.url === '/robots.txt' || request.url.startsWith('/sitemap')) return response.writeHead(404).end();
    const at = Number(request.url.slice(1)) || 0;
    const links = Array.from({ length: 10 }, (_, n) => `<li><a href="/${at * 10 + n + 1}">Page ${at * 10 + n + 1}</a></li>`).join('');
    const text = `The keeper of quay ${at} writes down every evening which boats came in and who paid for the berth. `.repeat(20);
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`<html lang="en"><title>Quay ${at}</title><main><p>${text}</p></main><ul>${links}</ul></html>`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => (server.closeAllConnections(), server.close()) };
}

function shown(ms) {
  return `${(ms / 1000).toFixed(2)} s`;
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}
