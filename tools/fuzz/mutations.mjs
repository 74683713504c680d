// What is done to a good request. Each takes `{ method, path, query, headers, body }` apart a little; some make it a text of their own.
import { hostileJson, hostileText, hostileValue } from './hostile.mjs';

const TOO_LARGE = 11 * 1024 * 1024;

const setField = (request, chance, value) => {
  if (typeof request.body !== 'object' || request.body === null)
    return { ...request, body: { [chance.pick(['a', 'file_name', 'album_name'])]: value } };
  const names = Object.keys(request.body);
  return { ...request, body: { ...request.body, [names.length === 0 ? 'x' : chance.pick(names)]: value } };
};

const inBody = [
  (request, chance) => setField(request, chance, hostileValue(chance)),
  (request, chance) => setField(request, chance, hostileValue(chance)),
  (request, chance) => setField(request, chance, hostileText(chance)),
  (request, chance) => ({
    ...request,
    body: Object.fromEntries(Object.keys(request.body ?? {}).map((name) => [name, hostileValue(chance)])),
  }),
  (request, chance) => ({ ...request, body: Object.fromEntries(Object.entries(request.body ?? {}).filter(() => chance.oneIn(2))) }),
  (request, chance) => ({ ...request, body: { ...request.body, [hostileText(chance).slice(0, 200)]: hostileValue(chance) } }),
  (request, chance) => ({ ...request, body: { ...request.body, tenant_id: chance.id(), row_version: 7, file_deleted: null } }),
  (request, chance) => ({ ...request, raw: hostileJson(chance, JSON.stringify(request.body ?? {})) }),
  (request, chance) => ({ ...request, raw: hostileJson(chance, JSON.stringify(request.body ?? {})) }),
  (request, chance) =>
    chance.oneIn(12)
      ? { ...request, raw: JSON.stringify({ a: 'x'.repeat(TOO_LARGE) }), oversized: true }
      : setField(request, chance, 'x'.repeat(70_000)),
  (request, chance) =>
    withHeader(
      request,
      'Content-Type',
      chance.pick([
        'text/plain',
        'application/xml',
        'application/json; charset=utf-16',
        'application/json;charset=x',
        'multipart/form-data',
        'multipart/form-data; boundary=',
        '',
        'application/json, text/html',
        'application/vnd.api+json',
        '*/*',
        ';',
      ]),
    ),
  (request, chance) => withHeader(request, 'Content-Encoding', chance.pick(['gzip', 'br', 'deflate', 'identity', 'x', 'gzip, gzip'])),
];

const inQuery = [
  (request, chance) => withQuery(request, chance.pick(request.parameters.length > 0 ? request.parameters : ['limit']), hostileText(chance)),
  (request, chance) => withQuery(request, chance.pick(request.parameters.length > 0 ? request.parameters : ['limit']), hostileText(chance)),
  (request, chance) => withQuery(request, hostileText(chance).slice(0, 100), hostileText(chance).slice(0, 500)),
  (request, chance) => repeat(request, chance, [1, 2, 3, 30][chance.below(4)]),
  (request, chance) =>
    withQuery(
      request,
      `${chance.pick(request.parameters.length > 0 ? request.parameters : ['sort'])}${chance.pick(['[]', '[0]', '[a]', '[a][b][c]', '[__proto__]', '[constructor][prototype]', '[', ']', '[]]', '.a', '[a'.repeat(50)])}`,
      'x',
    ),
  (request, chance) => ({
    ...request,
    search: chance.pick([
      '?',
      '?&&&',
      '?=',
      '?%',
      '?%zz=1',
      '?%00=%00',
      '?a=%ed%a0%80',
      '?a=%ff',
      `?${'a=1&'.repeat(2_000)}`,
      `?a=${'x'.repeat(12_000)}`,
      '?__proto__[x]=1',
      '?a[__proto__]=1',
      '?limit=5&limit=6',
      '?sort=-',
      '?sort=--file_name',
      '?limit=0',
      '?limit=-1',
      '?limit=1e3',
      '?limit=99999999999999999999',
      '?offset=-1',
      '?offset=9223372036854775807',
      '?offset=10000001',
    ]),
  }),
  (request, chance) => withQuery(request, 'cursor', brokenCursor(request, chance)),
  (request, chance) => withQuery(request, 'cursor', brokenCursor(request, chance)),
];

