import { invalidField, isId, Problem, type JsonObject } from '@atrium/platform/kernel';
import { ACL_LEVELS } from './acl';

const SUBJECTS: readonly string[] = ['users', 'roles', 'spaces'];

/**
 * An access list as somebody enters it in a field: levels by the ids of users, roles and spaces. One that restricts at all keeps
 * an owner, so that somebody can change it again; the empty one restricts nobody.
 */
export function checkedAcl(field: string, acl: JsonObject): JsonObject {
  for (const [subject, entries] of Object.entries(acl)) {
    if (!SUBJECTS.includes(subject)) throw invalidField(`${field}.${subject}`, 'is not one of users, roles, spaces', 'unknown_field');
    if (typeof entries !== 'object' || entries === null || Array.isArray(entries))
      throw invalidField(`${field}.${subject}`, 'must be an object of levels by id', 'object');
    for (const [id, level] of Object.entries(entries)) {
      if (!isId(id)) throw invalidField(`${field}.${subject}`, 'must name its subjects by uuid', 'uuid');
      if (typeof level !== 'string' || !Object.hasOwn(ACL_LEVELS, level))
        throw invalidField(`${field}.${subject}.${id}`, 'must be view, edit or owner', 'choice');
    }
  }
  const levels = Object.values(acl).flatMap((entries) => Object.values(entries as JsonObject));
  if (levels.length > 0 && !levels.includes('owner'))
    throw new Problem('validation_failed', `${field}: must keep at least one owner.`, {
      errors: [{ path: field, code: 'owner', message: 'must keep at least one owner' }],
    });
  return acl;
}
