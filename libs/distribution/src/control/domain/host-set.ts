import { domainToASCII } from 'node:url';

const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;
/** What a rule names besides hosts: a request without Referer and Origin. */
const NO_HOST = 'none';

/** A host in lower case and punycode, or null where the text is none. */
export function hostValue(text: string): string | null {
  const ascii = domainToASCII(text.trim().replace(/\.$/, '')).toLowerCase();
  if (ascii === '' || ascii.length > 253) return null;
  return ascii.split('.').every((label) => LABEL.test(label)) ? ascii : null;
}

/** `example.com`, `*.example.com` (its subdomains) or `none`, as rules store it; null where it is neither. */
export function hostPattern(text: string): string | null {
  const plain = text.trim();
  if (plain.toLowerCase() === NO_HOST) return NO_HOST;
  if (!plain.startsWith('*.')) return hostValue(plain);
  const host = hostValue(plain.slice(2));
  return host && `*.${host}`;
}

/** The host of the page a request comes from: of Referer, else of Origin; null where neither names one. */
export function requestingHost({
  referer,
  origin,
}: {
  readonly referer?: string | undefined;
  readonly origin?: string | undefined;
}): string | null {
  for (const address of [referer, origin]) {
    if (!address || !URL.canParse(address)) continue;
    const host = hostValue(new URL(address).hostname.replace(/^\[|\]$/g, ''));
    if (host) return host;
  }
  return null;
}

/** Hosts, some with everything below them: asked with as many look-ups as the host has labels. */
export class HostSet {
  private readonly exact = new Set<string>();
  private readonly below = new Set<string>();
  readonly namesNone: boolean;

  constructor(patterns: readonly string[]) {
    this.namesNone = patterns.includes(NO_HOST);
    for (const pattern of patterns) {
      if (pattern.startsWith('*.')) this.below.add(pattern.slice(2));
      else if (pattern !== NO_HOST) this.exact.add(pattern);
    }
  }

  has(host: string): boolean {
    if (this.exact.has(host)) return true;
    for (let dot = host.indexOf('.'); dot >= 0; dot = host.indexOf('.', dot + 1)) if (this.below.has(host.slice(dot + 1))) return true;
    return false;
  }
}
