import { DAY, MINUTE, Problem, SECOND } from '@atrium/platform/kernel';

/** How long a link is good. */
export const INVITATION_LIFE = 7 * DAY;
const A_DAY_AT_MOST = 10;

/** What is known of a link and of the account it is for. */
export interface Invited {
  readonly inv_mailed: boolean;
  readonly acc_proven: boolean;
  readonly acc_used: boolean;
}

/**
 * Whether the account has an owner who must show who they are: the link alone is no way in. A link that only the mailbox
 * has seen is good for an account whose address was never proven, whatever a stranger put into it; any other link for an
 * account that is nobody's yet.
 */
export const mustSignIn = ({ inv_mailed, acc_proven, acc_used }: Invited): boolean => (inv_mailed ? acc_proven : acc_used);

/** Refuses a further link to one member: one a minute, ten a day. `sent` are the times of earlier ones, latest first. */
export function assertMaySendAgain(sent: readonly Date[], now: Date): void {
  const ages = sent.map((at) => now.getTime() - at.getTime()).filter((age) => age < DAY);
  const waits = [MINUTE - (ages[0] ?? MINUTE), DAY - (ages[A_DAY_AT_MOST - 1] ?? DAY)];
  const wait = Math.max(...waits);
  if (wait > 0)
    throw new Problem('rate_limited', 'An invitation can be sent once a minute and ten times a day. Try again later.', {
      headers: { 'Retry-After': String(Math.ceil(wait / SECOND)) },
    });
}

/** An address as the holder of a link may see it: `a***@example.com`. */
export const maskedEmail = (email: string): string => email.replace(/^(.).*(?=@)/su, '$1***');
