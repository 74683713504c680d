import { Injectable } from '@nestjs/common';
import { ACCESS_TOKEN } from '@atrium/platform/access';
import { Settings } from '@atrium/platform/config';
import { Database, type UnitOfWork } from '@atrium/platform/database';
import { Ids, MINUTE, SECOND } from '@atrium/platform/kernel';
import { SignJWT } from 'jose';
import { hashOfToken, newSecretToken } from '../../shared/domain/secret-token';
import { SigningKeys } from '../../callers/application/signing-keys';
import { SessionRows, type Membership, type SessionFacts } from '../infrastructure/session.rows';

const MAX_AGENT = 512;

/** Where a request came from, as a session remembers it. */
export interface ClientTrace {
  readonly ip: string | undefined;
  readonly agent: string | undefined;
}

/** How a person proved who they are: by password, by a code of their second factor, by an external issuer. */
export type SignInMethod = 'pwd' | 'otp' | 'ext';

export interface NewSession {
  readonly acc_id: string;
  readonly methods: readonly SignInMethod[];
  /** The issuer that vouched for the person. */
  readonly issuer?: string | null;
  /** The workspace whose session rules hold; else those of the most lenient of the person's workspaces. */
  readonly ws_id?: string | null;
  /** When the password that was proven was set: if it has been changed since, no session begins. */
  readonly password_changed_at?: string | null;
  /** The session opens `ws_id` and no other workspace. */
  readonly bound?: boolean;
  /** Another session of the person, of which the new one takes methods, age and end. */
  readonly derived_from?: string;
}

/** The pair of tokens of a session. */
export interface TokenPair {
  readonly access_token: string;
  readonly refresh_token: string;
}

export interface SignedIn extends TokenPair {
  readonly token_type: 'Bearer';
  readonly expires_in: number;
  readonly refresh_expires_in: number;
  /** After a sign-in by password: makes the device known. */
  readonly device_token?: string;
  readonly user: { readonly user_id: string; readonly user_email: string; readonly user_name: string };
  readonly workspaces: readonly Pick<Membership, 'ws_id' | 'ws_name' | 'ws_slug' | 'user_status' | 'user_roles'>[];
}

/** A session that was written, and what its bearer will receive. */
export interface StartedSession {
  readonly session: SessionFacts;
  readonly refresh_token: string;
  readonly memberships: readonly Membership[];
}

/** Begins sessions and answers their tokens: the one way in, whatever proved who somebody is. No token carries a permission. */
@Injectable()
export class Sessions {
  constructor(
    private readonly db: Database,
    private readonly rows: SessionRows,
    private readonly keys: SigningKeys,
    private readonly settings: Settings,
    private readonly ids: Ids,
  ) {}

  /** A new session; null when the account is closed, or its password was changed since it was proven. */
  async startSession(wanted: NewSession, trace: ClientTrace): Promise<SignedIn | null> {
    const started = await this.db.acrossTenants((tx) => this.startIn(tx, wanted, trace));
    return started && this.toAnswer(started);
  }

  /** The same within an open `acrossTenants`; the tokens are made after it, by `toAnswer`. */
  async startIn(
    tx: UnitOfWork,
    { acc_id, methods, issuer, ws_id, ...proof }: NewSession,
    trace: ClientTrace,
  ): Promise<StartedSession | null> {
    const refresh_token = newSecretToken();
    const spec = {
      ses_id: this.ids.next(),
      acc_id,
      methods,
      issuer,
      tenant_id: ws_id,
      ...proof,
      ip: trace.ip,
      agent: trace.agent?.slice(0, MAX_AGENT),
      token_hash: hashOfToken(refresh_token),
    };
    const session = await this.rows.insertSession(tx, spec);
    if (!session) return null;
    return { session, refresh_token, memberships: inFront(await this.rows.listMemberships(tx, acc_id, spec.ses_id), ws_id) };
  }

  async toAnswer({ session, refresh_token, memberships }: StartedSession): Promise<SignedIn> {
    return this.toSignedIn(session, { access_token: await this.signAccessToken(session), refresh_token }, memberships);
  }

  toSignedIn(session: SessionFacts, tokens: TokenPair, memberships: readonly Membership[]): SignedIn {
    return {
      ...tokens,
      token_type: 'Bearer',
      expires_in: this.settings.AUTH_ACCESS_TOKEN_SECONDS,
      refresh_expires_in: (session.ses_idle_minutes * MINUTE) / SECOND,
      user: {
        user_id: session.acc_id,
        user_email: session.acc_email ?? '',
        user_name: memberships[0]?.user_name ?? session.acc_email ?? '',
      },
      workspaces: memberships.map(({ user_name: _, ws_status: __, ...membership }) => membership),
    };
  }

  /** A JWT that names the person and the session, nothing else. */
  async signAccessToken(session: SessionFacts): Promise<string> {
    const { kid, key } = await this.keys.getActiveKey();
    return new SignJWT({
      sid: session.ses_id,
      amr: [...session.ses_methods],
      auth_time: Math.floor(new Date(session.ses_created).getTime() / SECOND),
    })
      .setProtectedHeader({ alg: ACCESS_TOKEN.algorithm, kid, typ: 'JWT' })
      .setIssuer(ACCESS_TOKEN.issuer)
      .setAudience(ACCESS_TOKEN.audience)
      .setSubject(session.acc_id)
      .setJti(this.ids.next())
      .setIssuedAt()
      .setExpirationTime(`${this.settings.AUTH_ACCESS_TOKEN_SECONDS}s`)
      .sign(key);
  }
}

const inFront = (memberships: readonly Membership[], ws_id: string | null | undefined): Membership[] => [
  ...memberships.filter((one) => one.ws_id === ws_id),
  ...memberships.filter((one) => one.ws_id !== ws_id),
];
