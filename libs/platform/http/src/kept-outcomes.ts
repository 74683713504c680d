import { Keyring } from '@atrium/platform/config';
import { Database, requireScope, sql, type Sql } from '@atrium/platform/database';
import { Problem } from '@atrium/platform/kernel';
import { Injectable } from '@nestjs/common';

const PURPOSE = 'idempotency';
const KEPT = '24 hours';
/** A first request that has not answered for so long died with its process; its key may be taken again. */
const ABANDONED = '2 minutes';
/** Of a larger answer only what leads to the resource is kept. */
const MAX_BODY_BYTES = 256 * 1024;

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

export interface Outcome {
  readonly status: number;
  readonly body: unknown;
}

interface Row extends Record<string, unknown> {
  readonly idem_fingerprint: string;
  readonly idem_status: number | null;
  readonly idem_body: unknown;
}

/** First outcomes of keyed requests, a day long. */
@Injectable()
export class KeptOutcomes {
  constructor(
    private readonly db: Database,
    private readonly keyring: Keyring,
  ) {}

  /** Takes the key, or answers the outcome kept under it. */
  claim(request: KeyedRequest): Promise<Outcome | null> {
    return this.db.write(async (tx) => {
      const taken = await tx.execute(
        `INSERT INTO idempotency_key (tenant_id, user_id, idem_route, idem_key, idem_fingerprint) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (tenant_id, user_id, idem_route, idem_key) DO UPDATE SET idem_fingerprint = excluded.idem_fingerprint, idem_status = NULL, idem_body = NULL, idem_created = now()
         WHERE idempotency_key.idem_created < now() - interval '${KEPT}' OR (idempotency_key.idem_status IS NULL AND idempotency_key.idem_created < now() - interval '${ABANDONED}')`,
        [requireScope().tenant_id, request.user_id, request.route, request.key, request.fingerprint],
      );
      if (taken > 0) return null;
      const row = await tx.first<Row>(sql`SELECT idem_fingerprint, idem_status, idem_body FROM idempotency_key WHERE ${named(request)}`);
      if (row && row.idem_fingerprint !== request.fingerprint) throw new Problem('idempotency_mismatch', 'This Idempotency-Key was used for another request.');
      if (!row || row.idem_status === null) throw new Problem('idempotency_in_progress', 'The first request with this Idempotency-Key is still running.', { headers: { 'Retry-After': '1' } });
      return { status: row.idem_status, body: this.opened(request, row.idem_body) };
    });
  }

  /** The statement that keeps an outcome. */
  keeping(request: KeyedRequest, { status, body }: Outcome): Sql {
    return sql`UPDATE idempotency_key SET idem_status = ${status}, idem_body = ${JSON.stringify(this.stored(request, body))}::jsonb WHERE ${named(request)}`;
  }

  async keep(request: KeyedRequest, outcome: Outcome): Promise<void> {
    await this.db.write((tx) => tx.execute(this.keeping(request, outcome)));
  }

  /** The key is free again. */
  async release(request: KeyedRequest): Promise<void> {
    await this.db.write((tx) => tx.execute(sql`DELETE FROM idempotency_key WHERE ${named(request)} AND idem_status IS NULL`));
  }

  private stored({ secret, leading }: KeyedRequest, body: unknown): unknown {
    const text = JSON.stringify(body ?? null);
    if (Buffer.byteLength(text) > MAX_BODY_BYTES) return Object.fromEntries([...leading, 'row_version'].map((field) => [field, (body as Record<string, unknown>)[field]]));
    return secret ? { sealed: this.keyring.seal(PURPOSE, text) } : (body ?? null);
  }

  private opened({ secret }: KeyedRequest, body: unknown): unknown {
    const sealed = secret && typeof body === 'object' && body !== null ? (body as { readonly sealed?: string }).sealed : undefined;
    return sealed === undefined ? body : (JSON.parse(this.keyring.open(PURPOSE, sealed)) as unknown);
  }
}

const named = ({ user_id, route, key }: KeyedRequest): Sql => sql`tenant_id = ${requireScope().tenant_id} AND user_id = ${user_id} AND idem_route = ${route} AND idem_key = ${key}`;
