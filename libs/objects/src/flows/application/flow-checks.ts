import { Injectable } from '@nestjs/common';
import { absentFrom, absentMovers, assertGraph, FlowActors } from '@atrium/approvals';
import { Expression, FormRows } from '@atrium/forms';
import { isPermission } from '@atrium/platform/access';
import { Clock, invalidFields, type FieldFault } from '@atrium/platform/kernel';
import { isDeepStrictEqual } from 'node:util';
import type { LifecycleFlow, LifecycleTransition } from '../domain/lifecycle-flow';

type CheckedFlow = Pick<LifecycleFlow, 'olf_forms' | 'olf_states' | 'olf_transitions'>;

const FIELDS = { states: 'olf_states', transitions: 'olf_transitions' };
const MOST_FAULTS = 50;

/**
 * Refuses flows that objects could not follow: graph, conditions, and everything that transitions name. What the flow named already is
 * not asked after again: members and roles may have gone, fields may have been removed. Within the open unit of work.
 */
@Injectable()
export class FlowChecks {
  constructor(
    private readonly actors: FlowActors,
    private readonly forms: FormRows,
    private readonly clock: Clock,
  ) {}

  async demandSound(flow: CheckedFlow, before?: CheckedFlow): Promise<void> {
    assertGraph({ states: flow.olf_states, transitions: flow.olf_transitions }, FIELDS);
    const faults = [
      ...flow.olf_transitions.flatMap((transition, at) => conditionFaults(transition, at, this.clock.now())),
      ...(await this.strangers(flow, before)),
      ...(await this.unknownForms(flow, before)),
    ];
    if (faults.length > 0) throw invalidFields(faults.slice(0, MOST_FAULTS));
  }

  /** Members, roles and permissions that do not exist. */
  private async strangers({ olf_transitions }: CheckedFlow, before: CheckedFlow | undefined): Promise<FieldFault[]> {
    const [found, old] = [await this.actors.known(namedIn(olf_transitions)), namedIn(before?.olf_transitions ?? [])];
    const known = { users: new Set([...found.users, ...old.users]), roles: new Set([...found.roles, ...old.roles]) };
    return olf_transitions.flatMap(({ movers, actions }, at): FieldFault[] => {
      const path = `olf_transitions[${at}]`;
      return [
        ...absentMovers(`${path}.movers`, movers, known),
        ...movers.permissions.flatMap((permission, n): FieldFault[] =>
          isPermission(permission) ? [] : [{ path: `${path}.movers.permissions[${n}]`, code: 'choice', message: 'is not a permission' }],
        ),
        ...actions.flatMap(({ users, roles }, n) => [
          ...absentFrom(`${path}.actions[${n}].users`, users, { exists: (id) => known.users.has(id), kind: 'member' }),
          ...absentFrom(`${path}.actions[${n}].roles`, roles, { exists: (id) => known.roles.has(id), kind: 'role' }),
        ]),
      ];
    });
  }

  /** Schemas that do not exist, and required fields that one of them does not have. */
  private async unknownForms({ olf_forms, olf_transitions }: CheckedFlow, before: CheckedFlow | undefined): Promise<FieldFault[]> {
    if (before && isDeepStrictEqual([olf_forms, olf_transitions], [before.olf_forms, before.olf_transitions])) return [];

    const forms = await this.forms.openAll('object', olf_forms);
    const absent = absentFrom('olf_forms', olf_forms, { exists: (id) => forms.has(id), kind: 'object schema' });
    const fields = olf_transitions.flatMap(({ require_fields }, at) =>
      require_fields.flatMap((key, n): FieldFault[] => {
        const lacking = [...forms.values()].find(({ compiled }) => !compiled.fields.some((field) => field.key === key));
        if (!lacking) return [];
        const path = `olf_transitions[${at}].require_fields[${n}]`;
        return [{ path, code: 'reference', message: `is not a field of the schema ${lacking.form_name}: ${key}` }];
      }),
    );
    return [...absent, ...fields];
  }
}

const namedIn = (transitions: readonly LifecycleTransition[]): { readonly users: string[]; readonly roles: string[] } => ({
  users: transitions.flatMap(({ movers, actions }) => [...movers.users, ...actions.flatMap(({ users }) => users)]),
  roles: transitions.flatMap(({ movers, actions }) => [...movers.roles, ...actions.flatMap(({ roles }) => roles)]),
});

/** A condition must be read, and give true or false where it gives anything of an object without values. */
function conditionFaults({ condition }: LifecycleTransition, at: number, now: Date): FieldFault[] {
  if (condition === null) return [];
  const path = `olf_transitions[${at}].condition`;
  const read = Expression.parse(condition);
  if (read instanceof Expression) {
    const answer = read.evaluate({ content: {}, previous: {}, state: '', user: { id: '', roles: [] }, now });
    const isCondition = answer === undefined || answer === null || typeof answer === 'boolean';
    return isCondition ? [] : [{ path, code: 'type', message: `The condition ${condition} must evaluate to true or false.` }];
  }
  return [{ path, code: 'expression', message: `${read.message} (at position ${read.position})` }];
}
