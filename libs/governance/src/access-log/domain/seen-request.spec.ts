import { noteOn, rowOf, type RouteNote, type SeenRequest } from './seen-request';

const SEEN: SeenRequest = {
  tenant_id: 't',
  user_id: 'u',
  key_id: null,
  session_id: null,
  kind: 'person',
  method: 'POST',
  url: '/api/v1/things?q=whisper&limit=2',
  route: '/api/v1/things',
  params: undefined,
  body: { name: 'Ada', mp_key: 'sk-1', deep: [{ mp_key: { plain: 'sk-2' }, note: 'x' }] },
  bytesIn: 40,
  bytesOut: 10,
  status: 201,
  code: undefined,
  started: new Date(0),
  milliseconds: 1,
  ip: undefined,
  userAgent: undefined,
  idempotencyKey: undefined,
  replayed: false,
  sampled: false,
  requestId: 'r',
  traceparent: undefined,
  log_id: undefined,
};
const note = (depth: RouteNote['depth']): RouteNote => ({
  operation: 'createThing',
  depth,
  secrets: new Set(['mp_key']),
  permission: undefined,
});

describe('the row of a request', () => {
  it.each([
    ['full', { name: 'Ada', mp_key: '[redacted]', deep: [{ mp_key: '[redacted]', note: 'x' }] }],
    ['shape', { name: '[string 3]', mp_key: '[redacted]', deep: [{ mp_key: '[redacted]', note: '[string 1]' }] }],
    ['none', undefined],
  ] as const)('of a route that keeps %s of its bodies has no secret in it', (depth, body) => {
    expect(rowOf(SEEN, note(depth)).log_body).toEqual(body);
  });

  it('keeps the note on a large body, and no value of a body that looks like one', () => {
    const body = { text: 'a secret', _truncated: true, _bytes: 1, _keys: ['a secret'] };
    expect(rowOf({ ...SEEN, body: noteOn(body, 9_000) }, note('shape')).log_body).toEqual({
      _truncated: true,
      _bytes: 9_000,
      _keys: ['text', '_truncated', '_bytes', '_keys'],
    });
    expect(JSON.stringify(rowOf({ ...SEEN, body }, note('shape')).log_body)).not.toContain('a secret');
  });

  it('says of a query which rows were asked for, not what is in them', () => {
    const url =
      '/api/v1/things?q=whisper&sort=-thing_created&limit=2&limit=many&on=2026-01-01&on=2026-01-01T10:00:00Z&is=true&obj_content[x]=true&cursor=WyJhIl0&n=61234';
    expect(rowOf({ ...SEEN, url }, note('shape')).log_query).toEqual({
      q: '[string 7]',
      sort: '-thing_created',
      limit: ['2', '[string 4]'],
      on: ['2026-01-01', '2026-01-01T10:00:00Z'],
      is: 'true',
      'obj_content[x]': '[string 4]',
      cursor: '[string 7]',
      n: '[string 5]',
    });
  });
});
