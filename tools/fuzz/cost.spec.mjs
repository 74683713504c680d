import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectRoot } from '../project.mjs';
import { BOUNDS, boundsOf, verdictOf } from './cost-verdict.mjs';
import { EXCEPTIONS } from './cost-exceptions.mjs';
import { SHAPES } from './costly-shapes.mjs';
import { CostlyRequests, limitOf } from './costly-requests.mjs';
import { KnownRows } from './known-rows.mjs';
import { operationsOf } from './requests.mjs';

const SLOW = `
const { createServer } = require('node:http');
const text = (max) => ({ type: 'object', properties: { text: { type: 'string', maxLength: max } }, required: ['text'] });
const operation = (max) => ({ post: { responses: { 200: {} }, requestBody: { content: { 'application/json': { schema: text(max) } } } } });
const document = {
  paths: { '/api/v1/slow': operation(12_000), '/api/v1/quick': operation(12_000), '/api/v1/hoarding': operation(1_000) },
  components: { schemas: { Problem: { properties: { code: { enum: ['not_found'] } } } } },
};
const hoard = [];
createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk)).on('end', () => {
    const text = String(JSON.parse(String(Buffer.concat(chunks)) || '{}').text ?? '');
    if (request.url.endsWith('/slow') && text.endsWith('x')) for (let n = 0, m = 0; n < text.length; n++) for (let k = 0; k < text.length; k++) m += k ^ n;
    if (request.url.endsWith('/hoarding') && text.includes('eyJ-')) hoard.push(Buffer.alloc(30 * 1024 * 1024));
    response.writeHead(200, { 'content-type': 'application/json', 'x-request-id': 'r' });
    response.end(JSON.stringify(request.url === '/openapi.json' ? document : {}));
  });
}).listen(Number(process.env.PORT), '127.0.0.1', () => console.log('listening'));
`;

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

async function textOf(child) {
  let text = '';
  child.stdout.on('data', (bytes) => (text += bytes));
  child.stderr.on('data', (bytes) => (text += bytes));
  const code = await new Promise((resolve) => child.on('close', resolve));
  return { code, text };
}

test('an operation that takes too long for its body, or keeps too much, is reported with the shape; the others are not', async () => {
  const [port, meter] = [await freePort(), await freePort()];
  const host = spawn(process.execPath, ['--require', join(projectRoot, 'tools/fuzz/metered-host.cjs'), '-e', SLOW], {
    env: { ...process.env, PORT: String(port), METER_PORT: String(meter) },
  });
  try {
    await new Promise((resolve) => host.stdout.once('data', resolve));
    const run = await textOf(
      spawn(
        process.execPath,
        [join(projectRoot, 'tools/fuzz/fuzz.mjs'), '--cost', '--url', `http://127.0.0.1:${port}`, '--meter', String(meter)],
        {
          env: { ...process.env, ATRIUM_KEY: 'k', ATRIUM_TENANT: 't' },
        },
      ),
    );
    assert.equal(run.code, 1, run.text);
    const reported = [...run.text.matchAll(/^✗ (.+?): /gm)].map(([, name]) => name);
    assert.deepEqual(reported, [
      'POST /api/v1/slow · text · bullets',
      'POST /api/v1/slow · text · commas',
      'POST /api/v1/slow · text · digits',
      'POST /api/v1/slow · text · fences',
      'POST /api/v1/hoarding · text · tokens',
    ]);
  } finally {
    host.kill();
  }
});

test('what the machine does beside does not count: the least of the repeats does', async () => {
  const measures = (...taken) => {
    let n = 0;
    return async () => ({ processor_ms: taken[Math.min(n++, taken.length - 1)], memory: 0 });
  };
  assert.deepEqual(await verdictOf(measures(10), BOUNDS), { isOver: false, least: { processor_ms: 10, memory: 0 } });
  assert.equal((await verdictOf(measures(900, 900, 80, 49), BOUNDS)).isOver, false);
  const over = await verdictOf(measures(40_000, 300, 70, 51, 90, 60), BOUNDS);
  assert.deepEqual(over, { isOver: true, least: { processor_ms: 51, memory: 0 } });
});

test('an exception counts for its operation, place and shapes alone, and every one has a reason', () => {
  const exceptions = [{ operations: /^POST \/a$/, places: /^text$/, shapes: ['word'], bounds: { processor_ms: 90 }, why: 'w' }];
  assert.equal(boundsOf({ operation: 'POST /a', place: 'text', shape: 'word' }, exceptions).processor_ms, 90);
  for (const other of [{ operation: 'POST /ab' }, { place: 'texts' }, { shape: 'words' }])
    assert.deepEqual(boundsOf({ operation: 'POST /a', place: 'text', shape: 'word', ...other }, exceptions), BOUNDS);
  const large = [{ bodiesOver: 1_000, bounds: { memory: 7 }, why: 'w' }];
  assert.equal(boundsOf({ operation: 'POST /a', place: 'text', shape: 'word', bytes: 1_001 }, large).memory, 7);
  assert.equal(boundsOf({ operation: 'POST /a', place: 'text', shape: 'word', bytes: 1_000 }, large).memory, BOUNDS.memory);
  for (const { why, bounds } of EXCEPTIONS) {
    assert.ok(why.length > 20);
    assert.ok(Object.keys(bounds).length > 0);
  }
});

