import { timingSafeEqual } from 'node:crypto';
import { isModule, PermissionSet, unauthenticated, type CallerFacts, type CallTrace } from '@atrium/platform/access';
import { DAY, Problem } from '@atrium/platform/kernel';
import { Idleness, refusalByAddress, refusalByMethod } from '../domain/call-rules';
import type { KeyRow, MemberFacts, SessionRow } from '../infrastructure/caller.rows';

export const tenantForbidden = (): Problem =>
  new Problem('tenant_forbidden', 'This workspace does not exist, or you are not a member of it.');

export const sessionEnded = (): Problem => unauthenticated('The session has ended; sign in again.');

/** The rules of one workspace for one session; every call that is let in is a use of it. */
export function refusalOfSession(row: SessionRow, { security, mfa }: MemberFacts): (call: CallTrace) => Problem | null {
  const idle = new Idleness(new Date(row.ses_last_used_at), security.session_idle_minutes);
  return (call) => {
    if (idle.isOver(call.now)) return unauthenticated('The session was idle for too long; sign in again.');
    const refusal = refusalByAddress(call, security.ip_allow) ?? (call.enrolling ? null : refusalByMethod(security, row.ses_methods, mfa));
    if (!refusal) idle.used(call.now);
    return refusal;
  };
}

/** When the secret ends: with the key, or with the overlap after a rotation; null: never. */
export function endOfSecret(row: KeyRow, hash: string): Date | null | 'unknown' {
  const end = row.key_expires_at ? new Date(row.key_expires_at) : null;
  if (sameHash(row.key_hash, hash)) return end;
  if (row.key_prev_hash === null || row.key_prev_expires_at === null || !sameHash(row.key_prev_hash, hash)) return 'unknown';
  return earlier(new Date(row.key_prev_expires_at), end);
}

/** The earlier of two ends; null is none. */
const earlier = (a: Date, b: Date | null): Date => (b && b < a ? b : a);

export const isLive = (row: SessionRow | undefined, credential: { readonly user_id: string }): row is SessionRow =>
  row !== undefined && row.ses_ended_at === null && row.acc_id === credential.user_id;

/** Whether an administrator signed the person out of this workspace since the session began. */
export const isSignedOut = ({ ses_created }: SessionRow, { signed_out_at }: MemberFacts): boolean =>
  signed_out_at !== null && new Date(ses_created) <= new Date(signed_out_at);

/** When a session ends at the latest, in this workspace. */
export const endOfSession = ({ ses_created, ses_expires_at }: SessionRow, { security }: MemberFacts): Date =>
  earlier(new Date(ses_expires_at), new Date(new Date(ses_created).getTime() + security.session_max_days * DAY));

/** Members only, and only while member, account and workspace are active. */
export function refusalOf(facts: MemberFacts): Problem | null {
  if (facts.acc_status !== null && facts.acc_status !== 'active') return unauthenticated();
  if (facts.user_status !== 'active') return tenantForbidden();
  if (facts.ws_status !== 'active')
    return new Problem(
      'tenant_forbidden',
      `The workspace is ${facts.ws_status === 'deleting' ? 'being deleted' : 'suspended'}.${facts.ws_status_reason ? ` ${facts.ws_status_reason}` : ''}`,
    );
  return null;
}

export function factsOf(
  facts: MemberFacts,
  scopes: readonly string[] | null,
): Pick<CallerFacts, 'stamp' | 'kind' | 'role_ids' | 'space_ids' | 'permissions' | 'licenses'> {
  const granted = PermissionSet.of(facts.grants);
  return {
    stamp: facts.stamp,
    kind: facts.user_kind,
    role_ids: facts.role_ids,
    space_ids: facts.space_ids,
    permissions: scopes === null ? granted : granted.and(PermissionSet.of(scopes)),
    licenses: facts.licenses.flatMap(({ module, from, until }) =>
      isModule(module) ? [{ module, from: new Date(from), until: until ? new Date(until) : null }] : [],
    ),
  };
}

const sameHash = (a: string, b: string): boolean => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
