import { accessDenied, MINUTE, type Problem } from '@atrium/platform/kernel';
import { inRanges } from '../../shared/domain/address-ranges';
import type { SecurityRules } from './security-rules';

/** Where a call may come from: within the workspace's ranges and, with a key, the key's; no range means anywhere, and then nobody asks for the address. */
export function refusalByAddress(call: { readonly address: string | undefined }, ...lists: readonly (readonly string[])[]): Problem | null {
  const allowed = lists.every((ranges) => ranges.length === 0 || inRanges(call.address, ranges));
  return allowed ? null : accessDenied('Requests from your IP address are not allowed.');
}

/** Whether the workspace takes a session as it was made; an external issuer is trusted to ask for a second factor itself. */
export function refusalByMethod(
  { require_mfa, password_login }: Pick<SecurityRules, 'require_mfa' | 'password_login'>,
  methods: readonly string[],
  enrolled: boolean,
): Problem | null {
  if (methods.includes('ext')) return null;
  if (!password_login)
    return accessDenied(
      'This workspace does not allow sign-in with a password. Sign in through its identity provider (POST /auth/exchange).',
    );
  if (!require_mfa || methods.includes('otp')) return null;
  const advice = enrolled ? 'sign in again with a code' : 'set one up (POST /me/mfa/totp), then sign in with a code';
  return accessDenied(`This workspace requires a second factor: ${advice}.`);
}

/** Uses are noted once a minute. */
const NOTED_EVERY_MS = MINUTE;

/** How long a session may be unused; each use extends it. */
export class Idleness {
  private until: number;

  constructor(
    lastUsed: Date,
    private readonly minutes: number,
  ) {
    this.until = lastUsed.getTime() + minutes * MINUTE + NOTED_EVERY_MS;
  }

  isOver(now: Date): boolean {
    return this.until <= now.getTime();
  }

  used(now: Date): void {
    this.until = Math.max(this.until, now.getTime() + this.minutes * MINUTE);
  }
}
