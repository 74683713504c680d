import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ACCESS_TOKEN, unauthenticated } from '@atrium/platform/access';
import { Settings } from '@atrium/platform/config';
import { Database, type UnitOfWork } from '@atrium/platform/database';
import { Clock, DAY, Ids, Problem, SECOND } from '@atrium/platform/kernel';
import { decodeJwt, jwtVerify, SignJWT } from 'jose';
import { createPublicKey } from 'node:crypto';
import { RefreshRaces } from '../domain/refresh-races';
import { Passwords } from '../infrastructure/passwords';
import { SigningKeys } from './signing-keys';

const SESSION_LIFE = 30 * DAY;
const IDLE_LIFE = DAY;
const MAX_AGENT = 512;

export interface ClientTrace {
  readonly ip: string | undefined;
  readonly agent: string | undefined;
}

interface AccountRow {
  readonly acc_id: string;
  readonly acc_email: string;
  readonly acc_password_hash: string | null;
  readonly acc_status: string;
}

interface Membership {
  readonly ws_id: string;
  readonly ws_name: string;
  readonly ws_slug: string;
  readonly user_name: string;
  readonly user_status: string;
  readonly user_roles: readonly string[];
}

interface SessionFacts {
  readonly acc_id: string;
  readonly acc_email: string;
  readonly ses_id: string;
  readonly ses_created: string;
  readonly ses_methods: readonly string[];
}

type Rotation = { readonly outcome: 'unknown' | 'raced' | 'reused' } | ({ readonly outcome: 'rotated' } & SessionFacts);

/** What the database says of a refresh token: it does not judge who presented a spent one. */
type Spending = Exclude<Rotation, { outcome: 'raced' | 'reused' }> | { readonly outcome: 'unknown' } | { readonly outcome: 'spent'; readonly ses_id: string; readonly settled_ms_ago: number };

export interface SignedIn {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
  readonly refresh_token: string;
  readonly refresh_expires_in: number;
  readonly user: { readonly user_id: string; readonly user_email: string; readonly user_name: string };
  readonly workspaces: readonly Omit<Membership, 'user_name'>[];
}

/** Sessions: begun by a password, prolonged by a refresh token that is spent at each use, ended by logout. */
@Injectable()
export class SignInService {
  private readonly races: RefreshRaces;

  constructor(
    private readonly db: Database,
    private readonly passwords: Passwords,
    private readonly keys: SigningKeys,
    private readonly settings: Settings,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {
    this.races = new RefreshRaces(Math.min(settings.AUTH_REFRESH_GRACE_SECONDS, 60) * SECOND);
  }

  /** Wrong e-mail, wrong password, locked account: one answer, the same work. */
  async login(email: string, password: string, trace: ClientTrace): Promise<SignedIn> {
    const account = await this.db.acrossTenants((tx) => tx.first<AccountRow>('SELECT * FROM auth_find_account($1)', [normalEmail(email)]));
    const fits = await this.passwords.fits(password, account?.acc_password_hash ?? null);
    if (!account || !fits || account.acc_status !== 'active') throw unauthenticated('The e-mail address or the password is wrong.');
    const now = this.clock.now();
    const refresh = newRefreshToken();
    const session: SessionFacts = { acc_id: account.acc_id, acc_email: account.acc_email, ses_id: this.ids.next(), ses_created: now.toISOString(), ses_methods: ['pwd'] };
    const memberships = await this.db.acrossTenants(async (tx) => {
      await tx.query('SELECT auth_start_session($1, $2, $3, $4, $5, $6, $7)', [
        session.ses_id,
        account.acc_id,
        this.clock.after(SESSION_LIFE),
        trace.ip ?? null,
        trace.agent?.slice(0, MAX_AGENT) ?? null,
        hashOfToken(refresh),
        this.clock.after(IDLE_LIFE),
      ]);
      return membershipsOf(tx, account.acc_id);
    });
    return this.answer(session, refresh, memberships);
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
      const next = newRefreshToken();
      const [rotation, memberships] = await this.db.acrossTenants(async (tx) => {
        const outcome = await this.rotate(tx, hash, hashOfToken(next), arrived);
        return [outcome, outcome.outcome === 'rotated' ? await membershipsOf(tx, outcome.acc_id) : []] as const;
      });
      if (rotation.outcome === 'raced') throw raced();
      if (rotation.outcome !== 'rotated') throw unauthenticated('The refresh token is not valid; sign in again.');
      // Nobody knows the successor yet: whoever presented the token until now was in flight. The rotation stands even if this fails.
      await this.db.acrossTenants((tx) => tx.query('SELECT auth_settle_refresh($1)', [hash])).catch(() => undefined);
      settled = true;
      return await this.answer(rotation, next, memberships);
    } finally {
      this.races.ended(hash, settled);
    }
  }

  /** Spends the token; of a spent one, judges whether its bearer was in flight or came later, and then ends the session. */
  private async rotate(tx: UnitOfWork, hash: string, next: string, arrived: number): Promise<Rotation> {
    const row = await tx.first<{ spending: Spending }>('SELECT auth_rotate_refresh($1, $2, $3) AS spending', [hash, next, this.clock.after(IDLE_LIFE)]);
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

  private async answer(session: SessionFacts, refresh_token: string, memberships: readonly Membership[]): Promise<SignedIn> {
    const expires_in = this.settings.AUTH_ACCESS_TOKEN_SECONDS;
    const { kid, key } = await this.keys.active();
    const access_token = await new SignJWT({ sid: session.ses_id, amr: [...session.ses_methods], auth_time: Math.floor(new Date(session.ses_created).getTime() / 1000) })
      .setProtectedHeader({ alg: ACCESS_TOKEN.algorithm, kid, typ: 'JWT' })
      .setIssuer(ACCESS_TOKEN.issuer)
      .setAudience(ACCESS_TOKEN.audience)
      .setSubject(session.acc_id)
      .setJti(this.ids.next())
      .setIssuedAt()
      .setExpirationTime(`${expires_in}s`)
      .sign(key);
    return {
      access_token,
      token_type: 'Bearer',
      expires_in,
      refresh_token,
      refresh_expires_in: IDLE_LIFE / 1000,
      user: { user_id: session.acc_id, user_email: session.acc_email, user_name: memberships[0]?.user_name ?? session.acc_email },
      workspaces: memberships.map(({ user_name: _, ...membership }) => membership),
    };
  }
}

const raced = (): Problem =>
  new Problem('idempotency_in_progress', 'Another request has just used this refresh token; use its answer.', { headers: { 'Retry-After': '1' } });

export const normalEmail = (email: string): string => email.normalize('NFKC').trim().toLowerCase();

const newRefreshToken = (): string => randomBytes(32).toString('base64url');

const hashOfToken = (token: string): string => createHash('sha256').update(token).digest('hex');

const membershipsOf = (tx: UnitOfWork, account: string): Promise<Membership[]> =>
  tx.query<Membership & Record<string, unknown>>('SELECT ws_id, ws_name, ws_slug, user_name, user_status, user_roles FROM auth_memberships($1)', [account]);
