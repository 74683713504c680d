import { DescribedAnswers } from './described-answers';

const album = {
  type: 'object',
  required: ['alb_id', 'alb_name'],
  properties: { alb_id: { type: 'string', format: 'uuid' }, alb_name: { type: 'string', maxLength: 5 }, alb_note: { type: 'string' } },
};
const json = (schema: object): object => ({ content: { 'application/json': { schema } } });
const described = new DescribedAnswers({
  components: {
    schemas: {
      Album: album,
      Page: { type: 'object', properties: { data: { type: 'array', items: { $ref: '#/components/schemas/Album' } } } },
    },
  },
  paths: {
    '/api/v1/albums': { get: { responses: { 200: json({ $ref: '#/components/schemas/Page' }) } } },
    '/api/v1/albums/{alb_id}': {
      get: { responses: { 200: json({ $ref: '#/components/schemas/Album' }), 304: {} } },
      delete: { responses: { 204: {} } },
    },
    '/api/v1/albums/{alb_id}/cover': {
      get: { responses: { 200: { content: { 'application/octet-stream': { schema: { type: 'string' } } } } } },
    },
    '/api/v1/albums/recent': { get: { responses: { 200: json({ type: 'object', additionalProperties: { type: 'string' } }) } } },
  },
});

const alb_id = '0198c0de-0000-7000-8000-000000000001';
const of = (method: string, path: string, status: number, body: unknown = {}, type = 'application/json'): string | null =>
  described.undescribed({ method, path, status, type, body });

it.each([
  ['one that is described', { alb_id, alb_name: 'Boats' }],
  ['one without what may be absent, and with it', { alb_id, alb_name: 'Boats', alb_note: '' }],
])('passes %s', (_, body) => {
  expect(of('get', `/api/v1/albums/${alb_id}`, 200, body)).toBeNull();
  expect(of('get', '/api/v1/albums?limit=2', 200, { data: [body, body] })).toBeNull();
});

it.each([
  ['a field that is not described', { alb_id, alb_name: 'Boats', alb_owner: 'Ada' }, 'additional properties'],
  ['a field that is missing', { alb_id }, 'alb_name'],
  ['a longer text than is described', { alb_id, alb_name: 'Harbour' }, '5 characters'],
  ['another format', { alb_id: 'first', alb_name: 'Boats' }, 'format'],
  ['null where a text is described', { alb_id, alb_name: null }, 'string'],
])('names %s, in lists too', (_, body, reason) => {
  expect(of('get', `/api/v1/albums/${alb_id}`, 200, body)).toMatch(reason);
  expect(of('get', '/api/v1/albums', 200, { data: [{ alb_id, alb_name: 'Boats' }, body] })).toMatch(`GET /api/v1/albums 200: /data/*`);
});

it('names a status and a type that are not described, and a body that did not come', () => {
  expect(of('get', '/api/v1/albums', 418, { detail: 'A teapot.' })).toBe('GET /api/v1/albums 418: the status is not described A teapot.');
  expect(of('get', '/api/v1/albums', 200, {}, 'application/hal+json')).toMatch('the type application/hal+json is not described');
  expect(of('get', '/api/v1/albums', 200, 'text', 'text/plain')).toMatch('the type text/plain is not described');
  expect(of('get', '/api/v1/albums', 200, undefined, '')).toMatch('no body came');
});

it('names an operation that is not described and answers all the same', () => {
  expect(of('get', '/api/v1/albums/recent/of/all', 200)).toBe('GET /api/v1/albums/recent/of/all 200: the operation is not described');
});

it('passes answers without a body where none is described, and what is not there', () => {
  expect(of('delete', `/api/v1/albums/${alb_id}`, 204, undefined, '')).toBeNull();
  expect(of('get', `/api/v1/albums/${alb_id}`, 304, undefined, '')).toBeNull();
  expect(of('get', '/api/v1/albums/recent/of/all', 404)).toBeNull();
});

it('passes bytes of any type where bytes are described, and reads JSON that came as bytes', () => {
  expect(of('get', `/api/v1/albums/${alb_id}/cover`, 200, Buffer.from('RIFF'), 'image/webp')).toBeNull();
  expect(of('get', `/api/v1/albums/${alb_id}`, 200, Buffer.from(JSON.stringify({ alb_id, alb_name: 'Boats' })))).toBeNull();
  expect(of('get', `/api/v1/albums/${alb_id}`, 200, Buffer.from('{}'))).toMatch('alb_id');
});

it('takes a path that is written out before one with a parameter', () => {
  expect(of('get', '/api/v1/albums/recent', 200, { anything: 'goes' })).toBeNull();
  expect(of('get', '/api/v1/albums/recent', 200, { anything: 1 })).toMatch('string');
});
