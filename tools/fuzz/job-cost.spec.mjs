import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { projectRoot } from '../project.mjs';
import { bytesOf, DOCUMENTS, TABLES } from './costly-files.mjs';
import { SHAPES } from './costly-shapes.mjs';
import { ROWS, SITES, siteOf } from './costly-site.mjs';
import { JobCostRun } from './job-cost.mjs';
import { Meter } from './meter.mjs';

/** A worker that works for so many milliseconds of its processor in each of some turns, or sleeps without turning. */
const WORKER = `
const { createServer } = require('node:http');
function holdsTheLoop(ms) {
  for (const began = process.cpuUsage(); ; ) {
    const { user, system } = process.cpuUsage(began);
    if ((user + system) / 1_000 > ms) return;
  }
}
createServer((request, response) => {
  const asked = new URL(request.url, 'http://host').searchParams;
  const sleep = Number(asked.get('sleep') ?? 0);
  if (sleep > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, sleep);
  let left = Number(asked.get('turns') ?? 0);
  const turn = () => {
    if (left-- === 0) return response.end('atrium_jobs_running{job="a"} 0\\n');
    holdsTheLoop(Number(asked.get('ms')));
    setTimeout(turn, 1);
  };
  turn();
}).listen(Number(process.env.PORT), '127.0.0.1', () => console.log('listening'));
`;

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

let host;
let meter;
let origin;
before(async () => {
  const [port, meterPort] = [await freePort(), await freePort()];
  host = spawn(process.execPath, ['--require', join(projectRoot, 'tools/fuzz/metered-host.cjs'), '-e', WORKER], {
    env: { ...process.env, PORT: String(port), METER_PORT: String(meterPort) },
  });
  await new Promise((resolve) => host.stdout.once('data', resolve));
  meter = new Meter(meterPort);
  origin = `http://127.0.0.1:${port}`;
});
after(() => {
  meter.close();
  host.kill();
});

const held = async (query) => {
  await meter.turns();
  await fetch(`${origin}/?${query}`);
  return (await meter.turns()).turn_ms;
};

test('a turn of the loop is as long as it takes of the processor: not what the machine lets it wait, and not many of them together', async () => {
  const whole = await held('turns=1&ms=150');
  assert.ok(whole > 100 && whole < 300, `${whole}`);
  const slept = await held('sleep=400');
  assert.ok(slept < 100, `${slept}`);
  const many = await held('turns=10&ms=30');
  assert.ok(many < 100, `${many}`);
});

test('a job that holds the loop of its worker is reported with the function that does; others of the same batch are not', async () => {
  const said = [];
  const run = new JobCostRun({ meter, metricsUrl: `${origin}/metrics`, write: (text) => said.push(text) });
  const job = (shape, query) => ({
    name: `job · ${shape}`,
    operation: 'job',
    place: 'a',
    shape,
    run: () => fetch(`${origin}/?${query}`).then(() => 'done'),
  });
  await run.judge('all', [job('quick', 'turns=3&ms=20'), job('slow', 'turns=1&ms=250'), job('idle', 'sleep=100')]);
  await run.judge('lost', [{ ...job('lost', ''), run: () => Promise.reject(new Error('It does not end.')) }]);
  run.report();
  const text = said.join('\n');
  assert.deepEqual(
    [...text.matchAll(/^✗ (.+?): /gm)].map(([, name]) => name),
    ['job · slow', 'job · lost'],
    text,
  );
  assert.match(text, /% holdsTheLoop \(/);
  assert.match(text, /It does not end\./);
  assert.match(text, /2 jobs were over/);
  assert.equal(process.exitCode, 1);
  process.exitCode = 0;
});

test('a job that is lost and comes to a good end when it is tried again has been measured', async () => {
  const said = [];
  const run = new JobCostRun({ meter, metricsUrl: `${origin}/metrics`, write: (text) => said.push(text) });
  let tries = 0;
  const lostTwice = () => (++tries <= 2 ? Promise.reject(new Error('The host was busy.')) : Promise.resolve('done'));
  await run.judge('all', [{ name: 'job · lost', operation: 'job', place: 'a', shape: 'lost', run: lostTwice }]);
  run.report();
  assert.equal(tries, 3);
  assert.match(said.join('\n'), /No job was over its bound/);
});

test('a job of which none came to a good end is a failure, and so is a kind of job that the worker has not run', async () => {
  const said = [];
  const metrics = createHttpServer((_, response) => response.end('atrium_job_seconds_count{job="knowledge.crawl",outcome="done"} 2\n'));
  await new Promise((resolve) => metrics.listen(0, '127.0.0.1', resolve));
  const metricsUrl = `http://127.0.0.1:${metrics.address().port}/metrics`;
  const run = new JobCostRun({ meter, metricsUrl, write: (text) => said.push(text) });
  const job = (operation, outcome) => ({
    name: `${operation} · a · b`,
    operation,
    place: 'a',
    shape: 'b',
    run: () => Promise.resolve(outcome),
  });
  await run.judge('all', [job('crawl', 'failed'), { ...job('crawl', 'partial'), shape: 'c' }, job('sync', 'failed')]);
  await run.demandAll();
  metrics.close();
  assert.deepEqual(
    said.filter((text) => text.startsWith('\n✗')).map((text) => text.slice(3)),
    ['sync: none of them came to a good end', 'objects.sync: the worker has run none'],
    said.join('\n'),
  );
});

test('there is a file of every shape in every format, about as large as it is asked for and another each time', () => {
  const size = 60_000;
  for (const [format, make] of Object.entries({ ...DOCUMENTS, ...TABLES })) {
    for (const shape of SHAPES) {
      const [one, other] = [1, 2].map((salt) => bytesOf(make(shape, size, salt)));
      assert.notDeepEqual(one, other, `${format} ${shape.name}`);
      const isPacked = /^(?:docx|pptx|od[tsp]|epub|xlsx|zip)$/.test(format);
      assert.ok(one.length < size * 7 && (isPacked || one.length > size * 0.9), `${format} ${shape.name}: ${one.length}`);
    }
  }
});

test('a site says what it was made for, and nothing else', async () => {
  const site = await siteOf((at) => SITES.robots(SHAPES[0], 1, at));
  try {
    const robots = Buffer.from(await (await fetch(`${site.origin}/robots.txt`)).arrayBuffer());
    assert.ok(String(robots).startsWith('User-agent: *\nDisallow: /'));
    assert.ok(robots.length > 400_000 && robots.length <= 512 * 1024, `${robots.length}`);
    assert.match((await fetch(site.origin)).headers.get('content-type'), /text\/html/);
    assert.equal((await fetch(`${site.origin}/other`)).status, 404);
  } finally {
    site.close();
  }
  for (const [name, make] of Object.entries(ROWS)) {
    const content = make(SHAPES[8], 1)['/rows'];
    const { length } = typeof content === 'string' ? content : JSON.stringify(content);
    assert.ok(length > 6 * 1024 * 1024 && length < 20 * 1024 * 1024, `${name}: ${length}`);
  }
});
