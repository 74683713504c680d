import { Clock, Problem } from '@atrium/platform/kernel';
import type { ApprovalTransition } from './approval-flow';
import { ApprovalRequest, type Vote } from './approval-request';

const now = new Date('2026-11-30T12:00:00.000Z');
const later = new Date('2026-11-30T13:00:00.000Z');
class Later extends Clock {
  now(): Date {
    return later;
  }
}
const clock = new Later();
const NOBODY = { users: [], roles: [], permissions: [], creator: false };
const transition = (approvals: Partial<ApprovalTransition['approvals']>): ApprovalTransition => ({
  key: 'approve',
  name: 'Approve',
  from: ['draft'],
  to: 'approved',
  movers: NOBODY,
  comment: 'optional',
  checks: [],
  approvals: { count: 2, movers: NOBODY, allow_self: false, ...approvals },
  on_reject: null,
  actions: [],
});
const request = (approvals: Partial<ApprovalTransition['approvals']> = {}): ApprovalRequest =>
  ApprovalRequest.open(
    {
      car_id: 'r',
      flow: { caf_id: 'f', caf_on_edit: 'keep' },
      transition: transition(approvals),
      subject: { type: 'page', id: 'p', locale: 'de' },
      version: '7',
      hash: 'h7',
      comment: null,
      publish: null,
      by: 'ada',
    },
    now,
  );
const vote = (user_id: string, decision: Vote['decision'] = 'approve'): Vote => ({ user_id, decision });
const refusal = (act: () => void): [code: string, detail: string] | null => {
  try {
    act();
    return null;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return [error.code, error.detail];
  }
};

describe('an approval request', () => {
  it('keeps what it was asked for', () => {
    expect(request({ allow_self: true })).toMatchObject({
      car_status: 'open',
      car_closed: null,
      car_created: now,
      car_allow_self: true,
      car_on_edit: 'keep',
      needed: 2,
      subject: { type: 'page', id: 'p', locale: 'de' },
      car_hash: 'h7',
      car_requested_by: 'ada',
    });
  });

  it('is approved by as many people as it takes, each counted once', () => {
    const asked = request();
    expect(asked.settleVotes([vote('bob')], clock)).toBe('open');
    expect(asked.settleVotes([vote('bob'), vote('bob')], clock)).toBe('open');
    expect([asked.isOpen, asked.car_closed]).toEqual([true, null]);
    expect(asked.settleVotes([vote('bob'), vote('eve')], clock)).toBe('approved');
    expect([asked.isOpen, asked.car_closed]).toEqual([false, later]);
  });

  it('stays open while too few of those who approved may still do so', () => {
    expect(request().settleVotes([], clock)).toBe('open');
    expect(request({ count: 1 }).settleVotes([], clock)).toBe('open');
  });

  it('is rejected by one rejection, however many have approved', () => {
    expect(request().settleVotes([vote('bob'), vote('eve'), vote('cem', 'reject')], clock)).toBe('rejected');
  });

  it('is decided by approvers alone, and not by the person who asked unless the transition allows it', () => {
    const decides = (asked: ApprovalRequest, user_id: string, isApprover: boolean) =>
      refusal(() => asked.assertMayDecide({ user_id, isApprover }))?.[0] ?? null;
    expect(decides(request(), 'bob', true)).toBeNull();
    expect(decides(request(), 'bob', false)).toBe('permission_denied');
    expect(decides(request(), 'ada', true)).toBe('permission_denied');
    expect(decides(request({ allow_self: true }), 'ada', true)).toBeNull();
    expect(decides(request({ allow_self: true }), 'ada', false)).toBe('permission_denied');
  });

  it('is decided for the content that it shows, while it is open', () => {
    const asked = request();
    expect(refusal(() => asked.assertDecidable('h7'))).toBeNull();
    expect(refusal(() => asked.assertDecidable('h8'))?.[0]).toBe('precondition_failed');
    asked.withdraw(clock);
    expect(refusal(() => asked.assertDecidable('h7'))).toEqual([
      'invalid_state',
      'The approval request is withdrawn; only open requests can change.',
    ]);
  });

  it.each<[string, (asked: ApprovalRequest) => unknown]>([
    ['withdrawn', (asked) => asked.withdraw(clock)],
    ['superseded', (asked) => asked.supersede(clock)],
    ['approved', (asked) => asked.settleVotes([vote('bob'), vote('eve')], clock)],
    ['rejected', (asked) => asked.settleVotes([vote('bob', 'reject')], clock)],
  ])('that is %s does not change any more', (status, end) => {
    const asked = request();
    end(asked);
    expect([asked.car_status, asked.car_closed]).toEqual([status, later]);
    for (const act of [() => asked.withdraw(clock), () => asked.supersede(clock), () => asked.settleVotes([vote('x', 'reject')], clock)])
      expect(refusal(act)?.[0]).toBe('invalid_state');
  });
});
