import { Injectable } from '@nestjs/common';
import { unauthenticated, ACCESS_TOKEN } from '@atrium/platform/access';
import { accessDenied, invalidField, Clock, isId } from '@atrium/platform/kernel';
import { createPublicKey } from 'node:crypto';
import { Database } from '@atrium/platform/database';
import { jwtVerify } from 'jose';
import { Joining, signInFirst } from '../../people/application/joining';
import { maskedEmail, mustSignIn } from '../../people/domain/invitation';
import type { FoundInvitation } from '../../people/infrastructure/invitations.repository';
import { hashOfToken } from '../../shared/domain/secret-token';
import { Passwords } from '../infrastructure/passwords';
import { SessionRows, type PresentedSession } from '../infrastructure/session.rows';
import { PasswordProof, wrongCredentials } from './password-proof';
import { Sessions, type ClientTrace, type NewSession, type SignedIn } from './sessions';
import { SignInService, type MfaRequired } from './sign-in.service';
import { SigningKeys } from '../../callers/application/signing-keys';

export interface Acceptance {
  readonly token: string;
  readonly user_name?: string | null;
  readonly password?: string | null;
}

export interface InvitationView {
  readonly ws_name: string;
  readonly invited_email_masked: string;
  readonly needs_password: boolean;
  readonly needs_sign_in: boolean;
}

/** What the person shows besides the link. */
interface Shown {
  readonly user_name: string | null | undefined;
  readonly password: string | null | undefined;
  readonly trace: ClientTrace;
}

/**
 * Takes up what a link offers, once, and signs the person in. The inviting member may have seen the link, so it opens an
 * account that is nobody's yet and no other: an account with an owner joins by its own bearer, or its password and code.
 */
@Injectable()
export class InvitationAcceptanceService {
  constructor(
    private readonly joining: Joining,
    private readonly sessions: Sessions,
    private readonly rows: SessionRows,
    private readonly signIn: SignInService,
    private readonly proof: PasswordProof,
    private readonly passwords: Passwords,
    private readonly keys: SigningKeys,
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  async getInvitation(token: string): Promise<InvitationView> {
    const found = await this.joining.requireLiveInvitation(hashOfToken(token));
    const needs_sign_in = mustSignIn(found);
    return { ws_name: found.ws_name, invited_email_masked: maskedEmail(found.user_email), needs_password: !needs_sign_in, needs_sign_in };
  }

  async acceptInvitation(
    { token, user_name, password }: Acceptance,
    trace: ClientTrace,
    authorization: string | undefined,
  ): Promise<SignedIn | MfaRequired> {
    const found = await this.joining.requireLiveInvitation(hashOfToken(token));
    const presented = await this.sessionOf(authorization);
    if (presented && presented.acc_id !== found.user_id)
      throw accessDenied('The invitation is for another person. Sign out and open it again.');
    // A session that opens another workspace alone proves nothing here: the issuer behind it vouches for that workspace only.
    if (presented && (presented.ses_tenant === null || presented.ses_tenant === found.tenant_id))
      return this.byBearer(found, presented.ses_id, { user_name, password, trace });
    if (mustSignIn(found)) return this.byPassword(found, token, { user_name, password, trace });
    return this.byLink(found, token, { user_name, password, trace });
  }

  /** The session that follows is no younger and proves no more than the one that was presented, and opens this workspace alone. */
  private byBearer(found: FoundInvitation, derived_from: string, { user_name, trace }: Shown): Promise<SignedIn> {
    return this.join(found, { user_name, password_hash: null, session: { methods: [], derived_from, bound: true }, trace });
  }

  /** The account has an owner. Where a second factor is enrolled, nothing is joined before its code. */
  private async byPassword(found: FoundInvitation, token: string, { user_name, password, trace }: Shown): Promise<SignedIn | MfaRequired> {
    if (!password) throw signInFirst();
    const account = await this.proof.verifyPassword(found.user_email, password, { address: trace.ip });
    if (account.acc_id !== found.user_id) throw wrongCredentials();
    if (account.acc_totp !== null)
      return this.signIn.askForCode(account.acc_id, { tenant_id: found.tenant_id, invitation: hashOfToken(token) });
    return this.join(found, {
      user_name,
      password_hash: null,
      session: { methods: ['pwd'], password_changed_at: account.acc_password_changed_at },
      trace,
    });
  }

  /**
   * The link is the proof: the account is nobody's, or only its mailbox has seen the link. Somebody who has both the mailbox
   * and the password keeps the account as it is; for anybody else it begins afresh with the password that is sent.
   */
  private async byLink(found: FoundInvitation, token: string, { user_name, password, trace }: Shown): Promise<SignedIn | MfaRequired> {
    if (!password) throw invalidField('password', 'is required: choose a password for the new account', 'required');
    this.passwords.assertPossible(password);
    if (found.acc_password_hash !== null && (await this.passwords.verifyPassword(password, found.acc_password_hash)))
      return this.byPassword(found, token, { user_name, password, trace });
    await this.passwords.assertStrong(password, [found.user_email, found.user_name]);
    return this.join(found, {
      user_name,
      password_hash: await this.passwords.hashPassword(password),
      session: { methods: ['pwd'], bound: true },
      trace,
    });
  }

  private async join(
    found: FoundInvitation,
    {
      user_name,
      password_hash,
      session,
      trace,
    }: {
      readonly user_name: string | null | undefined;
      readonly password_hash: string | null;
      readonly session: Omit<NewSession, 'acc_id' | 'ws_id'>;
      readonly trace: ClientTrace;
    },
  ): Promise<SignedIn> {
    const started = await this.joining.joinWorkspace({ invitation: found, user_name, password_hash }, async (tx) => {
      const begun = await this.sessions.startIn(tx, { ...session, acc_id: found.user_id, ws_id: found.tenant_id }, trace);
      if (!begun) throw unauthenticated('The account is closed, or its password has changed since the sign-in.');
      return begun;
    });
    return this.sessions.toAnswer(started);
  }

  /** The session of a token of ours that is still good, while it lasts; null for anything else. */
  private async sessionOf(authorization: string | undefined): Promise<PresentedSession | null> {
    const named = await this.namedBy(authorization);
    if (!named) return null;
    const row = await this.db.acrossTenants((tx) => this.rows.findPresentedSession(tx, named.sid, named.sub));
    return row && new Date(row.ses_expires_at) > this.clock.now() ? row : null;
  }

  private async namedBy(authorization: string | undefined): Promise<{ readonly sub: string; readonly sid: string } | null> {
    const token = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/.exec(authorization ?? '')?.[1];
    if (!token) return null;
    try {
      const { payload } = await jwtVerify(
        token,
        async ({ kid }) => {
          const pem = kid ? await this.keys.findPublicKey(kid) : null;
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
