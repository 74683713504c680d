// A closed loop of callers on kept-alive connections. `wrk` makes it where it is found: a generator in JavaScript takes more
// of the processor for a small request than a bare server does, and starves it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { CORES, isInstalled, spawnOn } from './cores.mjs';

/** Different requests of one run, in turn. */
const REQUESTS = 4_000;
const WRK = process.platform !== 'win32' && isInstalled('wrk', '-v');

/** What makes the load, for the record. */
export const GENERATOR = WRK ? 'wrk' : 'autocannon';

/** Answers requests per second of the whole span. */
export async function load(origin, next, options) {
  const { requests, seconds } = await measuredLoad(origin, next, options);
  return requests / seconds;
}

/** `next()` makes one request `{method, path, headers, body}`; every answer must be a 2xx. Answers `{ requests, seconds, p99 }` (milliseconds). */
export async function measuredLoad(origin, next, options) {
  const { failed, ...measured } = await (WRK ? byWrk : byAutocannon)(origin, next, options);
  if (failed > 0) throw new Error(`${origin}: ${failed} of ${measured.requests} requests had no success.`);
  return measured;
}

async function byAutocannon(origin, next, { connections, seconds }) {
  const result = await autocannon({
    url: origin,
    connections,
    duration: seconds,
    requests: [{ setupRequest: (request) => ({ ...request, ...next() }) }],
  });
  return { requests: result.requests.total, seconds: result.duration, p99: result.latency.p99, failed: result.non2xx + result.errors };
}

async function byWrk(origin, next, { connections, seconds }) {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-load-'));
  try {
    const script = join(folder, 'requests.lua');
    writeFileSync(script, scriptOf(Array.from({ length: REQUESTS }, next)));
    const output = await outputOf(
      spawnOn(CORES.load, 'wrk', ['-t1', `-c${connections}`, `-d${Math.ceil(seconds)}s`, '--timeout', '30s', '-s', script, origin]),
    );
    const [requests, micros, p99, failed] = /^measured (.*)$/m.exec(output)?.[1].split(' ').map(Number) ?? [];
    if (requests === undefined) throw new Error(`wrk ended without a result.\n${output}`);
    return { requests, seconds: micros / 1e6, p99: p99 / 1_000, failed };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The requests are put into bytes before the load begins. */
function scriptOf(requests) {
  const lines = requests.map(
    ({ method, path, headers = {}, body }) =>
      `  {${lua(method)}, ${lua(path)}, {${Object.entries(headers).map(([name, value]) => `[${lua(name)}] = ${lua(value)}`)}}${body === undefined ? '' : `, ${lua(body)}`}},`,
  );
  return `local made, at = {}, 0
local asked = {
${lines.join('\n')}
}
function init()
  for n, one in ipairs(asked) do made[n] = wrk.format(one[1], one[2], one[3], one[4]) end
end
function request()
  at = at % #made + 1
  return made[at]
end
function done(summary, latency)
  local e = summary.errors
  io.write(string.format("measured %d %d %d %d\\n", summary.requests, summary.duration, latency:percentile(99), e.status + e.connect + e.read + e.write + e.timeout))
end
`;
}

/** A text as Lua writes it; whatever might mean something is written by its number. */
const lua = (text) =>
  `"${Buffer.from(text)
    .toString('latin1')
    .replace(/[^ !#-[\]-~]/g, (sign) => `\\${String(sign.charCodeAt(0)).padStart(3, '0')}`)}"`;

function outputOf(child) {
  return new Promise((resolve, reject) => {
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    child.once('error', reject);
    child.once('close', () => resolve(output));
  });
}
