import { lookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { promisify } from 'node:util';
import { Problem } from '@atrium/platform/kernel';
import type { AddressPolicy } from './address-policy';

/** Asks for all addresses of a name, once. */
export type Resolver = (hostname: string) => Promise<readonly LookupAddress[]>;

/** A URL together with the addresses it may be reached at: all of them were checked, and no name is asked for again. */
export interface Target {
  readonly url: URL;
  readonly addresses: readonly LookupAddress[];
}

const MAX_URL = 8_192;
const UNKNOWN_NAME = new Set(['ENOTFOUND', 'ENODATA', 'EINVAL']);

const lookupAll = promisify(lookup);

/** Both families, in the order the system prefers. */
export const systemResolver: Resolver = (hostname) => lookupAll(hostname, { all: true, verbatim: true });

/** Gives the checked addresses to the socket, whatever name servers answer by then. */
export const pinnedTo =
  (addresses: readonly LookupAddress[]): LookupFunction =>
  (_hostname, { all }, callback) => {
    const [first] = addresses;
    if (all) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family);
  };

/** Turns a user-supplied address into a checked target, or throws what is wrong with it. */
export class TargetCheck {
  constructor(
    private readonly policy: AddressPolicy,
    private readonly resolve: Resolver,
  ) {}

  async checkAddress(address: string | URL): Promise<Target> {
    const url = parse(address);
    const { addresses, isPublic } = await this.resolveHost(url.hostname.replace(/^\[|\]$/g, ''));
    if (url.protocol === 'http:' && isPublic) throw new Problem('unprocessable_content', 'The address must start with https://.');
    return { url, addresses };
  }

  /** The addresses of a host, each of which may be reached; `isPublic`: at least one of them is on the public internet. */
  async resolveHost(hostname: string): Promise<{ readonly addresses: readonly LookupAddress[]; readonly isPublic: boolean }> {
    const addresses = await this.addressesOf(hostname);
    const named = this.policy.allowsHost(hostname);
    const reaches = addresses.map((found) => (named ? 'allow-listed' : this.policy.classifyAddress(found.address)));
    // One forbidden address among several is enough: the owner of the name must not choose which of them is used.
    if (reaches.length === 0 || reaches.includes('refused')) throw unreachable();
    return { addresses, isPublic: reaches.includes('public') };
  }

  private async addressesOf(hostname: string): Promise<readonly LookupAddress[]> {
    const family = isIP(hostname);
    if (family !== 0) return [{ address: hostname, family }];
    try {
      return await this.resolve(hostname);
    } catch (error) {
      if (UNKNOWN_NAME.has((error as NodeJS.ErrnoException).code ?? '')) throw unreachable();
      throw new Problem('upstream_failed', 'The host name of the address cannot be resolved at the moment. Try again shortly.');
    }
  }
}

/** The URL parser also folds the other spellings of IPv4 (decimal, octal, hexadecimal, short) into the plain one. */
function parse(address: string | URL): URL {
  const text = String(address);
  if (text.length > MAX_URL || !URL.canParse(text)) throw new Problem('unprocessable_content', 'The address is not a valid URL.');
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new Problem('unprocessable_content', 'The address must start with https://.');
  if (url.username !== '' || url.password !== '')
    throw new Problem('unprocessable_content', 'The address must not contain a user name or password.');
  return url;
}

/** One sentence for unknown and for private names, so that a caller cannot map the network behind the service. */
const unreachable = (): Problem => new Problem('unprocessable_content', 'The host of the address does not exist or is not public.');
