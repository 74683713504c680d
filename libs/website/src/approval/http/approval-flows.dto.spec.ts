import { faultsOfBody, faultsOfQuery } from '@atrium/platform/testing';
import { ChangeApprovalFlow, CreateApprovalFlow, ListApprovalFlows } from './approval-flows.dto';

const STATE = { key: 'draft', name: 'Draft' };
const STEP = { key: 'approve', name: 'Approve', from: ['draft'], to: 'approved' };
const flow = (more: object): object => ({ caf_name: 'Review', caf_subject: 'node', caf_states: [STATE], ...more });
const step = (more: object): object => flow({ caf_transitions: [{ ...STEP, ...more }] });

describe('a new approval flow', () => {
  it('takes what is needed, and all that may be said', async () => {
    expect(await faultsOfBody(CreateApprovalFlow, flow({}))).toEqual([]);
    expect(
      await faultsOfBody(
        CreateApprovalFlow,
        step({
          checks: ['links'],
          approvals: { count: 20, movers: { users: [] }, allow_self: true },
          on_reject: null,
          comment: 'required',
        }),
      ),
    ).toEqual([]);
  });

  it('is refused with nothing in it, naming what is needed', async () => {
    expect((await faultsOfBody(CreateApprovalFlow, {})).map(({ path }) => path).sort()).toEqual(['caf_name', 'caf_states', 'caf_subject']);
  });

  it.each<[string, object, string]>([
    ['no states', flow({ caf_states: [] }), 'caf_states'],
    ['51 states', flow({ caf_states: Array.from({ length: 51 }, () => STATE) }), 'caf_states'],
    ['201 transitions', flow({ caf_transitions: Array.from({ length: 201 }, () => STEP) }), 'caf_transitions'],
    ['a key in capitals', flow({ caf_states: [{ ...STATE, key: 'Draft' }] }), 'caf_states[0].key'],
    ['a color that is none', flow({ caf_states: [{ ...STATE, color: 'red' }] }), 'caf_states[0].color'],
    ['an unknown field of a state', flow({ caf_states: [{ ...STATE, final: true }] }), 'caf_states[0].final'],
    ['a site that is not an id', flow({ caf_scope: { sites: ['shop'] } }), 'caf_scope.sites'],
    [
      '201 sites',
      flow({ caf_scope: { sites: Array.from({ length: 201 }, (_, n) => `0190a1b2-0000-7000-8000-${String(n).padStart(12, '0')}`) } }),
      'caf_scope.sites',
    ],
    ['an unknown member of the scope', flow({ caf_scope: { templates: [] } }), 'caf_scope.templates'],
    ['21 approvals', step({ approvals: { count: 21 } }), 'caf_transitions[0].approvals.count'],
    ['less than no approvals', step({ approvals: { count: -1 } }), 'caf_transitions[0].approvals.count'],
    ['a transition from nowhere', step({ from: [] }), 'caf_transitions[0].from'],
    ['an unknown rule for comments', step({ comment: 'maybe' }), 'caf_transitions[0].comment'],
    ['another way to handle edits', flow({ caf_on_edit: 'ignore' }), 'caf_on_edit'],
    ['an active state of its own', flow({ caf_active: true }), 'caf_active'],
  ])('is refused with %s', async (_, body, path) => {
    expect((await faultsOfBody(CreateApprovalFlow, body)).map((fault) => fault.path)).toEqual([path]);
  });
});

describe('a change of an approval flow', () => {
  it('may say nothing, and never another subject', async () => {
    expect(await faultsOfBody(ChangeApprovalFlow, {})).toEqual([]);
    expect(await faultsOfBody(ChangeApprovalFlow, { state_map: { review: 'draft' } })).toEqual([]);
    expect(await faultsOfBody(ChangeApprovalFlow, { caf_subject: 'node' })).toMatchObject([{ path: 'caf_subject', code: 'unknown_field' }]);
    expect(await faultsOfBody(ChangeApprovalFlow, { caf_states: [] })).toMatchObject([{ path: 'caf_states' }]);
    expect(await faultsOfBody(ChangeApprovalFlow, { state_map: 'draft' })).toMatchObject([{ path: 'state_map' }]);
  });
});

describe('a list of approval flows', () => {
  it('is filtered by what flows have', async () => {
    expect(await faultsOfQuery(ListApprovalFlows, 'caf_name=review&caf_subject=node&caf_active=true')).toEqual([]);
    expect(await faultsOfQuery(ListApprovalFlows, 'caf_active=perhaps')).toMatchObject([{ path: 'caf_active' }]);
  });
});
