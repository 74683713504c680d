import { invalidFields, type JsonObject } from '@atrium/platform/kernel';
import type { StateMap } from '../domain/state-map';

/** New states of removed ones as a client wrote them. */
export function stateMapOf(map: JsonObject = {}, field = 'state_map'): StateMap {
  const strange = Object.entries(map).filter(([, key]) => typeof key !== 'string');
  if (strange.length > 0)
    throw invalidFields(
      strange
        .slice(0, 50)
        .map(([old]) => ({ path: `${field}.${old}`.slice(0, 120), code: 'string', message: 'must be the key of a state' })),
    );
  return map as StateMap;
}