const inPath = [
  (request, chance) => ({
    ...request,
    path: request.path.replace(/[0-9a-f-]{36}/, () =>
      chance.pick([
        'x',
        '0',
        '%00',
        '%2e%2e%2f',
        '..%2f..',
        '%',
        '%zz',
        '%c0%af',
        'null',
        '*',
        "'",
        '%27%20OR%201=1',
        '%F0%9F%9A%A2',
        'a'.repeat(3_000),
        `${chance.id()}%20`,
        `{${chance.id()}}`,
        chance.id().toUpperCase(),
        chance.id().replaceAll('-', ''),
      ]),
    ),
  }),
  (request, chance) => ({
    ...request,
    path: chance.pick([
      `${request.path}/`,
      `/${request.path}`,
      request.path.replace('/v1/', '/v1//'),
      request.path.toUpperCase(),
      `${request.path}/x`,
      `${request.path};a=b`,
      `${request.path}%2f`,
      `${request.path}.json`,
      '/api/v1',
      '/api/v2/files',
      '/api/v1/../v1/files',
      '/%2e%2e/etc/passwd',
      '/docs/../../package.json',
      '/docs/%2e%2e/%2e%2e/package.json',
      '/problems/%00',
      '/storage/',
      '/storage/x',
      '/storage/%2e%2e%2f',
      '/metrics/x',
      '/.well-known/x',
    ]),
  }),
  (request, chance) => ({
    ...request,
    method: chance.pick(
      ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'PROPFIND', 'TRACE', 'LINK', 'QUERY'].filter(
        (method) => method !== 'QUERY',
      ),
    ),
  }),
];

const inHeaders = [
  (request, chance) =>
    withHeader(
      request,
      'X-Tenant-Id',
      chance.pick([
        '',
        'x',
        chance.id(),
        '00000000-0000-0000-0000-000000000000',
        `${chance.id()}, ${chance.id()}`,
        "' OR 1=1",
        'x'.repeat(6_000),
        '*',
        'null',
        `{${chance.id()}}`,
      ]),
    ),
  (request, chance) => withHeader(request, 'X-Tenant-Id', [chance.id(), chance.id()]),
  (request) => withoutHeader(request, 'X-Tenant-Id'),
  (request) => withoutHeader(request, 'X-Api-Key'),
  (request, chance) =>
    withHeader(
      request,
      'X-Api-Key',
      chance.pick(['', 'x', 'atk_', 'atk__', 'atk_a_b', `atk_${'a'.repeat(5_000)}_b`, "atk_'_'", '\u00ff\u00fe']),
    ),
  (request, chance) =>
    withHeader(
      request,
      'Authorization',
      chance.pick([
        '',
        'Bearer',
        'Bearer ',
        'Bearer x',
        'Bearer a.b.c',
        'Basic eDp5',
        `Bearer ${'a'.repeat(6_000)}`,
        'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.',
        'bearer null',
        'Digest x',
      ]),
    ),
  (request, chance) =>
    withHeader(
      request,
      'If-Match',
      chance.pick(['', '*', '"', '"x"', '"1"', '1', 'W/"1"', '"999999999999"', '"1", "2", "3"', ','.repeat(3_000), '"-1"', '"1e3"']),
    ),
  (request, chance) => withHeader(request, 'If-None-Match', chance.pick(['*', '"1"', 'W/"1"', '"', ','.repeat(500)])),
  (request, chance) =>
    withHeader(
      request,
      'Idempotency-Key',
      chance.pick(['', ' ', 'k', 'k1', 'k2', 'x'.repeat(255), 'x'.repeat(256), 'x'.repeat(5_000), '\u00e9', "'; --", '\t']),
    ),
  (request, chance) => withHeader(request, 'Idempotency-Key', ['a', 'b', chance.id()]),
  (request, chance) =>
    withHeader(request, 'Accept', chance.pick(['', 'text/html', 'application/xml', '*/*;q=0', 'x', `${'a/b,'.repeat(1_000)}`])),
  (request, chance) => withHeader(request, 'Accept-Encoding', chance.pick(['', 'gzip', 'br;q=2', '*;q=0', 'x', 'gzip;q=NaN'])),
  (request, chance) =>
    withHeader(
      request,
      'Range',
      chance.pick([
        'bytes=0-',
        'bytes=-1',
        'bytes=5-1',
        'bytes=0-0,1-1,2-2',
        'bytes=99999999999999999999-',
        'x',
        'bytes=',
        `bytes=${'0-1,'.repeat(1_000)}`,
      ]),
    ),
  (request, chance) => withHeader(request, 'X-Request-Id', chance.pick(['', 'x'.repeat(500), '../..', '<b>', '\u00ff'])),
  (request, chance) =>
    withHeader(
      request,
      'traceparent',
      chance.pick(['', '00-0-0-0', 'x'.repeat(500), '00-00000000000000000000000000000000-0000000000000000-00']),
    ),
  (request, chance) =>
    withHeader(request, 'X-Forwarded-For', chance.pick(['127.0.0.1', 'x', '::1, 10.0.0.1', ','.repeat(100), '999.999.999.999'])),
  (request, chance) => withHeader(request, 'Origin', chance.pick(['null', 'https://evil.example', 'x', 'http://localhost'])),
  (request, chance) => withHeader(request, 'X-HTTP-Method-Override', chance.pick(['DELETE', 'x'])),
  (request, chance) => withHeader(request, 'Expect', chance.pick(['100-continue', 'x'])),
  (request, chance) => ({
    ...request,
    headers: {
      ...request.headers,
      ...Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`X-Filler-${i}`, 'y'.repeat(1 + chance.below(20))])),
    },
  }),
];

