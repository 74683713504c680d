import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { publicOrigin, Settings } from '@atrium/platform/config';
import { Clock, type JsonObject } from '@atrium/platform/kernel';
import type { CmsCapabilities, CmsProvider, RemoteSpace } from '../domain/cms-port';
import type { AutoPull, CmsSiteConnection, ConnectionStatus, Notification } from '../domain/cms-site-connection';
import type { Verdicts } from '../domain/verdict';
import { CmsLinksRepository } from '../infrastructure/cms-links.repository';
import { SyncRunsRepository } from '../infrastructure/sync-runs.repository';
import { RunViews, type RunView } from './run-views';
import { CmsSessions } from './cms-sessions';

/** A connection as clients see it: never with its secrets. */
export interface ConnectionView {
  readonly connected: true;
  readonly provider: CmsProvider;
  readonly settings: JsonObject;
  readonly space: { readonly id: string; readonly name: string };
  readonly status: ConnectionStatus;
  readonly verified_at: Date;
  readonly last_error: string | null;
  readonly capabilities: CmsCapabilities;
  readonly automation: { readonly scan: boolean; readonly autoPull: AutoPull; readonly notify: Notification };
  readonly links: Verdicts;
  readonly last_job: RunView | null;
}

export interface AutomationView {
  readonly scan: boolean;
  readonly autoPull: AutoPull;
  readonly notify: Notification;
  readonly webhook: {
    readonly url: string | null;
    readonly created: Date | null;
    readonly verified: boolean;
    readonly lastEventAt: Date | null;
  } | null;
  readonly lastScanAt: Date | null;
  readonly nextScanAt: Date | null;
  readonly coverage: { readonly linked: number; readonly compared: number; readonly notCompared: number };
}

/** Shows connections and what happens with them unattended. */
@Injectable()
export class ConnectionViews {
  constructor(
    private readonly links: CmsLinksRepository,
    private readonly runs: SyncRunsRepository,
    private readonly runViews: RunViews,
    private readonly sessions: CmsSessions,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  async viewConnection(connection: CmsSiteConnection): Promise<ConnectionView> {
    const { cms_site, cms_settings, cms_verified_at, cms_last_error } = connection;
    const [last] = await this.runs.listNewest(cms_site, { directions: ['pull', 'push', 'scan', 'schemas_pull', 'schemas_push'], most: 1 });
    const [last_job = null] = last ? await this.runViews.viewRuns([last]) : [];
    const { signingSecret } = this.sessions.openSecrets(connection);
    return {
      connected: true,
      provider: connection.cms_provider,
      settings: { ...cms_settings, tokenSet: true, ...(signingSecret === undefined ? {} : { signingSecretSet: true }) },
      space: connection.cms_space,
      status: connection.cms_status,
      verified_at: cms_verified_at,
      last_error: cms_last_error,
      capabilities: connection.cms_capabilities,
      automation: { scan: connection.cms_scan, autoPull: connection.cms_auto_pull, notify: connection.cms_notify },
      links: await this.links.countVerdicts(cms_site),
      last_job,
    };
  }

  /** What connecting would show; nothing is stored. */
  previewConnection({
    provider,
    space,
    settings,
  }: {
    readonly provider: CmsProvider;
    readonly space: RemoteSpace;
    readonly settings: JsonObject;
  }): ConnectionView {
    return {
      connected: true,
      provider,
      settings: { ...settings, tokenSet: true },
      space: { id: space.id, name: space.name },
      status: 'ok',
      verified_at: this.clock.now(),
      last_error: null,
      capabilities: space.capabilities,
      automation: { scan: false, autoPull: 'off', notify: 'off' },
      links: {},
      last_job: null,
    };
  }

  /** The address of a webhook without a signature is its secret: it is shown to those who may make another one. */
  async viewAutomation(caller: Principal, site_id: string, connection: CmsSiteConnection | null): Promise<AutomationView> {
    const { linked, compared } = await this.links.countLinked(site_id, connection?.cms_last_scan ?? null);
    return {
      scan: connection?.cms_scan ?? false,
      autoPull: connection?.cms_auto_pull ?? 'off',
      notify: connection?.cms_notify ?? 'off',
      webhook: connection?.cms_hook_key
        ? {
            url: connection.cms_hook_signed || caller.permissions.has('site:cms:connect') ? this.hookUrl(connection.cms_hook_key) : null,
            created: connection.cms_hook_created,
            verified: connection.cms_hook_verified,
            lastEventAt: connection.cms_hook_event,
          }
        : null,
      lastScanAt: connection?.cms_last_scan ?? null,
      nextScanAt: connection?.cms_next_scan ?? null,
      coverage: { linked, compared, notCompared: linked - compared },
    };
  }

  hookUrl(hook_key: string): string {
    return `${publicOrigin(this.settings)}/hooks/cms/${hook_key}`;
  }
}
