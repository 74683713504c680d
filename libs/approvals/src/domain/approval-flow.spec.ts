import { Clock } from '@atrium/platform/kernel';
import { ApprovalFlow, approvalStateOf, transitionTowardsPublishing, type ApprovalState, type ApprovalTransition } from './approval-flow';

const now = new Date('2026-11-30T12:00:00.000Z');
const later = new Date('2026-12-01T12:00:00.000Z');
class Later extends Clock {
  now(): Date {
    return later;
  }
}
const clock = new Later();
const NOBODY = { users: [], roles: [], permissions: [], creator: false };
const state = (key: string, more: Partial<ApprovalState> = {}): ApprovalState => ({
  key,
  name: key,
  color: null,
  initial: false,
  publishable: false,
  locked: false,
  description: null,
  ...more,
});
const transition = (key: string, from: readonly string[], to: string): ApprovalTransition => ({
  key,
  name: key,
  from,
  to,
  movers: NOBODY,
  comment: 'optional',
  checks: [],
  approvals: { count: 0, movers: NOBODY, allow_self: false },
  on_reject: null,
  actions: [],
});

const states = [
  state('draft', { initial: true }),
  state('review'),
  state('legal'),
  state('approved', { publishable: true }),
  state('dead'),
];

describe('an approval flow', () => {
  it('begins inactive, covers everything and resets at edits', () => {
    const flow = ApprovalFlow.blank({ caf_id: 'f', caf_states: states }, now);
    expect(flow).toMatchObject({
      caf_active: false,
      caf_scope: { sites: [], locales: [] },
      caf_on_edit: 'reset',
      caf_revision: 1,
      caf_map: {},
    });
  });

  it('is switched on and off without another revision, and revised with one', () => {
    const flow = ApprovalFlow.blank({ caf_id: 'f', caf_states: states }, now);
    flow.activate(clock);
    expect([flow.caf_active, flow.caf_revision, flow.caf_updated]).toEqual([true, 1, later]);
    flow.deactivate(clock);
    flow.revise(clock);
    expect([flow.caf_active, flow.caf_revision]).toEqual([false, 2]);
  });

  it('knows what a removed state means now', () => {
    const flow = { caf_states: states, caf_map: { old: 'approved' } };
    expect(['review', 'old', 'strange'].map((key) => approvalStateOf(flow, key)?.key)).toEqual(['review', 'approved', 'draft']);
  });

  it('names the transition that comes first on the shortest path to a publishable state', () => {
    const caf_transitions = [
      transition('ask_legal', ['review'], 'legal'),
      transition('clear', ['legal'], 'approved'),
      transition('submit', ['draft'], 'review'),
      transition('approve', ['review'], 'approved'),
      transition('bury', ['*'], 'dead'),
    ];
    const first = (from: string) => transitionTowardsPublishing({ caf_states: states, caf_transitions }, from)?.key;
    expect(['draft', 'review', 'legal', 'dead'].map(first)).toEqual(['submit', 'approve', 'clear', undefined]);
  });
});
