import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Audit, defineAuditTypes, type Principal } from '@atrium/platform/access';
import { listOf, Settings } from '@atrium/platform/config';
import { Database } from '@atrium/platform/database';
import { Clock, Ids, invalidField, MINUTE, Problem } from '@atrium/platform/kernel';
import type { Platform } from '../../network/domain/platforms';
import { SocialFailure } from '../../network/domain/social-failure';
import { SocialPort, type Grant, type GrantedAccount } from '../../network/domain/social-port';
import { SocialConnection } from '../domain/social-connection';
import { assertRedirect } from '../domain/redirect-uri';
import { AuthStateRows } from '../infrastructure/auth-states.rows';
import { ConnectionsRepository, type ConnectionRow } from '../infrastructure/connections.repository';
import { DependentPostRows, type DependentPost } from '../infrastructure/dependent-posts.rows';
import { TargetsRepository, type TargetRow } from '../infrastructure/targets.repository';
import { ConnectionNotices } from './connection-notices';
import { ConnectionTokens } from './connection-tokens';
import { GrantedTargets } from './granted-targets';

export const CONNECTIONS_AUDIT = defineAuditTypes({
  'social_connection.connected': 'An account at a social network was connected, or connected again.',
  'social_connection.disconnected': 'An account at a social network was disconnected.',
  'social_target.updated': 'A target at a social network was changed.',
});

const STATE_BYTES = 32;
const LIVES_MS = 10 * MINUTE;
const MOST_FAILED = 50;

export interface AuthUrl {
  readonly url: string;
  readonly state: string;
  readonly expires: Date;
}

/** What a person brings back from the platform. */
export interface Callback {
  readonly code: string;
  readonly redirect_uri: string;
  readonly state?: string;
}

export interface Connected {
  readonly con_id: string;
  readonly connection: ConnectionRow;
  readonly targets: readonly TargetRow[];
  readonly failed_posts: readonly DependentPost[];
  readonly isNew: boolean;
}

const hashOf = (state: string): string => createHash('sha256').update(state).digest('hex');

/** Connects accounts: a person grants access at the platform and comes back with a code that is exchanged once. */
@Injectable()
export class AuthorizationsService {
  constructor(
    private readonly db: Database,
    private readonly settings: Settings,
    private readonly port: SocialPort,
    private readonly states: AuthStateRows,
    private readonly connections: ConnectionsRepository,
    private readonly targets: TargetsRepository,
    private readonly granted: GrantedTargets,
    private readonly tokens: ConnectionTokens,
    private readonly posts: DependentPostRows,
    private readonly notices: ConnectionNotices,
    private readonly audit: Audit,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  async createAuthUrl(caller: Principal, platform: Platform, redirect_uri: string): Promise<AuthUrl> {
    assertRedirect(redirect_uri, listOf(this.settings.LINKEDIN_REDIRECT_URIS));
    this.assertConfigured();
    const state = randomBytes(STATE_BYTES).toString('base64url');
    const expires = new Date(this.clock.now().getTime() + LIVES_MS);
    await this.db.write(() =>
      this.states.insertState({
        auth_id: this.ids.next(),
        state_hash: hashOf(state),
        user_id: caller.user_id,
        platform,
        redirect_uri,
        expires,
      }),
    );
    return { url: this.port.buildAuthUrl({ redirect_uri, state }), state, expires };
  }

  /** The code is exchanged only for who began the authorization, and once. */
  async finishAuthorization(caller: Principal, platform: Platform, { code, redirect_uri, state }: Callback): Promise<Connected> {
    this.assertConfigured();
    await this.spendState({ user_id: caller.user_id, platform, redirect_uri }, state);
    const { grant, account } = await this.readGrant(code, redirect_uri);
    return this.db.write(async () => {
      const found = await this.connections.lockOfAccount(platform, account.account_id);
      const connection = found ?? this.blank(caller, platform, account);
      connection.connect(grant, account, this.tokens.sealGrant(grant), { by: caller.user_id, clock: this.clock });
      await (found ? this.connections.save(connection) : this.connections.insert(connection));
      await this.granted.adoptAuthors(connection.con_id, account.authors);
      this.notices.emitChange('connected', connection);
      this.audit.record({
        type: CONNECTIONS_AUDIT['social_connection.connected'],
        target: { type: 'social_connection', id: connection.con_id, name: connection.con_account_name },
        before: null,
        after: { con_platform: platform, con_scopes: [...connection.con_scopes] },
      });
      return { ...(await this.readConnected(caller, connection.con_id)), isNew: found === null };
    });
  }

  private async readConnected(caller: Principal, con_id: string): Promise<Omit<Connected, 'isNew'>> {
    const connection = await this.connections.findConnectionRow(con_id);
    if (!connection) throw new Error('A connection is missing that was just written.');
    const { row_version: _, ...row } = connection;
    return {
      con_id,
      connection: row,
      targets: await this.targets.listTargetsOf([con_id]),
      failed_posts: await this.posts.listFailedPosts(caller, con_id, MOST_FAILED),
    };
  }

  private blank(caller: Principal, con_platform: Platform, account: GrantedAccount): SocialConnection {
    return SocialConnection.blank(
      {
        con_id: this.ids.next(),
        con_platform,
        con_account_id: account.account_id,
        con_account_name: account.account_name,
        con_connected_by: caller.user_id,
      },
      this.clock.now(),
    );
  }

  private async spendState(
    claim: { readonly user_id: string; readonly platform: Platform; readonly redirect_uri: string },
    state?: string,
  ): Promise<void> {
    const now = this.clock.now();
    const isSpent = await this.db.write(() =>
      state === undefined ? this.states.spendOnlyState(claim, now) : this.states.spendState(hashOf(state), claim, now),
    );
    if (!isSpent)
      throw invalidField('state', 'is not that of an authorization you started with this redirect_uri in the last 10 minutes', 'state');
  }

  private async readGrant(code: string, redirect_uri: string): Promise<{ readonly grant: Grant; readonly account: GrantedAccount }> {
    try {
      const grant = await this.port.exchangeCode({ code, redirect_uri });
      return { grant, account: await this.port.readAccount(grant.access, grant.scopes) };
    } catch (error) {
      throw error instanceof SocialFailure ? refusalOf(error) : error;
    }
  }

  private assertConfigured(): void {
    if (this.port.isConfigured) return;
    throw new Problem(
      'not_configured',
      'No LinkedIn application is configured. Ask the operator to set LINKEDIN_CLIENT_ID and LINKEDIN_CLIENT_SECRET.',
    );
  }
}

/** A platform that is unavailable is a failure of its own; everything else is what it says of the code. */
export function refusalOf({ kind, message }: SocialFailure): Problem {
  if (kind === 'unavailable' || kind === 'unknown') return new Problem('upstream_failed', `${message} Try again later.`);
  if (kind === 'rate_limited') return new Problem('upstream_failed', 'LinkedIn accepts no more requests for now. Try again later.');
  return new Problem('unprocessable_content', `LinkedIn refused the request: ${message}`);
}
