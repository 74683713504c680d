// npm run bench -- publication [--seconds N] [--bytes N] [--json]: how fast a published file is served, as a ratio to the raw
// bytes of the same object from the same store (its signed address), in one process, taking turns; and what a flood of
// unknown and of revoked addresses costs.
import { createHash, randomBytes } from 'node:crypto';
import { request, Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { HOST_FLAGS, hostProgram } from '../start/operator.mjs';
import { benchClient } from './client.mjs';
import { onBenchService } from './service.mjs';

const PORT = 3931;
const ORIGIN = `http://127.0.0.1:${PORT}`;
const CONNECTIONS = 16;
const ROUNDS = 5;
const FLOOR = 0.9;
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const randomKey = () => Array.from(randomBytes(16), (byte) => ALPHABET[byte % 58]).join('');

const { values: options } = parseArgs({
  allowPositionals: true,
  options: { seconds: { type: 'string', default: '2' }, bytes: { type: 'string', default: '1000000' }, json: { type: 'boolean' } },
});
const seconds = Number(options.seconds);
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });

await onBenchService({ port: PORT, settings: { BASE_URL: ORIGIN, RATE_LIMITS: 'read=1000000,write=1000000,workspace=1000000' } }, run);

async function run({ launch, startApi, workspace }) {
  const made = await workspace('Publication', ['--module', 'module-publication']);
  const world = { ...made, ...benchClient(PORT, made) };
  await startApi();
  launch([...HOST_FLAGS, hostProgram('worker')]);
  const { pub_url, raw, revoked } = await publishOne(world);
  const results = {};
  results.warm = await compare(pub_url, raw);
  results.not_modified = await compare(pub_url, raw, { 'if-none-match': `"${world.hash}"` });
  const unknown = () => `${ORIGIN}/p/${randomKey()}/harbour.bin`;
  results.unknown_per_s = Math.round(await rate(unknown, 404));
  results.revoked_per_s = Math.round(await rate(() => revoked, 410));
  console.log(`warm         ${results.warm.toFixed(2)} of raw streaming (floor ${FLOOR})`);
  console.log(`not modified ${results.not_modified.toFixed(2)} of the same from the store`);
  console.log(`unknown keys ${results.unknown_per_s}/s, a revoked one ${results.revoked_per_s}/s`);
  if (options.json) console.log(JSON.stringify(results));
  if (results.warm < FLOOR) process.exitCode = 1;
}

/** The median over rounds that take turns, so that a machine at work slows both. */
async function compare(published, raw, headers = {}) {
  const expected = 'if-none-match' in headers ? 304 : 200;
  const rawHeaders = expected === 304 ? { 'if-none-match': (await fetch(raw, { method: 'HEAD' })).headers.get('etag') } : {};
  await rate(() => published, expected, headers);
  await rate(() => raw, expected, rawHeaders);
  const ratios = [];
  for (let round = 0; round < ROUNDS; round++)
    ratios.push((await rate(() => published, expected, headers)) / (await rate(() => raw, expected, rawHeaders)));
  return ratios.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)];
}

async function rate(address, expected, headers = {}) {
  const until = performance.now() + seconds * 1_000;
  const started = performance.now();
  let done = 0;
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (performance.now() < until) {
        const status = await get(address(), headers);
        if (status !== expected) throw new Error(`${expected} was expected, ${status} came.`);
        done += 1;
      }
    }),
  );
  return done / ((performance.now() - started) / 1_000);
}

function get(address, headers) {
  return new Promise((resolve, reject) => {
    request(address, { agent, headers }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode));
    })
      .on('error', reject)
      .end();
  });
}

async function publishOne(world) {
  const bytes = randomBytes(Number(options.bytes));
  world.hash = createHash('sha256').update(bytes).digest('hex');
  const [kept, taken] = [await upload(world, bytes), await upload(world, randomBytes(1_000))];
  const first = await published(world, kept);
  const second = await published(world, taken);
  await world.call('DELETE', `/files/${taken}/publication`);
  return { pub_url: first, revoked: second, raw: await world.call('GET', `/files/${kept}/download-url`) };
}

async function upload(world, bytes) {
  const file_id = await world.upload('harbour.bin', bytes);
  await until(async () => (await world.call('GET', `/files/${file_id}`)).file_processing === 'ready');
  return file_id;
}

async function published(world, file_id) {
  const { pub_url } = await world.call('POST', `/files/${file_id}/publication`, { distribution: 'worldwide' });
  await until(async () => (await world.call('GET', `/files/${file_id}/publication`)).pub_copy_state === 'ready');
  return pub_url;
}

async function until(done) {
  for (let n = 0; n < 3_000; n++) {
    if (await done()) return;
    await pause(20);
  }
  throw new Error('It did not come about.');
}
