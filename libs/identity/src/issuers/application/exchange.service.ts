import { Injectable } from '@nestjs/common';
import { unauthenticated } from '@atrium/platform/access';
import { Database, enterWorkspace, type UnitOfWork } from '@atrium/platform/database';
import { Problem } from '@atrium/platform/kernel';
import { claimedIssuer, IssuerVerifier, TokenRefused, type VouchedClaims } from '../domain/issuer-verifier';
import type { Issuer } from '../domain/issuer';
import { IssuersRepository } from '../infrastructure/issuers.repository';
import { IssuerPeople } from './issuer-people';
import { Sessions, type ClientTrace, type SignedIn, type StartedSession } from '../../sign-in/application/sessions';

/** Sign-in by a token of an issuer that one workspace trusts. The session it begins opens that workspace and no other. */
@Injectable()
export class ExchangeService {
  constructor(
    private readonly db: Database,
    private readonly issuers: IssuersRepository,
    private readonly verifier: IssuerVerifier,
    private readonly people: IssuerPeople,
    private readonly sessions: Sessions,
  ) {}

  /** Whatever is wrong with a token, its issuer or the workspace it is sent for: one answer. */
  exchangeToken(token: string, ws_id: string, trace: ClientTrace): Promise<SignedIn> {
    return enterWorkspace(ws_id.toLowerCase(), async () => {
      const issuer = await this.issuerOf(token);
      const vouched = await this.vouchedBy(issuer, token);
      const started = await this.db.write((tx) => this.begin(tx, issuer, vouched, trace));
      return this.sessions.toAnswer(started);
    });
  }

  private async issuerOf(token: string): Promise<Issuer> {
    const iss = claimedIssuer(token);
    const issuer = iss === null ? null : await this.db.read(() => this.issuers.findTrustedIssuer(iss));
    if (!issuer) throw refused();
    return issuer;
  }

  private async vouchedBy(issuer: Issuer, token: string): Promise<VouchedClaims> {
    try {
      return await this.verifier.verifyToken(token, issuer);
    } catch (error) {
      throw error instanceof TokenRefused ? refused() : error;
    }
  }

  /** The issuer must be trusted as it was when it was asked. */
  private async begin(tx: UnitOfWork, issuer: Issuer, vouched: VouchedClaims, trace: ClientTrace): Promise<StartedSession> {
    const status = await this.issuers.lockTrustedIssuer(issuer);
    if (status === null) throw refused();
    if (status !== 'active') throw new Problem('tenant_forbidden', 'The workspace is suspended.');
    const acc_id = await this.people.admitMember(issuer, vouched);
    const started = await this.sessions.startIn(
      tx,
      { acc_id, methods: ['ext'], issuer: issuer.iss_id, ws_id: issuer.tenant_id, bound: true },
      trace,
    );
    if (!started) throw unauthenticated('The account is closed.');
    return started;
  }
}

const refused = (): Problem => unauthenticated('The token is not valid for this workspace.');
