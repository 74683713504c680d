import { Injectable, Logger } from '@nestjs/common';
import { Audit, changesBetween } from '@atrium/platform/access';
import { Database, TimeZones, type ListParameters, type Page, type Precondition } from '@atrium/platform/database';
import { Clock, DAY, notFound, pick } from '@atrium/platform/kernel';
import type { Platform } from '../../network/domain/platforms';
import { SocialPort } from '../../network/domain/social-port';
import type { SocialConnection } from '../domain/social-connection';
import { ConnectionsRepository, type ConnectionRow } from '../infrastructure/connections.repository';
import { TargetsRepository, type TargetRow } from '../infrastructure/targets.repository';
import { CONNECTIONS_AUDIT } from './authorizations.service';
import { ConnectionNotices } from './connection-notices';
import { ConnectionTokens } from './connection-tokens';

/** A connection with the targets that it serves. */
export interface ConnectionAnswer extends ConnectionRow {
  /** Whole days until access ends, 0 once it has. */
  readonly con_days_left: number;
  readonly targets: readonly TargetRow[];
}

export interface TargetChange {
  readonly tgt_enabled?: boolean;
  readonly tgt_timezone?: string;
}

const AUDITED = ['tgt_enabled', 'tgt_timezone'] as const;

/** The connected accounts of a workspace and their targets. */
@Injectable()
export class ConnectionsService {
  private readonly log = new Logger(ConnectionsService.name);

  constructor(
    private readonly db: Database,
    private readonly connections: ConnectionsRepository,
    private readonly targets: TargetsRepository,
    private readonly tokens: ConnectionTokens,
    private readonly notices: ConnectionNotices,
    private readonly port: SocialPort,
    private readonly zones: TimeZones,
    private readonly audit: Audit,
    private readonly clock: Clock,
  ) {}

  list(query: ListParameters): Promise<Page<ConnectionAnswer>> {
    return this.db.read(async () => {
      const page = await this.connections.listConnections(query);
      return { ...page, data: await this.withTargets(page.data) };
    });
  }

  get(con_id: string): Promise<ConnectionAnswer> {
    return this.db.read(async () => {
      const row = await this.connections.findConnectionRow(con_id);
      const [answer] = row ? await this.withTargets([row]) : [];
      if (!answer) throw notFound('connection');
      return answer;
    });
  }

  listTargets(query: ListParameters): Promise<Page<TargetRow & { readonly con_platform: Platform }>> {
    return this.db.read(() => this.targets.listEnabledTargets(query));
  }

  async changeTarget(
    tgt_id: string,
    change: TargetChange,
    precondition?: Precondition,
  ): Promise<TargetRow & { readonly row_version: number }> {
    if (change.tgt_timezone !== undefined) await this.zones.assertTimeZone('tgt_timezone', change.tgt_timezone);
    return this.db.write(async () => {
      const target = await this.targets.lock(tgt_id, precondition);
      const before = pick(target, AUDITED);
      if (change.tgt_enabled !== undefined) target.tgt_enabled = change.tgt_enabled;
      if (change.tgt_timezone !== undefined) target.tgt_timezone = change.tgt_timezone;
      const after = pick(target, AUDITED);
      if (JSON.stringify(before) !== JSON.stringify(after)) target.tgt_updated = this.clock.now();
      await this.targets.save(target);
      this.audit.record({
        type: CONNECTIONS_AUDIT['social_target.updated'],
        target: { type: 'social_target', id: tgt_id, name: target.tgt_name },
        ...changesBetween(before, after),
      });
      const row = await this.targets.findTargetRow(tgt_id);
      if (!row) throw notFound('target');
      return row;
    });
  }

  /** Tokens are erased here and revoked there as far as possible; scheduled posts fail when their time comes. */
  async disconnect(platform: Platform, con_id: string | null): Promise<void> {
    const tokens = await this.db.write(async () => {
      const found = await this.connections.lockConnected(platform, con_id);
      if (found.length === 0) throw notFound('connection');
      const revoked = found.map((connection) => this.tokens.openAccess(connection));
      for (const connection of found) await this.disconnectOne(connection);
      return revoked;
    });
    for (const access of tokens) if (access !== null) await this.revokeThere(access);
  }

  private async disconnectOne(connection: SocialConnection): Promise<void> {
    connection.disconnect(this.clock);
    await this.connections.save(connection);
    for (const target of await this.targets.lockTargetsOf(connection.con_id)) {
      target.lose(this.clock.now());
      await this.targets.save(target);
    }
    this.notices.emitChange('revoked', connection);
    this.audit.record({
      type: CONNECTIONS_AUDIT['social_connection.disconnected'],
      target: { type: 'social_connection', id: connection.con_id, name: connection.con_account_name },
      before: { con_platform: connection.con_platform },
      after: null,
    });
  }

  private async revokeThere(access: string): Promise<void> {
    await this.port
      .revokeToken(access)
      .catch((error: unknown) => this.log.warn({ msg: 'a token could not be revoked at the platform', err: error }));
  }

  private async withTargets<R extends ConnectionRow>(rows: readonly R[]): Promise<(R & ConnectionAnswer)[]> {
    const targets = await this.targets.listTargetsOf(rows.map(({ con_id }) => con_id));
    const now = this.clock.now().getTime();
    return rows.map((row) => ({
      ...row,
      con_days_left: Math.max(0, Math.floor((new Date(row.con_expires).getTime() - now) / DAY)),
      targets: targets.filter(({ tgt_connection }) => tgt_connection === row.con_id),
    }));
  }
}

export type { ConnectionRow, TargetRow };
