import { createHash } from 'node:crypto';
import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { Keyring } from '@atrium/platform/config';
import { Database, requireScope } from '@atrium/platform/database';
import { Problem, type ProblemCode } from '@atrium/platform/kernel';
import type { PrincipalCarrier } from '@atrium/platform/access';
import type { Request, Response } from 'express';
import { ANSWER, SECRET_ANSWER } from './answers';
import { catchError, from, mergeMap, of, throwError, type Observable } from 'rxjs';

const PURPOSE = 'idempotency';
const MAX_KEY = 255;
const KEPT = '24 hours';
/** A first request that has not answered for so long died with its process; its key may be taken again. */
const ABANDONED = '2 minutes';

interface KeptOutcome {
  readonly idem_fingerprint: string;
  readonly idem_status: number | null;
  readonly idem_headers: Readonly<Record<string, string>> | null;
  readonly idem_body: unknown;
}

/**
 * `Idempotency-Key` on a POST: the first outcome is kept a day for the workspace and caller and replayed. What was
 * refused before it began (bad input, missing rights) or failed on our side is not an outcome; the key stays free. An
 * answer that shows a secret is kept sealed.
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(
    private readonly db: Database,
    private readonly reflector: Reflector,
    private readonly keyring: Keyring,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request & PrincipalCarrier>();
    const key = request.headers['idempotency-key'];
    // A handler that streams its answer itself declares none here; there is nothing to keep.
    const keepable = this.reflector.get<unknown>(ANSWER, context.getHandler()) !== undefined;
    if (request.method !== 'POST' || key === undefined || !request.principal || !keepable) return next.handle();
    const response = http.getResponse<Response>();
    const entry = { key: keyOf(key), user_id: request.principal.user_id, fingerprint: fingerprintOf(request), secret: this.reflector.get<unknown>(SECRET_ANSWER, context.getHandler()) === true };
    return from(this.claim(entry)).pipe(mergeMap((kept) => (kept ? of(replay(response, this.opened(entry, kept))) : this.first(entry, next, response))));
  }

  private first(entry: Entry, next: CallHandler, response: Response): Observable<unknown> {
    return next.handle().pipe(
      mergeMap((body: unknown) => from(this.keep(entry, response.statusCode, headersOf(response), this.sealed(entry, body)).then(() => body))),
      catchError((error: unknown) => from(this.settleFailure(entry, error)).pipe(mergeMap(() => throwError(() => error)))),
    );
  }

  /** Takes the key, or answers the outcome kept under it. */
  private claim({ key, user_id, fingerprint }: Entry): Promise<KeptOutcome | null> {
    return this.db.write(async (tx) => {
      const taken = await tx.execute(
        `INSERT INTO idempotency_key (tenant_id, user_id, idem_key, idem_fingerprint) VALUES ($1, $2, $3, $4)
         ON CONFLICT (tenant_id, user_id, idem_key) DO UPDATE SET idem_fingerprint = excluded.idem_fingerprint, idem_status = NULL, idem_headers = NULL, idem_body = NULL, idem_created = now()
         WHERE idempotency_key.idem_created < now() - interval '${KEPT}' OR (idempotency_key.idem_status IS NULL AND idempotency_key.idem_created < now() - interval '${ABANDONED}')`,
        [requireScope().tenant_id, user_id, key, fingerprint],
      );
      if (taken > 0) return null;
      const kept = await tx.first<KeptOutcome>('SELECT idem_fingerprint, idem_status, idem_headers, idem_body FROM idempotency_key WHERE tenant_id = $1 AND user_id = $2 AND idem_key = $3', [
        requireScope().tenant_id,
        user_id,
        key,
      ]);
      if (kept && kept.idem_fingerprint !== fingerprint) throw new Problem('idempotency_mismatch', 'This Idempotency-Key was used for another request.');
      if (!kept || kept.idem_status === null) throw new Problem('idempotency_in_progress', 'The first request with this Idempotency-Key is still running.', { headers: { 'Retry-After': '1' } });
      return kept;
    });
  }

  private keep(entry: Entry, status: number, headers: Record<string, string>, body: unknown): Promise<unknown> {
    return this.db.write((tx) =>
      tx.execute('UPDATE idempotency_key SET idem_status = $4, idem_headers = $5, idem_body = $6 WHERE tenant_id = $1 AND user_id = $2 AND idem_key = $3', [
        requireScope().tenant_id,
        entry.user_id,
        entry.key,
        status,
        JSON.stringify(headers),
        JSON.stringify(body ?? null),
      ]),
    );
  }

  private sealed({ secret }: Entry, body: unknown): unknown {
    return secret ? { sealed: this.keyring.seal(PURPOSE, JSON.stringify(body)) } : body;
  }

  private opened({ secret }: Entry, kept: KeptOutcome): KeptOutcome {
    if (!secret || OUTCOMES.has(kept.idem_status ?? 0)) return kept;
    return { ...kept, idem_body: JSON.parse(this.keyring.open(PURPOSE, (kept.idem_body as { sealed: string }).sealed)) as unknown };
  }

  /** A refusal by the state of things is an outcome; one by form, rights or our own failure frees the key. */
  private settleFailure(entry: Entry, error: unknown): Promise<unknown> {
    const settled = error instanceof Problem && OUTCOMES.has(error.status) ? this.keep(entry, error.status, {}, { code: error.code, detail: error.detail }) : this.release(entry);
    return settled.catch(() => {
      throw error;
    });
  }

  private release({ user_id, key }: Entry): Promise<unknown> {
    return this.db.write((tx) =>
      tx.execute('DELETE FROM idempotency_key WHERE tenant_id = $1 AND user_id = $2 AND idem_key = $3 AND idem_status IS NULL', [requireScope().tenant_id, user_id, key]),
    );
  }
}

/** Refusals that come of what is stored: absent, in conflict, gone, unusable. */
const OUTCOMES: ReadonlySet<number> = new Set([404, 409, 410, 422]);

interface Entry {
  readonly key: string;
  readonly user_id: string;
  readonly fingerprint: string;
  readonly secret: boolean;
}

function keyOf(header: string | string[]): string {
  if (typeof header !== 'string' || header.length === 0 || header.length > MAX_KEY || /[^\x20-\x7e]/.test(header)) {
    throw new Problem('validation_failed', `Idempotency-Key takes 1 to ${MAX_KEY} printable ASCII characters.`, { errors: [{ path: 'Idempotency-Key', code: 'pattern', message: 'is not valid' }] });
  }
  return header;
}

const fingerprintOf = (request: Request): string => createHash('sha256').update(`${request.method} ${request.originalUrl}\n${JSON.stringify(request.body ?? null)}`).digest('hex');

const REPLAYED_HEADERS = ['location', 'etag'] as const;

const headersOf = (response: Response): Record<string, string> =>
  Object.fromEntries(REPLAYED_HEADERS.flatMap((name) => (response.getHeader(name) === undefined ? [] : [[name, String(response.getHeader(name))]])));

function replay(response: Response, kept: KeptOutcome): unknown {
  response.setHeader('Idempotent-Replayed', 'true');
  if (OUTCOMES.has(kept.idem_status ?? 0)) {
    const { code, detail } = kept.idem_body as { code: ProblemCode; detail: string };
    throw new Problem(code, detail);
  }
  response.status(kept.idem_status ?? 200);
  for (const [name, value] of Object.entries(kept.idem_headers ?? {})) response.setHeader(name, value);
  return kept.idem_body;
}
