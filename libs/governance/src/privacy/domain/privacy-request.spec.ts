import { Clock, DAY } from '@atrium/platform/kernel';
import { PRIVACY_STATES, PrivacyRequest, type PrivacyState } from './privacy-request';

const NOW = new Date('2026-03-01T12:00:00Z');

class StillClock extends Clock {
  now(): Date {
    return NOW;
  }
}
const clock = new StillClock();

const request = (dsr_status: PrivacyState, facts: Partial<PrivacyRequest> = {}): PrivacyRequest =>
  Object.assign(new PrivacyRequest(), {
    dsr_status,
    dsr_execute_after: NOW,
    dsr_total: 9,
    dsr_done: 0,
    dsr_report: {},
    dsr_error: null,
    dsr_expires_at: null,
    dsr_archive: null,
    ...facts,
  });

const MOVES: Readonly<Record<string, (one: PrivacyRequest) => void>> = {
  approve: (one) => one.approve('somebody', clock),
  cancel: (one) => one.cancel(clock),
  retry: (one) => one.retry(clock),
  block: (one) => one.block(clock),
  begin: (one) => one.begin(clock),
  complete: (one) => one.complete(clock),
  fail: (one) => one.fail('why', clock),
};

const allowed = (move: string): string[] =>
  PRIVACY_STATES.filter((state) => {
    try {
      MOVES[move]?.(request(state));
      return true;
    } catch {
      return false;
    }
  });

describe('a privacy request', () => {
  it('can be called off until it begins, and by nothing afterwards', () => {
    expect(allowed('cancel')).toEqual(['pending_approval', 'scheduled', 'blocked']);
  });

  it('is not called off as an erasure that waits for legal holds or has failed halfway: it says so', () => {
    const report = { files: { file: { exported: 0, deleted: 0, anonymized: 0, kept: 0, held: 1, kept_because: null } } };
    const begun = { dsr_kind: 'erasure', dsr_report: report } as const;
    for (const state of ['blocked', 'scheduled'] as const)
      expect(() => request(state, begun).cancel(clock)).toThrow(/continues automatically when they end/);
    const dsr_report = { files: { file: { ...report.files.file, held: 0 } } };
    expect(() => request('scheduled', { dsr_kind: 'erasure', dsr_report }).cancel(clock)).toThrow(/has begun/);
    const unbegun = request('blocked', { dsr_kind: 'erasure' });
    unbegun.cancel(clock);
    expect(unbegun.dsr_status).toBe('cancelled');
  });

  it('begins only when it is scheduled, and ends only when it runs', () => {
    expect(allowed('begin')).toEqual(['scheduled']);
    expect(allowed('block')).toEqual(['scheduled', 'running']);
    expect(allowed('complete')).toEqual(['running']);
    expect(allowed('fail')).toEqual(['running']);
  });

  it('is due when its time has come and not before', () => {
    expect(request('scheduled').isDue(clock)).toBe(true);
    expect(request('scheduled', { dsr_execute_after: new Date(NOW.getTime() + 1) }).isDue(clock)).toBe(false);
    expect(request('pending_approval').isDue(clock)).toBe(false);
  });

  it('keeps an archive for seven days from its end', () => {
    const one = request('running');
    one.complete(clock, { key: 'k', size: 12, days: 7 });
    expect(one).toMatchObject({
      dsr_status: 'completed',
      dsr_done: 9,
      dsr_bytes: 12,
      dsr_archive: 'k',
      dsr_expires_at: new Date(NOW.getTime() + 7 * DAY),
    });
    one.expire(clock);
    expect(one).toMatchObject({ dsr_archive: null, dsr_expires_at: NOW });
  });

  it('forgets its failure when it is put on again, and keeps what was reported', () => {
    const one = request('running');
    one.report('files', { file: { exported: 0, deleted: 0, anonymized: 0, kept: 1, kept_because: 'theirs' } });
    one.fail('x'.repeat(2_000), clock);
    expect(one.dsr_error).toHaveLength(1_000);
    one.retry(clock);
    expect(one).toMatchObject({ dsr_status: 'scheduled', dsr_error: null, dsr_report: { files: { file: { kept: 1 } } } });
  });
});
