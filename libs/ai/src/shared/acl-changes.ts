/** Subjects of a list of an agent or a prompt. */
export const MOST_SUBJECTS = 200;

/**
 * Whether a change is one of the access list alone. Reading the row is enough to begin it, as it is for other lists:
 * `assertAclChange` leaves it to owners and administrators.
 */
export function saysOnly(acl: string, facts: object): boolean {
  const [first, second] = Object.entries(facts).filter(([, value]) => value !== undefined);
  return first?.[0] === acl && second === undefined;
}
