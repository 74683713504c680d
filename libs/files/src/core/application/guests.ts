import type { Principal } from '@atrium/platform/access';

/** By what somebody from outside came: the files context knows no more of it than that. */
export interface GuestSource {
  readonly kind: 'share_link';
  readonly ref: string;
}

/**
 * Somebody from outside who acts by the rights of a member and yet is nobody of the workspace: what they send has a
 * source but no author, and what they request is in no member's lists.
 */
export interface Guest extends Principal {
  readonly guest_of: GuestSource;
}

/** A guest with the rights that a member has now. */
export const guestOf = (member: Principal, guest_of: GuestSource): Guest => ({ ...member, guest_of });

const isGuest = (caller: Principal): caller is Guest => 'guest_of' in caller;

/** The member who calls; null for guests. */
export const memberOf = (caller: Principal): string | null => (isGuest(caller) ? null : caller.user_id);

/** By what a guest came; null for members. */
export const sourceOf = (caller: Principal): GuestSource | null => (isGuest(caller) ? caller.guest_of : null);

/** The same of either kind: a member, or by what a guest came. */
export const openerOf = (caller: Principal): { readonly user_id: string | null; readonly source: GuestSource | null } => ({
  user_id: memberOf(caller),
  source: sourceOf(caller),
});
