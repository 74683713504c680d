import { invalidField } from '@atrium/platform/kernel';

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** An address that an authorization may lead back to: https, or http on the machine at hand, and on the list where there is one. */
export function assertRedirect(address: string, allowed: readonly string[]): void {
  const url = URL.canParse(address) ? new URL(address) : null;
  const isSafe = url !== null && (url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.has(url.hostname)));
  if (!isSafe || address.includes('#') || url.username !== '')
    throw invalidField(
      'redirect_uri',
      'must be an absolute https URL without a fragment (http is allowed for localhost only)',
      'redirect_uri',
    );
  if (allowed.length > 0 && !allowed.includes(address))
    throw invalidField('redirect_uri', 'is not one of the addresses that the operator allows', 'redirect_uri');
}
