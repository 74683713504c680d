import { createPublicKey } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ACCESS_TOKEN, unauthenticated } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { MINUTE, Problem, SECOND } from '@atrium/platform/kernel';
import { decodeJwt, jwtVerify } from 'jose';
import { hashOfToken, newSecretToken } from '../../shared/domain/secret-token';
import { Accounts, type TokenHolder } from '../infrastructure/accounts';
import { OneTimeCodes } from '../infrastructure/one-time-codes';
import { SessionRows } from '../infrastructure/session.rows';
import { Joining } from '../../people/application/joining';
import { PasswordProof, wrongCredentials } from './password-proof';
import { Sessions, type ClientTrace, type SignedIn, type StartedSession } from './sessions';
import { SignInThrottle } from '../../throttle/sign-in-throttle';
import { SigningKeys } from '../../callers/application/signing-keys';

const MFA_LIFE_SECONDS = (5 * MINUTE) / SECOND;

/** The password was right; a code is still to come. */
export interface MfaRequired {
  readonly mfa_required: true;
  readonly mfa_token: string;
  readonly expires_in: number;
  readonly mfa_methods: readonly string[];
}

export interface Login {
  readonly email: string;
  readonly password: string;
  readonly ws_id?: string | undefined;
  /** What the device was given when somebody signed in there before. */
  readonly device_token?: string | null | undefined;
}

/** Signing in by password, with a code where one is enrolled, and signing out. */
@Injectable()
export class SignInService {
  constructor(
    private readonly db: Database,
    private readonly accounts: Accounts,
    private readonly rows: SessionRows,
    private readonly proof: PasswordProof,
    private readonly throttle: SignInThrottle,
    private readonly codes: OneTimeCodes,
    private readonly keys: SigningKeys,
    private readonly sessions: Sessions,
    private readonly joining: Joining,
  ) {}

  async login({ email, password, ws_id = undefined, device_token }: Login, trace: ClientTrace): Promise<SignedIn | MfaRequired> {
    const place = { address: trace.ip, device_token };
    const account = await this.proof.verifyPassword(email, password, place);
    if (ws_id !== undefined) await this.assertMember(account.acc_id, ws_id);
    if (account.acc_totp !== null) return this.askForCode(account.acc_id, { tenant_id: ws_id });
    const signedIn = await this.sessions.startSession(
      { acc_id: account.acc_id, methods: ['pwd'], ws_id, password_changed_at: account.acc_password_changed_at },
      trace,
    );
    if (!signedIn) throw wrongCredentials();
    return { ...signedIn, device_token: await this.proof.recordSignIn(account, place) };
  }

  /** The second step: a code of the authenticator, accepted once, or a recovery code. */
  async completeLogin(mfa_token: string, code: string, trace: ClientTrace): Promise<SignedIn> {
    const hash = hashOfToken(mfa_token);
    const holder = await this.db.acrossTenants((tx) => this.accounts.findTokenHolder(tx, hash, 'mfa'));
    if (!holder?.acc_totp) throw wrongCode();
    const attempter = { account: holder.acc_email ?? holder.acc_id, address: trace.ip };
    const started = await this.throttle.guardCode(attempter, () => this.tryCode(hash, holder, code, trace));
    if (!started) throw wrongCode();
    const account = await this.db.acrossTenants((tx) => this.accounts.findAccountById(tx, holder.acc_id));
    const known = account ? { device_token: await this.proof.recordSignIn(account, { address: trace.ip }) } : {};
    return {
      ...(await this.sessions.toAnswer(holder.tok_invitation === null ? started : await this.joinWith(holder.tok_invitation, started))),
      ...known,
    };
  }

  /** Ends the session of a refresh token or of an access token; says nothing about whether there was one. */
  async logout(refreshToken: string | undefined, authorization: string | undefined): Promise<void> {
    if (refreshToken) await this.db.acrossTenants((tx) => this.rows.endSessionOfToken(tx, hashOfToken(refreshToken)));
    const session = await this.sessionOf(authorization);
    if (session) await this.db.acrossTenants((tx) => this.rows.endSession(tx, session));
  }

  private async assertMember(acc_id: string, ws_id: string): Promise<void> {
    const memberships = await this.db.acrossTenants((tx) => this.rows.listMemberships(tx, acc_id));
    if (memberships.some((one) => one.ws_id === ws_id && one.user_status === 'active')) return;
    throw new Problem('tenant_forbidden', 'This workspace does not exist, or you are not a member of it.');
  }

  /** What the first step answers where a second factor is enrolled. */
  async askForCode(
    acc_id: string,
    { tenant_id = null, invitation = null }: { readonly tenant_id?: string | null | undefined; readonly invitation?: string | null },
  ): Promise<MfaRequired> {
    const mfa_token = newSecretToken();
    await this.db.acrossTenants((tx) =>
      this.accounts.addToken(tx, {
        hash: hashOfToken(mfa_token),
        acc_id,
        kind: 'mfa',
        lifeSeconds: MFA_LIFE_SECONDS,
        tenant_id,
        invitation,
      }),
    );
    return { mfa_required: true, mfa_token, expires_in: MFA_LIFE_SECONDS, mfa_methods: ['totp', 'recovery_code'] };
  }

  /** The code is spent and the session begun together; a wrong one is counted on the token. */
  private tryCode(
    hash: string,
    { acc_id, acc_totp, tok_tenant }: TokenHolder,
    code: string,
    trace: ClientTrace,
  ): Promise<StartedSession | null> {
    const presented = this.codes.matchCode(code, acc_totp ?? '');
    return this.db.acrossTenants(async (tx) => {
      const good = await this.accounts.finishSecondFactor(tx, hash, presented);
      return good ? this.sessions.startIn(tx, { acc_id, methods: ['pwd', 'otp'], ws_id: tok_tenant }, trace) : null;
    });
  }

  /** The invitation that the sign-in began with is accepted now that it is finished. */
  private async joinWith(invitation: string, started: StartedSession): Promise<StartedSession> {
    const { acc_id, ses_id } = started.session;
    const found = await this.joining.requireLiveInvitation(invitation);
    if (found.user_id !== acc_id) throw wrongCode();
    const memberships = await this.joining.joinWorkspace({ invitation: found, password_hash: null }, (tx) =>
      this.rows.listMemberships(tx, acc_id, ses_id),
    );
    return { ...started, memberships };
  }

  private async sessionOf(authorization: string | undefined): Promise<string | null> {
    const token = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/.exec(authorization ?? '')?.[1];
    if (!token) return null;
    try {
      const { kid } = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString('utf8')) as { kid?: string };
      const pem = kid ? await this.keys.findPublicKey(kid) : null;
      if (!pem) return null;
      await jwtVerify(token, createPublicKey(pem), {
        algorithms: [ACCESS_TOKEN.algorithm],
        issuer: ACCESS_TOKEN.issuer,
        audience: ACCESS_TOKEN.audience,
      });
      return String(decodeJwt(token).sid);
    } catch {
      return null;
    }
  }
}

const wrongCode = (): Problem => unauthenticated('The code is wrong or was used before, or the sign-in has expired; sign in again.');
