import { createPublicKey } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ACCESS_TOKEN } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { Clock, isId } from '@atrium/platform/kernel';
import { jwtVerify } from 'jose';
import { SigningKeys } from '../../callers/application/signing-keys';

/** A session that somebody presents where none is asked for. */
export interface PresentedSession {
  readonly acc_id: string;
  readonly ses_id: string;
  /** The one workspace it opens; null: all of the person's. */
  readonly ses_tenant: string | null;
}

/** Whose access token a public route was called with, where that matters to it. */
@Injectable()
export class Bearers {
  constructor(
    private readonly keys: SigningKeys,
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  /** The session of a token of ours that is still good, while it lasts; null for anything else. */
  async sessionOf(authorization: string | undefined): Promise<PresentedSession | null> {
    const named = await this.namedBy(authorization);
    if (!named) return null;
    const row = await this.db.acrossTenants((tx) =>
      tx.first<PresentedSession & { ses_expires_at: string } & Record<string, unknown>>(
        `SELECT s.acc_id, s.ses_id, s.ses_tenant, s.ses_expires_at FROM auth_find_session($1) s JOIN auth_account(s.acc_id) a USING (acc_id) WHERE s.acc_id = $2 AND s.ses_ended_at IS NULL AND a.acc_status = 'active'`,
        [named.sid, named.sub],
      ),
    );
    return row && new Date(row.ses_expires_at) > this.clock.now() ? row : null;
  }

  private async namedBy(authorization: string | undefined): Promise<{ readonly sub: string; readonly sid: string } | null> {
    const token = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/.exec(authorization ?? '')?.[1];
    if (!token) return null;
    try {
      const { payload } = await jwtVerify(
        token,
        async ({ kid }) => {
          const pem = kid ? await this.keys.publicKey(kid) : null;
          if (!pem) throw new Error('No key of ours signed it.');
          return createPublicKey(pem);
        },
        { algorithms: [ACCESS_TOKEN.algorithm], issuer: ACCESS_TOKEN.issuer, audience: ACCESS_TOKEN.audience },
      );
      return isId(payload.sub) && isId(payload.sid) ? { sub: payload.sub, sid: payload.sid } : null;
    } catch {
      return null;
    }
  }
}
