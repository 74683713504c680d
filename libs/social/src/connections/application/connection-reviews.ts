import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import { Clock, DAY } from '@atrium/platform/kernel';
import { Outbox, planJob } from '@atrium/platform/messaging';
import { SocialPort } from '../../network/domain/social-port';
import { ConnectionsRepository } from '../infrastructure/connections.repository';
import { readAccounts, refreshConnection } from '../jobs/connections.jobs';
import { ConnectionNotices } from './connection-notices';
import { ConnectionTokens } from './connection-tokens';
import { GrantedTargets } from './granted-targets';

/** Looks at connections by the clock: warns before they end, renews what can be renewed, and reads their targets once a day. */
@Injectable()
export class ConnectionReviews {
  constructor(
    private readonly db: Database,
    private readonly connections: ConnectionsRepository,
    private readonly notices: ConnectionNotices,
    private readonly tokens: ConnectionTokens,
    private readonly granted: GrantedTargets,
    private readonly port: SocialPort,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  listDue(most: number): Promise<readonly { readonly tenant_id: string; readonly con_id: string }[]> {
    return this.connections.findDueConnections(most);
  }

  reviewConnection(con_id: string): Promise<void> {
    return this.db.write(async () => {
      const connection = await this.connections.lock(con_id);
      if (connection.con_next === null || connection.con_next > this.clock.now()) return;
      const { became, warns, isRefreshed } = connection.review(this.clock);
      await this.connections.save(connection);
      if (became === 'expiring' || became === 'expired') this.notices.emitChange(became, connection);
      if (warns !== null) await this.notices.warn(connection, warns);
      if (isRefreshed) this.outbox.addJob(planJob(refreshConnection, { con_id, version: connection.con_token_version }));
      if (connection.isUsable && this.clock.now().getTime() - connection.con_accounts_read.getTime() >= DAY)
        this.outbox.addJob(planJob(readAccounts, { con_id }));
    });
  }

  refreshTokens(con_id: string, version: number): Promise<void> {
    return this.tokens.renewTokens(con_id, version);
  }

  /** Targets that were added, lost or renamed at the platform. */
  async readAuthors(con_id: string): Promise<void> {
    const account = await this.tokens.useAccess(con_id, (access, scopes) => this.port.readAccount(access, scopes));
    await this.db.write(async () => {
      const connection = await this.connections.lock(con_id);
      if (connection.con_removed !== null) return;
      connection.con_accounts_read = this.clock.now();
      connection.con_account_name = account.account_name;
      await this.connections.save(connection);
      await this.granted.adoptAuthors(con_id, account.authors);
    });
  }
}
