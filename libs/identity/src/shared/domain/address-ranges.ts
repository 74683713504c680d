import ipaddr from 'ipaddr.js';

/** A range as it is stored: CIDR; a single address becomes a range of one. Null for anything else. */
export function normalRange(text: string): string | null {
  const plain = text.trim();
  if (plain.includes('%')) return null; // a zone means something on one machine only
  if (ipaddr.isValidCIDR(plain)) return plain.toLowerCase();
  if (!ipaddr.isValid(plain) || (ipaddr.IPv4.isValid(plain) && !ipaddr.IPv4.isValidFourPartDecimal(plain))) return null;
  const address = ipaddr.parse(plain);
  return `${address.toString()}/${address.kind() === 'ipv4' ? 32 : 128}`;
}

/** Whether the address is in one of the ranges; an IPv4 address in an IPv6 coat is taken for what it is. */
export function inRanges(address: string | undefined, ranges: readonly string[]): boolean {
  if (!address || !ipaddr.isValid(address)) return false;
  const known = ipaddr.process(address);
  return ranges.some((range) => {
    const [network, bits] = ipaddr.parseCIDR(range);
    return network.kind() === known.kind() && known.match(network, bits);
  });
}
