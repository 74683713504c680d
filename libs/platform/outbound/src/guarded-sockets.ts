import type { LookupAddress } from 'node:dns';
import { isIP, Socket } from 'node:net';
import { Injectable } from '@nestjs/common';
import { listOf, Settings } from '@atrium/platform/config';
import { Problem } from '@atrium/platform/kernel';
import { AddressPolicy } from './address-policy';
import { outboundProblem } from './outbound-problems';
import { DEFAULT_TIMEOUTS } from './outbound-request';
import { pinnedTo, systemResolver, TargetCheck, type Resolver } from './target';
import { untilAborted } from './within';

/** A server that a user named, for protocols other than HTTP. */
export interface Endpoint {
  /** A name or an IP address. */
  readonly host: string;
  readonly port: number;
  /** Whether what is said on the connection is encrypted before a credential is sent. */
  readonly encrypted: boolean;
}

/**
 * A socket that has not connected yet and can connect to one place alone: the addresses that were checked. A client that is given it
 * says where it thinks that it connects to, which has no effect.
 */
export class GuardedSocket extends Socket {
  constructor(
    private readonly port: number,
    private readonly addresses: readonly LookupAddress[],
  ) {
    super();
  }

  /** The host is a name whatever was asked for, so that the lookup is used. */
  override connect(): this {
    return super.connect({ host: 'checked.invalid', port: this.port, lookup: pinnedTo(this.addresses) });
  }
}

/** The way to servers that users name and that do not speak HTTP, under the rules of `GuardedHttp`. */
@Injectable()
export class GuardedSockets {
  private readonly targets: TargetCheck;

  constructor(settings: Settings) {
    this.targets = new TargetCheck(new AddressPolicy(listOf(settings.OUTBOUND_ALLOW)), (hostname) => this.resolve(hostname));
  }

  /** Checks a server without connecting to it, so that it is rejected when it is entered. */
  async checkEndpoint(endpoint: Endpoint): Promise<void> {
    await this.addressesOf(endpoint, AbortSignal.timeout(DEFAULT_TIMEOUTS.connect)).catch((error: unknown) => {
      throw outboundProblem(error);
    });
  }

  /** Looks the name up, once, and answers a socket that connects to nothing but what was found and checked. */
  async openSocket(endpoint: Endpoint, signal: AbortSignal): Promise<GuardedSocket> {
    const deadline = AbortSignal.timeout(DEFAULT_TIMEOUTS.connect);
    try {
      return new GuardedSocket(endpoint.port, await this.addressesOf(endpoint, AbortSignal.any([signal, deadline])));
    } catch (error) {
      signal.throwIfAborted();
      throw outboundProblem(error);
    }
  }

  /** How a name is looked up, once a connection; a test answers its own. */
  protected resolve(hostname: string): ReturnType<Resolver> {
    return systemResolver(hostname);
  }

  private async addressesOf({ host, encrypted }: Endpoint, signal: AbortSignal): Promise<readonly LookupAddress[]> {
    const { addresses, isPublic } = await untilAborted(this.targets.resolveHost(plainName(host)), signal);
    if (isPublic && !encrypted)
      throw new Problem('unprocessable_content', 'A server on the public internet requires an encrypted connection.');
    return addresses;
  }
}

/** The URL parser folds the other spellings of IPv4 into the plain one, as for addresses of HTTP. */
function plainName(host: string): string {
  if (isIP(host) === 6) return host;
  const written = `https://${host}`;
  if (!/^[\w.-]+$/.test(host) || !URL.canParse(written))
    throw new Problem('unprocessable_content', 'The host is not a valid name or address.');
  return new URL(written).hostname;
}
