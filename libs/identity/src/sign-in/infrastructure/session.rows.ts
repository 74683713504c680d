import { Injectable } from '@nestjs/common';
import type { UnitOfWork } from '@atrium/platform/database';
import { queryFlag } from './accounts';

export interface SessionFacts {
  readonly acc_id: string;
  readonly acc_email: string | null;
  readonly ses_id: string;
  readonly ses_created: string;
  readonly ses_methods: readonly string[];
  readonly ses_idle_minutes: number;
}

export interface Membership {
  readonly ws_id: string;
  readonly ws_name: string;
  readonly ws_slug: string;
  readonly ws_status: string;
  readonly user_name: string;
  readonly user_status: string;
  readonly user_roles: readonly string[];
}

/** A session as its person sees it. */
export interface OwnSession {
  readonly ses_id: string;
  readonly ses_created: string;
  readonly ses_last_used_at: string;
  readonly ses_expires_at: string;
  readonly ses_ip: string | null;
  readonly ses_user_agent: string | null;
  readonly ses_methods: readonly string[];
  readonly ses_issuer: string | null;
}

/** A session that somebody presents where none is asked for. */
export interface PresentedSession {
  readonly acc_id: string;
  readonly ses_id: string;
  /** The one workspace it opens; null: all of the person's. */
  readonly ses_tenant: string | null;
  readonly ses_expires_at: string;
}

/** Where a page of sessions begins, and how many it reads. */
export interface SessionRange {
  readonly before: { readonly key: unknown; readonly id: string } | null;
  readonly most: number;
  /** The only session that is shown; null: all. */
  readonly only: string | null;
  readonly offset: number;
}

/** What the database says of a refresh token: it does not judge who presented a spent one. */
export type RefreshSpending =
  | { readonly outcome: 'unknown' }
  | { readonly outcome: 'spent'; readonly acc_id: string; readonly ses_id: string; readonly settled_ms_ago: number }
  | ({ readonly outcome: 'rotated' } & SessionFacts);

/** A refresh token, its successor, and the sealed answer that is stored under a name for a client that loses it. */
export interface RefreshRotation {
  readonly hash: string;
  readonly nextHash: string;
  readonly replay: string | null;
  readonly sealed: string | null;
}

type Row<T> = T & Record<string, unknown>;

/** Statements about sessions and their refresh tokens: like accounts they belong to no workspace and are reached by definer functions alone, from any unit of work. */
@Injectable()
export class SessionRows {
  /** Null when the account is closed, or its password was changed since it was proven. */
  async insertSession(tx: UnitOfWork, spec: object): Promise<SessionFacts | null> {
    const row = await tx.first<{ session: SessionFacts | null }>('SELECT auth_start_session($1::jsonb) AS session', [JSON.stringify(spec)]);
    return row?.session ?? null;
  }

  /** The workspaces of a person, by name; of those, the ones a session opens: one that an issuer vouched for, or that a link made, opens one alone. */
  listMemberships(tx: UnitOfWork, acc_id: string, ses_id: string | null = null): Promise<Membership[]> {
    return tx.query<Row<Membership>>(
      'SELECT m.* FROM auth_memberships($1) m WHERE NOT EXISTS (SELECT FROM auth_find_session($2) s WHERE s.ses_tenant <> m.ws_id)',
      [acc_id, ses_id],
    );
  }

  listSessions(tx: UnitOfWork, acc_id: string, { before, most, only, offset }: SessionRange): Promise<OwnSession[]> {
    return tx.query<Row<OwnSession>>('SELECT * FROM auth_sessions($1, $2, $3, $4) WHERE $5::uuid IS NULL OR ses_id = $5 OFFSET $6', [
      acc_id,
      before?.key ?? null,
      before?.id ?? null,
      most,
      only,
      offset,
    ]);
  }

  /** A session that has not been ended, of an active account. */
  findPresentedSession(tx: UnitOfWork, ses_id: string, acc_id: string): Promise<PresentedSession | undefined> {
    return tx.first<Row<PresentedSession>>(
      `SELECT s.acc_id, s.ses_id, s.ses_tenant, s.ses_expires_at FROM auth_find_session($1) s JOIN auth_account(s.acc_id) a USING (acc_id) WHERE s.acc_id = $2 AND s.ses_ended_at IS NULL AND a.acc_status = 'active'`,
      [ses_id, acc_id],
    );
  }

  async endSession(tx: UnitOfWork, ses_id: string): Promise<void> {
    await tx.query('SELECT auth_end_session($1)', [ses_id]);
  }

  async endSessionOfToken(tx: UnitOfWork, hash: string): Promise<void> {
    await tx.query('SELECT auth_end_session_of_token($1)', [hash]);
  }

  /** False when it is not a session of this person, or has ended. */
  endSessionOf(tx: UnitOfWork, acc_id: string, ses_id: string): Promise<boolean> {
    return queryFlag(tx, 'SELECT auth_end_session_of($1, $2) AS done', [acc_id, ses_id]);
  }

  /** Ends all sessions of a person but one; how many. */
  async endOtherSessions(tx: UnitOfWork, acc_id: string, keep: string | null): Promise<number> {
    const row = await tx.first<{ revoked: number }>('SELECT auth_end_sessions($1, $2) AS revoked', [acc_id, keep]);
    return row?.revoked ?? 0;
  }

  /** The session of a refresh token that can be used; null for any other. */
  async findRefreshableSession(tx: UnitOfWork, hash: string): Promise<SessionFacts | null> {
    const row = await tx.first<{ session: SessionFacts | null }>('SELECT auth_refresh_session($1) AS session', [hash]);
    return row?.session ?? null;
  }

  async rotateRefresh(tx: UnitOfWork, { hash, nextHash, replay, sealed }: RefreshRotation): Promise<RefreshSpending> {
    const row = await tx.first<{ spending: RefreshSpending }>('SELECT auth_rotate_refresh($1, $2, $3, $4) AS spending', [
      hash,
      nextHash,
      replay,
      sealed,
    ]);
    return row?.spending ?? { outcome: 'unknown' };
  }

  /** From now on the spent token is no longer in flight. */
  async settleRefresh(tx: UnitOfWork, hash: string): Promise<void> {
    await tx.query('SELECT auth_settle_refresh($1)', [hash]);
  }

  /** The answer that was stored under a name, while it is. */
  findReplayedRefresh(tx: UnitOfWork, name: string): Promise<{ readonly acc_id: string; readonly rr_sealed: string } | undefined> {
    return tx.first<{ acc_id: string; rr_sealed: string }>('SELECT * FROM auth_replayed_refresh($1)', [name]);
  }
}
