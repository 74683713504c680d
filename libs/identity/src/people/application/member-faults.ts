import { violatesConstraint } from '@atrium/platform/database';
import { alreadyExists, Problem } from '@atrium/platform/kernel';
import type { User } from '../domain/user';

/** Throws when all seats are taken. */
export function assertSeat({ ws_seat_limit, taken }: { readonly ws_seat_limit: number | null; readonly taken: number }): void {
  if (ws_seat_limit !== null && taken >= ws_seat_limit)
    throw new Problem('limit_reached', `All ${ws_seat_limit} seats of the workspace are taken.`);
}

/** What a violated unique key of a member means. */
export function identityTaken(error: unknown, { user_email, user_external_id }: Pick<User, 'user_email' | 'user_external_id'>): unknown {
  if (violatesConstraint(error, 'workspace_user_tenant_id_user_external_id_key'))
    return alreadyExists('user_external_id', `Another user already has the user_external_id ${user_external_id ?? ''}.`);
  if (violatesConstraint(error, 'workspace_user_tenant_id_user_email_key'))
    return alreadyExists('user_email', `${user_email ?? 'The user'} is already a member.`);
  return error;
}
