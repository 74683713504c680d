import { refusalOf } from './linkedin-refusals';

const answer = (status: number, body: unknown, headers: Record<string, string> = {}) => ({
  status,
  headers,
  url: 'https://api.linkedin.com',
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
});

describe('a refusal of LinkedIn', () => {
  it.each<[number, unknown, string]>([
    [401, { serviceErrorCode: 65601, message: 'revoked' }, 'unauthorized'],
    [403, { message: 'Not enough permissions' }, 'missing_scope'],
    [400, { message: 'Organization permissions must be used when using organization as author' }, 'missing_scope'],
    [400, { message: 'Invalid query' }, 'rejected'],
    [400, { error: 'invalid_grant', error_description: 'expired' }, 'invalid_grant'],
    [404, { message: 'Could not find entity' }, 'gone'],
    [422, { message: 'ERROR :: /content' }, 'rejected'],
    [500, '<html>oops</html>', 'unavailable'],
    [503, {}, 'unavailable'],
  ])('%i %j is %s', (status, body, kind) => expect(refusalOf(answer(status, body)).kind).toBe(kind));

  it('names the post that is repeated', () => {
    const body = {
      code: 'DUPLICATE_POST',
      message: 'x',
      errorDetails: { inputErrors: [{ code: 'DUPLICATE_POST', description: 'Duplicate: urn:li:share:77' }] },
    };
    expect(refusalOf(answer(422, body))).toMatchObject({ kind: 'duplicate', duplicate_of: 'urn:li:share:77', http: 422 });
  });

  it('says how long to wait, and the id of the request', () => {
    expect(refusalOf(answer(429, { message: 'limit' }, { 'retry-after': '3', 'x-li-uuid': 'u' }))).toMatchObject({
      kind: 'rate_limited',
      retryAfterMs: 3_000,
      request_id: 'u',
    });
  });
});
