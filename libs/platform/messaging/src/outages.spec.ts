import { HOUR, MINUTE, Outage, outageIn, Problem, SECOND } from '@atrium/platform/kernel';
import { outcomeOfError } from './error-outcome';
import { PermanentFailure } from './job-handling';
import { outageOf, outagePaceOf, pauseAfter } from './outages';

const coded = (code: string, cause?: unknown): Error => Object.assign(new Error(code, { cause }), { code });

describe('What is an outage', () => {
  it.each<[string, unknown, string]>([
    ['a part that says so', new Outage('scanner', 'The scanner is away.'), 'scanner'],
    ['a refused connection', coded('ECONNREFUSED'), 'network'],
    ['a name that cannot be looked up', coded('EAI_AGAIN'), 'network'],
    ['a fetch that failed for it', new TypeError('fetch failed', { cause: coded('UND_ERR_CONNECT_TIMEOUT') }), 'network'],
    [
      'an outage wrapped by a library',
      new Error('Retries are exhausted', { cause: new Outage('models', 'Busy.', { code: 'rate_limited' }) }),
      'models',
    ],
    ['a database that stops', coded('57P01'), 'database'],
    ['a database without free connections', coded('53300'), 'database'],
    ['a service at its limit', new Problem('service_unavailable', 'Try again.'), 'network'],
  ])('%s', (_what, error, part) => expect(outageOf(error)?.part).toBe(part));

  it.each<[string, unknown]>([
    ['a fault of the input', new Problem('unprocessable_content', 'Not a picture.')],
    ['a copy that differs', new Problem('upstream_failed', 'Not what was to be copied.')],
    ['a broken constraint', coded('23505')],
    ['a file that is not there', coded('ENOENT')],
    ['a bug', new TypeError('undefined is not a function')],
    ['no error at all', 'text'],
  ])('not: %s', (_what, error) => expect(outageOf(error)).toBeNull());

  it('is made of a failed exchange with a part, with the time the part asked for', () => {
    const busy = outageIn('edge', new Problem('rate_limited', 'Busy.', { headers: { 'Retry-After': '90' } }));
    expect(busy).toMatchObject({ part: 'edge', code: 'rate_limited', retryAfterMs: 90 * SECOND, headers: { 'Retry-After': '90' } });
    const refused = new Problem('unprocessable_content', 'No.');
    expect(outageIn('edge', refused)).toBe(refused);
  });
});

describe('Pauses of an outage', () => {
  const pace = outagePaceOf(5 * MINUTE, 24 * HOUR);
  const longest = (waits: number): number => pauseAfter(pace, waits, { random: () => 1 });

  it('grow from seconds to minutes and no further', () => {
    expect([0, 1, 2, 3, 7, 8, 9, 1_000].map(longest)).toEqual([2, 4, 8, 16, 256, 300, 300, 300].map((seconds) => seconds * SECOND));
  });

  it('differ from job to job, by half at most', () => {
    expect(pauseAfter(pace, 8, { random: () => 0 })).toBe(150 * SECOND);
  });

  it('last as long as the part asked for', () => {
    expect(pauseAfter(pace, 0, { retryAfterMs: 20 * MINUTE })).toBe(20 * MINUTE);
    expect(pauseAfter(pace, 0, { retryAfterMs: 48 * HOUR })).toBe(24 * HOUR);
  });
});

describe('What becomes of a job whose handler threw', () => {
  const pace = outagePaceOf(5 * MINUTE, 24 * HOUR);
  const outcomeOf = (error: unknown, lastAttempt: boolean, waitedMs = 0) =>
    outcomeOfError(error, { lastAttempt }, { waits: 3, waitedMs }, pace).kind;
  const away = new Outage('storage', 'Away.');

  it('waits for an outage, also in its last attempt, until it has waited too long in all', () => {
    expect(outcomeOf(away, true)).toBe('waits');
    expect(outcomeOf(away, false, 24 * HOUR - 1)).toBe('waits');
    expect(outcomeOf(away, false, 24 * HOUR)).toBe('over');
  });

  it('is tried again for anything else, until its last attempt', () => {
    expect([outcomeOf(new Error('no'), false), outcomeOf(new Error('no'), true)]).toEqual(['again', 'over']);
  });

  it('is over at once where nothing can help', () => {
    expect(outcomeOf(new PermanentFailure('no', { cause: away }), false)).toBe('over');
  });
});
