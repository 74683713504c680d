import { Keyring } from '@atrium/platform/config';
import { Database, inWorkspace, requireScope, sql, type Sql } from '@atrium/platform/database';
import { newId, Problem, SECOND } from '@atrium/platform/kernel';
import type { KeptAnswer } from './answers';
import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';

const PURPOSE = 'idempotency';
const KEPT = '24 hours';
/** A claim that its process has not renewed for so long may be taken by another; what the first one still does is rolled back. */
const LEASE_SECONDS = 6;
const RENEW_MS = 2 * SECOND;
/** Of a larger answer only what leads to the resource is kept. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** A request that carries a key: one caller, one route, one key. */
export interface KeyedRequest {
  readonly user_id: string;
  readonly route: string;
  readonly key: string;
  readonly fingerprint: string;
  /** The answer shows a secret and is kept sealed. */
  readonly secret: boolean;
  /** Fields of the answer that its `Location` is made of. */
  readonly leading: readonly string[];
}

/** The right to answer a keyed request: held by one process, and only while that process lives. */
export interface Claim {
  readonly id: string;
  readonly request: KeyedRequest;
}

interface Row extends Record<string, unknown> {
  readonly idem_fingerprint: string;
  readonly idem_status: number | null;
  readonly idem_body: unknown;
  readonly idem_headers: Readonly<Record<string, string>> | null;
  readonly wait: number;
}

interface HeldClaim extends Claim {
  readonly tenant_id: string;
  renewed: number;
}

/** First outcomes of keyed requests, a day long, and the claims of the requests that this process is answering. */
@Injectable()
export class IdempotentOutcomes implements OnModuleInit, OnApplicationShutdown {
  private readonly held = new Map<string, HeldClaim>();
  private renewing: NodeJS.Timeout | undefined;

  constructor(
    private readonly db: Database,
    private readonly keyring: Keyring,
  ) {}

  onModuleInit(): void {
    this.renewing = setInterval(() => this.renew(), RENEW_MS).unref();
  }

  /** Once the last request has been answered. */
  onApplicationShutdown(): void {
    clearInterval(this.renewing);
  }

  /** Takes the key, or answers the outcome kept under it. */
  async claimKey(request: KeyedRequest): Promise<Claim | KeptAnswer> {
    const { tenant_id } = requireScope();
    const claim: HeldClaim = { id: newId(), request, tenant_id, renewed: performance.now() };
    const kept = await this.db.write(async (tx) => {
      const taken = await tx.execute(
        `INSERT INTO idempotency_key AS k (tenant_id, user_id, idem_route, idem_key, idem_fingerprint, idem_claim, idem_lapses) VALUES ($1, $2, $3, $4, $5, $6, now() + interval '${LEASE_SECONDS} seconds')
         ON CONFLICT (tenant_id, user_id, idem_route, idem_key) DO UPDATE
         SET idem_fingerprint = excluded.idem_fingerprint, idem_claim = excluded.idem_claim, idem_lapses = excluded.idem_lapses, idem_status = NULL, idem_headers = NULL, idem_body = NULL, idem_created = now()
         WHERE k.idem_created < now() - interval '${KEPT}' OR (k.idem_status IS NULL AND k.idem_lapses < now())`,
        [tenant_id, request.user_id, request.route, request.key, request.fingerprint, claim.id],
      );
      return taken > 0 ? null : this.read(request);
    });
    if (kept) return kept;
    this.held.set(claim.id, claim);
    return claim;
  }

  /** The statement that keeps an outcome; it fails the transaction when the claim has lapsed and been taken. */
  outcomeStatement({ id, request }: Claim, { status, body, headers }: KeptAnswer): Sql {
    return sql`SELECT keep_outcome(${request.user_id}::uuid, ${request.route}::text, ${request.key}::text, ${id}::uuid, ${status}::integer, ${headers ? JSON.stringify(headers) : null}::jsonb, ${JSON.stringify(this.stored(request, body))}::jsonb)`;
  }

  async storeOutcome(claim: Claim, outcome: KeptAnswer): Promise<void> {
    await this.db.write((tx) => tx.execute(this.outcomeStatement(claim, outcome)));
  }

  /** The key is free again. */
  async releaseKey({ id, request }: Claim): Promise<void> {
    await this.db.write((tx) =>
      tx.execute(sql`DELETE FROM idempotency_key WHERE ${named(request)} AND idem_claim = ${id} AND idem_status IS NULL`),
    );
  }

  /** The request has been answered, successfully or not. */
  dropClaim({ id }: Claim): void {
    this.held.delete(id);
  }

  private async read(request: KeyedRequest): Promise<KeptAnswer> {
    const row = await this.db.current().first<Row>(sql`
      SELECT idem_fingerprint, idem_status, idem_body, idem_headers, greatest(1, ceil(extract(epoch FROM idem_lapses - clock_timestamp())))::int AS wait FROM idempotency_key WHERE ${named(request)}`);
    if (row && row.idem_fingerprint !== request.fingerprint)
      throw new Problem('idempotency_mismatch', 'This Idempotency-Key was used for a different request. Send a new key.');
    if (!row || row.idem_status === null) throw inProgress(row?.wait ?? 1);
    return {
      status: row.idem_status,
      body: this.opened(request, row.idem_body),
      ...(row.idem_headers ? { headers: row.idem_headers } : {}),
    };
  }

  /** Keeps the claims of requests that take long. One that cannot be renewed lapses, and its request fails instead of being done twice. */
  private renew(): void {
    const now = performance.now();
    for (const claim of this.held.values()) {
      if (now - claim.renewed < RENEW_MS) continue;
      claim.renewed = now;
      const { id, tenant_id, request } = claim;
      inWorkspace(tenant_id, () =>
        this.db.write((tx) =>
          tx.execute(
            sql`UPDATE idempotency_key SET idem_lapses = now() + make_interval(secs => ${LEASE_SECONDS}) WHERE ${named(request)} AND idem_claim = ${id} AND idem_status IS NULL`,
          ),
        ),
      ).catch(() => (claim.renewed = 0));
    }
  }

  private stored({ secret, leading }: KeyedRequest, body: unknown): unknown {
    const text = JSON.stringify(body ?? null);
    if (Buffer.byteLength(text) > MAX_BODY_BYTES)
      return Object.fromEntries([...leading, 'row_version'].map((field) => [field, (body as Record<string, unknown>)[field]]));
    return secret ? { sealed: this.keyring.seal(PURPOSE, text) } : (body ?? null);
  }

  private opened({ secret }: KeyedRequest, body: unknown): unknown {
    const sealed = secret && typeof body === 'object' && body !== null ? (body as { readonly sealed?: string }).sealed : undefined;
    return sealed === undefined ? body : (JSON.parse(this.keyring.open(PURPOSE, sealed)) as unknown);
  }
}

const inProgress = (seconds: number): Problem =>
  new Problem(
    'idempotency_in_progress',
    'The first request with this Idempotency-Key is still running, or its process has just ended. Try again shortly.',
    { headers: { 'Retry-After': String(seconds) } },
  );

const named = ({ user_id, route, key }: KeyedRequest): Sql =>
  sql`tenant_id = ${requireScope().tenant_id} AND user_id = ${user_id} AND idem_route = ${route} AND idem_key = ${key}`;
