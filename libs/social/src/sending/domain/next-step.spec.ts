import { SocialFailure, type FailureFacts, type FailureKind } from '../../network/domain/social-failure';
import { nextStepAfter } from './next-step';

const NOW = new Date('2026-11-30T10:00:00Z');
const after = (kind: FailureKind, before: number, facts: FailureFacts = {}, lateMinutes = 600) =>
  nextStepAfter(new SocialFailure(kind, 'x', facts), { before, now: NOW, lateAt: new Date(NOW.getTime() + lateMinutes * 60_000) });

describe('what follows a failed step', () => {
  it('a rate limit is waited out as long as the platform says, else 1, 5, 15 and 60 minutes', () => {
    expect(after('rate_limited', 0, { retryAfterMs: 3_000 })).toEqual({ kind: 'retry', delayMs: 3_000 });
    expect([0, 1, 2, 3, 9].map((before) => after('rate_limited', before))).toEqual(
      [1, 5, 15, 60, 60].map((minutes) => ({ kind: 'retry', delayMs: minutes * 60_000 })),
    );
  });

  it('a pause that ends after the late limit is a missed window', () => {
    expect(after('rate_limited', 1, {}, 5)).toEqual({ kind: 'retry', delayMs: 300_000 });
    expect(after('rate_limited', 1, {}, 4)).toEqual({ kind: 'fail', code: 'missed_window', retryable: true });
  });

  it('a platform is never asked again at once, nor after the late limit, whatever it says', () => {
    expect(after('rate_limited', 0, { retryAfterMs: 0 })).toEqual({ kind: 'retry', delayMs: 1_000 });
    expect(after('unavailable', 0, { retryAfterMs: 0 })).toEqual({ kind: 'retry', delayMs: 1_000 });
    expect(after('unavailable', 0, { retryAfterMs: 86_400_000 }, 60)).toEqual({ kind: 'fail', code: 'missed_window', retryable: true });
  });

  it('an unavailable platform has five tries', () => {
    expect([0, 1, 2, 3].map((before) => after('unavailable', before).kind)).toEqual(['retry', 'retry', 'retry', 'retry']);
    expect(after('unavailable', 4)).toEqual({ kind: 'fail', code: 'unavailable', retryable: true });
  });

  it.each<[FailureKind, object]>([
    ['unknown', { kind: 'unknown' }],
    ['unauthorized', { kind: 'fail', code: 'connection_revoked', retryable: true }],
    ['invalid_grant', { kind: 'fail', code: 'connection_revoked', retryable: true }],
    ['missing_scope', { kind: 'fail', code: 'missing_scope', retryable: true }],
    ['duplicate', { kind: 'fail', code: 'duplicate', retryable: false }],
    ['rejected', { kind: 'fail', code: 'rejected', retryable: false }],
  ])('%s', (kind, expected) => expect(after(kind, 0)).toEqual(expected));
});
