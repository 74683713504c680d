import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** `public`: on the public internet; `allow-listed`: private, but the operator opened it; `refused`: all else. */
export type Reach = 'public' | 'allow-listed' | 'refused';

/** The only part of IPv6 that is routed in the world; everything outside of it is special, reserved or a form of IPv4. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');
/** A public address that a cloud answers its own machines' metadata at. */
const METADATA_IN_PUBLIC_SPACE = new Set(['168.63.129.16']);

/**
 * Says which addresses the service may connect to on behalf of a user: those of the public internet, and what the
 * operator lists by host name, address or range. An IPv4 address mapped into IPv6 is judged as an IPv4 address.
 */
export class AddressPolicy {
  private readonly hosts = new Set<string>();
  private readonly ranges: [Address, number][] = [];

  constructor(allowed: readonly string[]) {
    for (const item of allowed) {
      if (item.includes('/')) this.ranges.push(rangeOf(item));
      else if (ipaddr.isValid(item)) this.ranges.push(singleAddress(item));
      else this.hosts.add(bareName(item));
    }
  }

  /** Whether the operator opened this host by its name, whatever it resolves to. */
  allowsHost(hostname: string): boolean {
    return this.hosts.has(bareName(hostname));
  }

  classifyAddress(text: string): Reach {
    if (!ipaddr.isValid(text)) return 'refused';
    const address = ipaddr.process(text);
    if (this.ranges.some((range) => address.kind() === range[0].kind() && address.match(range))) return 'allow-listed';
    return isPublic(address) ? 'public' : 'refused';
  }
}

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  if (address instanceof ipaddr.IPv6) return address.match(GLOBAL_IPV6);
  return !METADATA_IN_PUBLIC_SPACE.has(address.toString());
}

function rangeOf(item: string): [Address, number] {
  if (!ipaddr.isValidCIDR(item)) throw new Error(`OUTBOUND_ALLOW: "${item}" is not a host, an address or a CIDR range.`);
  return ipaddr.parseCIDR(item);
}

function singleAddress(item: string): [Address, number] {
  const address = ipaddr.process(item);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

const bareName = (hostname: string): string => hostname.toLowerCase().replace(/\.$/, '');
