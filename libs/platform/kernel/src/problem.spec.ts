import { invalidField, invalidFields, notFound, Problem, PROBLEMS } from './problem';

/** The closed vocabulary of the API. A code that is not here is not for the outside. */
const VOCABULARY = {
  validation_failed: 400,
  malformed_json: 400,
  tenant_required: 400,
  unauthenticated: 401,
  credits_exhausted: 402,
  permission_denied: 403,
  license_required: 403,
  tenant_forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  already_exists: 409,
  invalid_state: 409,
  invalid_move: 409,
  in_use: 409,
  limit_reached: 409,
  idempotency_in_progress: 409,
  gone: 410,
  precondition_failed: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  idempotency_mismatch: 422,
  unprocessable_content: 422,
  precondition_required: 428,
  rate_limited: 429,
  internal_error: 500,
  not_configured: 501,
  upstream_failed: 502,
  service_unavailable: 503,
  upstream_timeout: 504,
};

describe('problems', () => {
  it('are exactly those of the closed vocabulary, each with its status', () => {
    expect(Object.fromEntries(Object.entries(PROBLEMS).map(([code, { status }]) => [code, status]))).toEqual(VOCABULARY);
  });

  it('each have a title of their own', () => {
    const titles = Object.values(PROBLEMS).map(({ title }) => title);
    expect(new Set(titles).size).toBe(titles.length);
    for (const title of titles) expect(title).toMatch(/^[A-Z][^.]+$/);
  });

  it('carry status, title, detail and headers of the answer', () => {
    const problem = new Problem('rate_limited', 'Wait a second.', { headers: { 'Retry-After': '1' } });
    expect(problem).toMatchObject({
      name: 'Problem',
      code: 'rate_limited',
      status: 429,
      title: 'Too many requests',
      detail: 'Wait a second.',
      message: 'Wait a second.',
      headers: { 'Retry-After': '1' },
      errors: undefined,
    });
    expect(new Problem('gone', 'It was withdrawn.').headers).toEqual({});
  });

  it('about fields say where and what', () => {
    expect(invalidField('album_name', 'is too long', 'max')).toMatchObject({
      code: 'validation_failed',
      detail: 'album_name: is too long',
      errors: [{ path: 'album_name', code: 'max', message: 'is too long' }],
    });
    const faults = ['a', 'b'].map((path) => ({ path, code: 'invalid', message: 'is wrong' }));
    expect(invalidFields(faults)).toMatchObject({ detail: '2 fields are not valid; see errors.', errors: faults });
    const many = Array.from({ length: 4_000 }, (_, n) => ({ path: `a${n}`, code: 'invalid', message: 'is wrong' }));
    expect(invalidFields(many)).toMatchObject({
      detail: '4000 fields are not valid; see errors for the first 50.',
      errors: many.slice(0, 50),
    });
    expect(invalidFields(faults.slice(0, 1))).toMatchObject({ detail: 'a: is wrong' });
  });

  it('about absent rows do not distinguish absent from foreign', () => {
    expect(notFound('album')).toMatchObject({ code: 'not_found', detail: 'No such album in this workspace.' });
  });
});