test('there are eighteen shapes, each as long as it is asked for, and another each time', () => {
  assert.equal(new Set(SHAPES.map(({ name }) => name)).size, 18);
  for (const { name, text, json } of SHAPES) {
    assert.ok(Math.abs(text(5_000, 1).length - 5_000) <= 12, name);
    assert.notEqual(text(5_000, 1), text(5_000, 2), name);
    const size = Buffer.byteLength(JSON.stringify(json(20_000, 1)));
    assert.ok(size > 15_000 && size <= 20_100, `${name} ${size}`);
  }
});

test('every field, each within another, the whole body and each parameter are places, and bodies stay within their limits', () => {
  const part = { type: 'object', properties: { part_name: { type: 'string', maxLength: 40 } } };
  const schema = {
    type: 'object',
    properties: {
      crate_text: { type: 'string', maxLength: 3_000 },
      crate_facts: { type: 'object', additionalProperties: true, 'x-max-bytes': 2_000, example: { note: 'fragile' } },
      crate_parts: { type: 'array', maxItems: 30, items: part },
      crate_ids: { type: 'array', maxItems: 9, items: { type: 'string', format: 'uuid' } },
    },
  };
  const body = { description: 'At most 20 KB.', content: { 'application/json': { schema } } };
  const parameters = [{ name: 'dry', in: 'query', schema: { type: 'boolean' } }];
  const document = { paths: { '/api/v1/crates/{id}': { put: { requestBody: body, responses: {}, parameters } } } };
  const [operation] = operationsOf(document);
  const cases = new CostlyRequests(document, new KnownRows(['/api/v1/crates/{id}']), {}).casesOf(operation);
  assert.deepEqual(
    [...new Set(cases.map(({ place }) => place))],
    ['?dry', 'path', 'body', 'crate_text', 'crate_facts', 'crate_facts.(example)', 'crate_parts', 'crate_parts.[].part_name', 'crate_ids'],
  );
  for (const { name, request } of cases) assert.ok(Buffer.byteLength(JSON.stringify(request(3).body)) <= limitOf(body), name);
  const inParts = cases.find(({ place, shape }) => place === 'crate_parts.[].part_name' && shape === 'globs').request(0).body;
  assert.equal(inParts.crate_parts.length, 30);
  assert.ok(inParts.crate_parts.every(({ part_name }) => part_name.includes('*a?*a?')));
});

test('a field that was missed is sent from then on, and one that was refused is left out', () => {
  const schema = {
    type: 'object',
    required: ['crate_name'],
    properties: {
      crate_name: { type: 'string' },
      crate_template: { type: 'string', format: 'uuid', example: 'a-template' },
      crate_link: { type: 'string', example: 'a link' },
    },
  };
  const body = { content: { 'application/json': { schema, example: { crate_name: 'Lamps', crate_link: 'a link' } } } };
  const document = { paths: { '/api/v1/crates': { post: { requestBody: body, responses: {} } } } };
  const [operation] = operationsOf(document);
  const requests = new CostlyRequests(document, new KnownRows([]), {});
  assert.deepEqual(Object.keys(requests.usual(operation, 0).body), ['crate_link', 'crate_name']);
  const refusal = {
    errors: [
      { path: 'crate_template', code: 'required' },
      { path: 'crate_link', code: 'type' },
      { path: 'crate_name', code: 'type' },
    ],
  };
  assert.equal(requests.learn(operation, JSON.stringify(refusal)), true);
  assert.deepEqual(Object.keys(requests.usual(operation, 0).body), ['crate_name', 'crate_template']);
  assert.equal(requests.learn(operation, JSON.stringify(refusal)), false);
});

test('a field means a row of its kind, and where only some will do, one of those', () => {
  const rows = new KnownRows(['/api/v1/content-schemas/{id}']);
  const idOf = (n) => `0190163d-0000-7000-8000-00000000000${n}`;
  const list = { data: ['hero', 'page', 'text', 'article'].map((tpl_key, n) => ({ tpl_id: idOf(n), tpl_key })) };
  assert.equal(rows.idOf('node_template', 0), undefined);
  rows.gather({ method: 'GET', path: '/api/v1/content-schemas' }, { status: 200, text: JSON.stringify(list), whole: true });
  assert.deepEqual(
    [0, 1, 2].map((n) => rows.idOf('node_template', n)),
    [idOf(1), idOf(3), idOf(1)],
  );
});
