import { createHmac } from 'node:crypto';
import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Keyring } from '@atrium/platform/config';
import { Database } from '@atrium/platform/database';
import { MINUTE, Problem } from '@atrium/platform/kernel';
import type { Request } from 'express';
import type { RoutedRequest } from './indexed-express.adapter';

/** A request that has ended so many processes is not run again. */
const MOST_STRIKES = 2;
const READ_EVERY_MS = MINUTE / 2;
const PURPOSE = 'struck requests';

type Received = Pick<Request, 'method' | 'originalUrl' | 'body' | 'ip'> & RoutedRequest;

export const operationOf = ({ method, originalUrl, routePattern }: Received): string =>
  `${method} ${routePattern ?? originalUrl.split('?', 1)[0] ?? ''}`;

/** Refuses the requests that have blocked a process twice within a day, until its watchdog ended it (ADR 42). */
@Injectable()
export class StruckRequests implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(StruckRequests.name);
  private struck: ReadonlyMap<string, ReadonlySet<string>> = new Map();
  private reading: NodeJS.Timeout | undefined;

  constructor(
    private readonly db: Database,
    private readonly keyring: Keyring,
  ) {}

  /**
   * The same for the same request to one workspace, from any caller; where no workspace is known, from one address. Who reads the
   * table and has no master key cannot try what a body said.
   */
  toFingerprint({ method, originalUrl, body, ip }: Received, tenant_id: string | null): string {
    return createHmac('sha256', this.keyring.key(PURPOSE))
      .update(`${tenant_id ?? ip ?? ''}\n${method} ${originalUrl}\n${JSON.stringify(body) ?? ''}`)
      .digest('base64');
  }

  /** A host starts without its database too. */
  onApplicationBootstrap(): void {
    this.reading = setInterval(() => void this.readStrikes(), READ_EVERY_MS).unref();
    void this.readStrikes();
  }

  beforeApplicationShutdown(): void {
    clearInterval(this.reading);
  }

  /** Once the caller is known and the body was read. Digests the body only where a request to the same route has strikes. */
  assertHarmless(request: Received, tenant_id: string | null): void {
    if (this.struck.size === 0) return;
    if (this.struck.get(operationOf(request))?.has(this.toFingerprint(request, tenant_id)))
      throw new Problem(
        'unprocessable_content',
        'This request has blocked the service twice and is refused for today. Send less data in one request, or simpler content.',
      );
  }

  /** A database that does not respond leaves what is known. */
  async readStrikes(): Promise<void> {
    try {
      const rows = await this.db.queryAcrossTenants<{ operation: string; fingerprint: string }>(
        'SELECT operation, fingerprint FROM requests_struck($1)',
        [MOST_STRIKES],
      );
      const struck = new Map<string, Set<string>>();
      for (const { operation, fingerprint } of rows) struck.set(operation, (struck.get(operation) ?? new Set()).add(fingerprint));
      this.struck = struck;
    } catch (error) {
      this.log.warn({ msg: 'the requests with strikes could not be read', err: error });
    }
  }
}
