import { createPublicKey } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ACCESS_TOKEN, unauthenticated } from '@atrium/platform/access';
import { Settings } from '@atrium/platform/config';
import { Database, type UnitOfWork } from '@atrium/platform/database';
import { Problem, SECOND } from '@atrium/platform/kernel';
import { decodeJwt, jwtVerify } from 'jose';
import { normalEmail } from '../domain/email';
import { RefreshRaces } from '../domain/refresh-races';
import { hashOfToken, newSecretToken } from '../domain/secret-token';
import { Passwords } from '../infrastructure/passwords';
import { membershipsOf, Sessions, type ClientTrace, type SessionFacts, type SignedIn } from './sessions';
import { SigningKeys } from './signing-keys';

interface AccountRow {
  readonly acc_id: string;
  readonly acc_email: string;
  readonly acc_password_hash: string | null;
  readonly acc_password_changed_at: string | null;
  readonly acc_status: string;
}

type Rotation = { readonly outcome: 'unknown' | 'raced' | 'reused' } | ({ readonly outcome: 'rotated' } & SessionFacts);

/** What the database says of a refresh token: it does not judge who presented a spent one. */
type Spending = Exclude<Rotation, { outcome: 'raced' | 'reused' }> | { readonly outcome: 'unknown' } | { readonly outcome: 'spent'; readonly ses_id: string; readonly settled_ms_ago: number };

/** Sessions: begun by a password, prolonged by a refresh token that is spent at each use, ended by logout. */
@Injectable()
export class SignInService {
  private readonly races: RefreshRaces;

  constructor(
    private readonly db: Database,
    private readonly passwords: Passwords,
    private readonly keys: SigningKeys,
    private readonly sessions: Sessions,
    settings: Settings,
  ) {
    this.races = new RefreshRaces(Math.min(settings.AUTH_REFRESH_GRACE_SECONDS, 60) * SECOND);
  }

  /** Wrong e-mail, wrong password, locked account: one answer, the same work. */
  async login(email: string, password: string, trace: ClientTrace): Promise<SignedIn> {
    const account = await this.db.acrossTenants((tx) => tx.first<AccountRow>('SELECT * FROM auth_find_account($1)', [normalEmail(email)]));
    const fits = await this.passwords.fits(password, account?.acc_password_hash ?? null);
    if (!account || !fits || account.acc_status !== 'active') throw unauthenticated('The e-mail address or the password is wrong.');
    const signedIn = await this.sessions.start({ acc_id: account.acc_id, methods: ['pwd'], password_changed_at: account.acc_password_changed_at }, trace);
    if (!signedIn) throw unauthenticated('The e-mail address or the password is wrong.');
    return signedIn;
  }

  /**
   * A new pair for a live refresh token. Two requests in flight are a race, a spent token that comes later is a theft;
   * `arrived` is when the request came, on the clock of `performance.now()`.
   */
  async refresh(token: string, arrived: number): Promise<SignedIn> {
    const hash = hashOfToken(token);
    if (this.races.isRace(hash, arrived)) throw raced();
    this.races.begun(hash);
    let settled = false;
    try {
      const next = newSecretToken();
      const [rotation, memberships] = await this.db.acrossTenants(async (tx) => {
        const outcome = await this.rotate(tx, hash, hashOfToken(next), arrived);
        return [outcome, outcome.outcome === 'rotated' ? await membershipsOf(tx, outcome.acc_id) : []] as const;
      });
      if (rotation.outcome === 'raced') throw raced();
      if (rotation.outcome !== 'rotated') throw unauthenticated('The refresh token is not valid; sign in again.');
      // Nobody knows the successor yet: whoever presented the token until now was in flight. The rotation stands even if this fails.
      await this.db.acrossTenants((tx) => tx.query('SELECT auth_settle_refresh($1)', [hash])).catch(() => undefined);
      settled = true;
      return await this.sessions.answerOf({ session: rotation, refresh_token: next, memberships });
    } finally {
      this.races.ended(hash, settled);
    }
  }

  /** Spends the token; of a spent one, judges whether its bearer was in flight or came later, and then ends the session. */
  private async rotate(tx: UnitOfWork, hash: string, next: string, arrived: number): Promise<Rotation> {
    const row = await tx.first<{ spending: Spending }>('SELECT auth_rotate_refresh($1, $2, $3, $4) AS spending', [hash, next, null, null]);
    const spending = row?.spending ?? { outcome: 'unknown' };
    if (spending.outcome !== 'spent') return spending;
    if (this.races.isRaceElsewhere(hash, arrived, spending.settled_ms_ago)) return { outcome: 'raced' };
    await tx.query('SELECT auth_end_session($1)', [spending.ses_id]);
    return { outcome: 'reused' };
  }

  /** Ends the session of a refresh token or of an access token; says nothing about whether there was one. */
  async logout(refreshToken: string | undefined, authorization: string | undefined): Promise<void> {
    if (refreshToken) await this.db.acrossTenants((tx) => tx.query('SELECT auth_end_session_of_token($1)', [hashOfToken(refreshToken)]));
    const session = await this.sessionOf(authorization);
    if (session) await this.db.acrossTenants((tx) => tx.query('SELECT auth_end_session($1)', [session]));
  }

  private async sessionOf(authorization: string | undefined): Promise<string | null> {
    const token = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/.exec(authorization ?? '')?.[1];
    if (!token) return null;
    try {
      const { kid } = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString('utf8')) as { kid?: string };
      const pem = kid ? await this.keys.publicKey(kid) : null;
      if (!pem) return null;
      await jwtVerify(token, createPublicKey(pem), { algorithms: [ACCESS_TOKEN.algorithm], issuer: ACCESS_TOKEN.issuer, audience: ACCESS_TOKEN.audience });
      return String(decodeJwt(token).sid);
    } catch {
      return null;
    }
  }
}

const raced = (): Problem =>
  new Problem('idempotency_in_progress', 'Another request has just used this refresh token; use its answer.', { headers: { 'Retry-After': '1' } });
