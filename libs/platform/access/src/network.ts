import ipaddr from 'ipaddr.js';

/**
 * What an address counts as when attempts are counted: an IPv4 address as itself, an IPv6 address as its /64, since a
 * household or a rented server has a whole one. An IPv4-mapped IPv6 address counts as IPv4; anything else counts as itself.
 */
export const networkOf = (address: string): string => prefixOf(address, { ipv4: 32, ipv6: 64 });

/** The same, wider: what one provider hands to one customer at most. For places that have no other bound. */
export const neighbourhoodOf = (address: string): string => prefixOf(address, { ipv4: 24, ipv6: 48 });

function prefixOf(address: string, bits: { readonly ipv4: number; readonly ipv6: number }): string {
  const plain = address.split('%')[0] ?? address;
  if (!ipaddr.isValid(plain)) return address;
  const known = ipaddr.process(plain);
  const length = bits[known.kind()];
  const bytes = known
    .toByteArray()
    .map((byte, i) => (8 * (i + 1) <= length ? byte : 8 * i >= length ? 0 : byte & (0xff << (8 * (i + 1) - length))));
  return `${ipaddr.fromByteArray(bytes).toString()}/${length}`;
}