/** One to three mutations; one request in ten stays as it is, so that rows come to be. */
export function mutate(request, chance) {
  if (chance.oneIn(10)) return request;
  let mutated = request;
  for (let rounds = chance.oneIn(3) ? 1 + chance.below(3) : 1; rounds > 0; rounds--)
    mutated = chance.pick(kindFor(mutated, chance))(mutated, chance);
  return mutated;
}

function kindFor(request, chance) {
  const roll = chance.below(100);
  if (request.body !== undefined && roll < 50) return inBody;
  if (roll < 75 && request.method === 'GET') return inQuery;
  if (roll < 85) return inPath;
  return roll < 88 ? inQuery : roll < 90 ? inBody : inHeaders;
}

/** A cursor that was taken apart and put together with something else in it. */
function brokenCursor(request, chance) {
  const encode = (value) => Buffer.from(JSON.stringify(value), 'utf8').toString('base64url');
  const sort = chance.pick([...request.sorts, ...request.sorts.map((name) => `-${name}`), 'x']);
  return chance.pick([
    () => encode([sort, hostileText(chance).slice(0, 200), chance.id()]),
    () => encode([sort, 'x', hostileText(chance).slice(0, 100)]),
    () => encode([sort, 1e300, chance.id()]),
    () => encode([sort, '2026-03-14T09:26:53.589Z', chance.id()]),
    () => encode([sort, { a: 1 }, [1]]),
    () => encode({ sort, key: 1 }),
    () => encode('x'),
    () => `${'A'.repeat(600)}`,
    () => hostileText(chance).slice(0, 600),
  ])();
}

const withQuery = (request, name, value) => ({ ...request, query: [...request.query.filter(([known]) => known !== name), [name, value]] });
const withHeader = (request, name, value) => ({ ...request, headers: { ...request.headers, [name]: value } });

const withoutHeader = (request, name) => ({
  ...request,
  headers: Object.fromEntries(Object.entries(request.headers).filter(([known]) => known !== name)),
});

function repeat(request, chance, times) {
  const name = chance.pick(request.parameters.length > 0 ? request.parameters : ['limit']);
  return { ...request, query: [...request.query, ...Array.from({ length: times }, () => [name, hostileText(chance).slice(0, 50)])] };
}
