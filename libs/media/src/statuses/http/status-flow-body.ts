import { isPermission } from '@atrium/platform/access';
import { invalidFields, type FieldFault, type JsonObject } from '@atrium/platform/kernel';
import type { FlowFacts } from '../application/status-flows.service';
import type { StatusRemap, StatusState, StatusTransition } from '../domain/media-status-flow';
import type { PutStatusFlow, StatusStateBody, StatusTransitionBody } from './statuses.dto';

/** A flow as a client put it, with everything said that was left out. */
export function flowOf({ msf_states, msf_transitions, remap, msf_description, msf_active, ...body }: PutStatusFlow): FlowFacts {
  const strange = msf_transitions.flatMap(({ movers }, at): FieldFault[] =>
    (movers?.permissions ?? []).flatMap((permission, n): FieldFault[] =>
      isPermission(permission)
        ? []
        : [{ path: `msf_transitions[${at}].movers.permissions[${n}]`, code: 'choice', message: 'must be a permission' }],
    ),
  );
  if (strange.length > 0) throw invalidFields(strange);
  return {
    ...body,
    msf_description: msf_description ?? null,
    ...(msf_active === undefined ? {} : { msf_active }),
    msf_states: msf_states.map(stateOf),
    msf_transitions: msf_transitions.map(transitionOf),
    ...(remap ? { remap: remapOf(remap) } : {}),
  };
}

const stateOf = ({
  key,
  label,
  color,
  initial,
  final,
  locks_edit,
  allows_download,
  allows_publish,
  allows_share,
}: StatusStateBody): StatusState => ({
  key,
  label,
  color: color ?? null,
  initial: initial ?? false,
  final: final ?? false,
  locks_edit: locks_edit ?? false,
  allows_download: allows_download ?? true,
  allows_publish: allows_publish ?? true,
  allows_share: allows_share ?? true,
});

const transitionOf = ({ from, to, label, movers, requires_comment, required_tags, side }: StatusTransitionBody): StatusTransition => ({
  from,
  to,
  label: label ?? to,
  movers: { permissions: movers?.permissions ?? [], roles: movers?.roles ?? [], users: movers?.users ?? [] },
  requires_comment: requires_comment ?? false,
  required_tags: required_tags ?? [],
  side: { notify: side?.notify ?? [] },
});

function remapOf(remap: JsonObject): StatusRemap {
  const strange = Object.entries(remap).filter(([, key]) => typeof key !== 'string');
  if (strange.length > 0)
    throw invalidFields(
      strange.map(([old]) => ({ path: `remap.${old}`.slice(0, 120), code: 'string', message: 'must be the key of a state' })),
    );
  return remap as StatusRemap;
}
