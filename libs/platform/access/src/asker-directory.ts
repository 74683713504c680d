import type { Principal } from './principal';

/** Who asked for work that is done later: a member, with a key or without. */
export interface Requester {
  readonly user_id: string;
  readonly key_id: string | null;
}

/** Port: the rights of an asker at this moment. Rejects with the problem that a call of theirs would get. */
export abstract class RequesterDirectory {
  abstract resolvePrincipal(asker: Requester): Promise<Principal>;
}
