import ipaddr from 'ipaddr.js';

const CHUNK = 256;

/** An address as 16 bytes, IPv4 in the form mapped into IPv6; null where the text is none. */
export function addressBytes(text: string | null | undefined): Uint8Array | null {
  if (!text) return null;
  const plain = text.split('%', 1)[0] ?? '';
  if (!ipaddr.isValid(plain) || (ipaddr.IPv4.isValid(plain) && !ipaddr.IPv4.isValidFourPartDecimal(plain))) return null;
  const address = ipaddr.parse(plain);
  return Uint8Array.from((address instanceof ipaddr.IPv4 ? address.toIPv4MappedAddress() : address).toByteArray());
}

/** An IPv4 address, however it was written, as four numbers; null for all others. */
export function ipv4Of(address: Uint8Array): string | null {
  const isMapped = address.every((byte, at) => at >= 12 || byte === (at < 10 ? 0 : 0xff));
  return isMapped ? address.subarray(12).join('.') : null;
}

/** A network in its usual form (`203.0.113.0/24`; a single address as `/32` or `/128`), or null where the text is none. */
export function networkValue(text: string): string | null {
  const plain = text.trim().toLowerCase();
  const [address = '', prefix, ...rest] = plain.split('/');
  if (rest.length > 0 || (prefix !== undefined && !/^\d{1,3}$/.test(prefix))) return null;
  if (!ipaddr.isValid(address) || (ipaddr.IPv4.isValid(address) && !ipaddr.IPv4.isValidFourPartDecimal(address))) return null;
  const parsed = ipaddr.parse(address);
  const isV4 = parsed instanceof ipaddr.IPv4;
  const length = prefix === undefined ? (isV4 ? 32 : 128) : Number(prefix);
  if (length > (isV4 ? 32 : 128)) return null;
  const masked = (isV4 ? ipaddr.IPv4 : ipaddr.IPv6).networkAddressFromCIDR(`${address}/${length}`);
  return `${masked.toString()}/${length}`;
}

/**
 * Networks as a binary trie: an address is found in at most as many steps as it has bits, however many networks there
 * are. A network may carry a value; the longest one that holds the address answers.
 */
export class NetworkTrie<V = true> {
  /** Two children a node; 0: none (the root is nobody's child). */
  private children = new Int32Array(2 * CHUNK);
  private readonly values: (V | undefined)[] = [undefined];
  private nodes = 1;

  /** `network` as `networkValue` answers it. */
  add(network: string, value: V): void {
    const [address = '', prefix = ''] = network.split('/');
    const bytes = addressBytes(address);
    if (!bytes) throw new RangeError('Not a network.');
    const length = Number(prefix) + (address.includes(':') ? 0 : 96);
    let node = 0;
    for (let bit = 0; bit < length; bit++) node = this.child(node, bitAt(bytes, bit));
    this.values[node] = value;
  }

  find(address: Uint8Array): V | undefined {
    let node = 0;
    let found = this.values[0];
    for (let bit = 0; bit < 128; bit++) {
      node = this.children[2 * node + bitAt(address, bit)] ?? 0;
      if (node === 0) return found;
      found = this.values[node] ?? found;
    }
    return found;
  }

  private child(node: number, bit: number): number {
    const at = 2 * node + bit;
    const present = this.children[at];
    if (present) return present;
    if (2 * this.nodes + 1 >= this.children.length) {
      const larger = new Int32Array(this.children.length * 2);
      larger.set(this.children);
      this.children = larger;
    }
    this.children[at] = this.nodes;
    this.values.push(undefined);
    return this.nodes++;
  }
}

const bitAt = (bytes: Uint8Array, bit: number): 0 | 1 => (((bytes[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1) as 0 | 1;
