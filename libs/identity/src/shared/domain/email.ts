import { normalized } from '@atrium/platform/kernel';
import { domainToASCII } from 'node:url';

const MAX_EMAIL = 254;
const FORM = /^[^\s@\p{Cc}\p{Cs}]{1,64}@[^\s@\p{Cc}\p{Cs}"<>(),;:\\[\]]+$/u;

/** An address as it is compared and stored: NFKC, lower case, the domain in ASCII. What has no form of an address stays unknown to all. */
export function normalEmail(email: string): string {
  const plain = normalized(email, 'NFKC').trim().toLowerCase();
  const at = plain.lastIndexOf('@');
  const domain = at > 0 ? asciiDomain(plain.slice(at + 1)) : '';
  return domain ? `${plain.slice(0, at)}@${domain}` : plain;
}

/** Signs that stand in names of hosts; a URL parser would take others for the end of the name, or decode them. */
const HOST_SIGNS = /^[\p{L}\p{N}\p{M}._\u200c\u200d-]+$/u;

/** A domain in ASCII; empty when it is none. */
export const asciiDomain = (text: string): string => (HOST_SIGNS.test(text) ? domainToASCII(text) : '');

/** Whether an address, once normal, is one that mail can be sent to: one line, at most 254 characters. */
export const isEmail = (email: string): boolean => email.length <= MAX_EMAIL && FORM.test(email);

export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1);
