import { Injectable } from '@nestjs/common';
import { Database, requireScope } from '@atrium/platform/database';
import { asJson, Clock } from '@atrium/platform/kernel';
import { Credentials } from '@atrium/platform/outbound';
import { SocialFailure } from '../../network/domain/social-failure';
import { SocialPort, type Grant } from '../../network/domain/social-port';
import type { SealedTokens, SocialConnection } from '../domain/social-connection';
import { ConnectionsRepository } from '../infrastructure/connections.repository';
import { ConnectionNotices } from './connection-notices';

const USE = 'social-connection';
/** Somebody else renews the tokens at this moment. */
const SOON_MS = 3_000;

interface UsableTokens {
  readonly access: string;
  readonly version: number;
  readonly scopes: readonly string[];
}

/** The tokens of connections: sealed at rest, renewed once however many ask, and ended when the platform takes them no more. */
@Injectable()
export class ConnectionTokens {
  constructor(
    private readonly db: Database,
    private readonly connections: ConnectionsRepository,
    private readonly credentials: Credentials,
    private readonly port: SocialPort,
    private readonly notices: ConnectionNotices,
    private readonly clock: Clock,
  ) {}

  sealGrant(grant: Grant): SealedTokens {
    const seal = (token: string): string => this.credentials.seal(requireScope().tenant_id, USE, asJson({ token }));
    return { access: seal(grant.access), refresh: grant.refresh === null ? null : seal(grant.refresh) };
  }

  /** Does something with the access token; one that is refused is renewed once. Outside of a unit of work. */
  async useAccess<T>(con_id: string, work: (access: string, scopes: readonly string[]) => Promise<T>): Promise<T> {
    const tokens = await this.readTokens(con_id);
    try {
      return await work(tokens.access, tokens.scopes);
    } catch (error) {
      if (!(error instanceof SocialFailure) || error.kind !== 'unauthorized') throw error;
      await this.renewTokens(con_id, tokens.version);
      const renewed = await this.readTokens(con_id);
      return this.orRevoked(con_id, () => work(renewed.access, renewed.scopes));
    }
  }

  /** The access token for revoking it; null where none is kept. */
  openAccess({ con_access }: Pick<SocialConnection, 'con_access'>): string | null {
    return con_access === null ? null : this.open(con_access);
  }

  /** Renews the tokens unless somebody has since they were read; a grant that has ended is revoked. */
  async renewTokens(con_id: string, version: number): Promise<void> {
    const claim = await this.db.write(async () => {
      const connection = await this.connections.lock(con_id);
      if (connection.con_removed !== null) return { kind: 'ended' as const };
      if (connection.con_token_version !== version) return { kind: 'renewed' as const };
      if (connection.con_refresh === null) return { kind: 'ended' as const };
      if (!connection.claimRefresh(version, this.clock)) return { kind: 'busy' as const };
      await this.connections.save(connection);
      return { kind: 'mine' as const, refresh: this.open(connection.con_refresh) };
    });
    if (claim.kind === 'renewed') return;
    if (claim.kind === 'busy')
      throw new SocialFailure('unavailable', 'The access to the account is being renewed.', { retryAfterMs: SOON_MS });
    if (claim.kind === 'ended') return this.endGrant(con_id, 'LinkedIn no longer accepts the access that was granted.');
    await this.exchange(con_id, claim.refresh);
  }

  private async exchange(con_id: string, refresh: string): Promise<void> {
    try {
      const grant = await this.port.refreshGrant(refresh);
      await this.db.write(async () => {
        const connection = await this.connections.lock(con_id);
        if (connection.con_removed !== null) return;
        connection.refresh(grant, this.sealGrant(grant), this.clock);
        await this.connections.save(connection);
      });
    } catch (error) {
      if (!(error instanceof SocialFailure) || error.kind !== 'invalid_grant') {
        await this.releaseClaim(con_id);
        throw error;
      }
      await this.endGrant(con_id, 'The access that was granted has ended and could not be renewed.');
    }
  }

  private releaseClaim(con_id: string): Promise<void> {
    return this.db.write(async () => {
      const connection = await this.connections.lock(con_id);
      connection.con_refreshing = null;
      await this.connections.save(connection);
    });
  }

  private async orRevoked<T>(con_id: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof SocialFailure && error.kind === 'unauthorized')
        await this.endGrant(con_id, 'LinkedIn no longer accepts the access that was granted.');
      throw error;
    }
  }

  /** Revoked once, with one mail; and the failure that says so. */
  private async endGrant(con_id: string, reason: string): Promise<never> {
    await this.db.write(async () => {
      const connection = await this.connections.lock(con_id);
      if (connection.con_removed !== null || connection.con_status === 'revoked') return;
      connection.revoke(reason, this.clock);
      await this.connections.save(connection);
      await this.notices.notifyRevoked(connection);
    });
    throw new SocialFailure('invalid_grant', `${reason} Connect the account again.`);
  }

  private async readTokens(con_id: string): Promise<UsableTokens> {
    const connection = await this.db.write(async () => {
      await this.connections.recordUse(con_id);
      return this.connections.findRow(con_id);
    });
    if (!connection || connection.con_access === null || !connection.isUsable)
      throw new SocialFailure('invalid_grant', 'The connection has ended. Connect the account again.');
    return { access: this.open(connection.con_access), version: connection.con_token_version, scopes: connection.con_scopes };
  }

  private open(sealed: string): string {
    const { token } = this.credentials.open(requireScope().tenant_id, USE, sealed);
    return typeof token === 'string' ? token : '';
  }
}
