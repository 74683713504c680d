import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Audit, defineAuditTypes, type Principal } from '@atrium/platform/access';
import { Database, requireScope } from '@atrium/platform/database';
import { Clock, invalidField, invalidState, MINUTE, Problem, type JsonObject } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import { SiteAccess } from '../../sites/application/site-access';
import type { Site } from '../../sites/domain/site';
import type { CmsCall, CmsPort, CmsProvider, RemoteSpace } from '../domain/cms-port';
import { CmsSiteConnection, type Automation } from '../domain/cms-site-connection';
import { CmsConnectionsRepository } from '../infrastructure/cms-connections.repository';
import { CmsLinksRepository } from '../infrastructure/cms-links.repository';
import { CmsPorts } from '../domain/cms-ports';
import { CmsSessions, type CmsSecrets } from './cms-sessions';
import { ConnectionViews, type AutomationView, type ConnectionView } from './connection-views';
import { NightlyTimes } from './nightly-times';
import { RunStarts } from './run-starts';

/** What is kept of changes to connections. */
const CMS_AUDIT = defineAuditTypes({
  'cms.connected': 'A site was connected to a content management system, or its credentials were replaced.',
  'cms.disconnected': 'A site was disconnected from its content management system.',
  'cms.automation_changed': 'What happens unattended between a site and its content management system was changed.',
});

export interface ConnectOrder {
  readonly provider: CmsProvider;
  readonly settings: JsonObject;
  readonly dryRun?: boolean;
}

/** Names of settings that are secrets; they are sealed and never shown. */
const SECRET_SETTINGS = ['token', 'signingSecret'] as const;
const PATIENCE_MS = MINUTE;

/** Connections of sites to a CMS. Nothing is synchronized by connecting. */
@Injectable()
export class ConnectionsService {
  constructor(
    private readonly db: Database,
    private readonly access: SiteAccess,
    private readonly connections: CmsConnectionsRepository,
    private readonly links: CmsLinksRepository,
    private readonly ports: CmsPorts,
    private readonly sessions: CmsSessions,
    private readonly views: ConnectionViews,
    private readonly nights: NightlyTimes,
    private readonly starts: RunStarts,
    private readonly audit: Audit,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  get(caller: Principal, site_id: string): Promise<ConnectionView | { readonly connected: false }> {
    return this.db.read(async () => {
      await this.access.requireReadable(caller, site_id);
      const connection = await this.connections.findRow(site_id);
      return connection ? this.views.viewConnection(connection) : { connected: false };
    });
  }

  /** The CMS is asked before anything is stored, and outside of any unit of work. */
  async connect(caller: Principal, site_id: string, { provider, settings, dryRun = false }: ConnectOrder): Promise<ConnectionView> {
    const known = await this.db.read(async () => {
      await this.access.requireEditable(caller, site_id);
      return this.connections.findRow(site_id);
    });
    const port = this.ports.getPort(provider);
    const checked = port.checkSettings(withoutSecrets(settings));
    const isSameSpace = known?.cms_provider === provider && placeOf(known.cms_settings) === placeOf(checked);
    const secrets = this.secretsOf(settings, isSameSpace ? this.sessions.openSecrets(known) : null);
    const space = await port.verifyConnection(callOf({ settings: checked, secrets }));
    const facts = { settings: withoutSecrets({ ...checked, ...space.settings }), secrets };
    if (dryRun) return this.views.previewConnection({ provider, space, settings: facts.settings });
    return this.db.write(() => this.store(caller, site_id, { port, space, ...facts }));
  }

  async disconnect(caller: Principal, site_id: string): Promise<void> {
    const connection = await this.db.read(async () => {
      await this.access.requireEditable(caller, site_id);
      return this.connections.findRow(site_id);
    });
    const isGone = await this.db.write(async () => {
      const site = await this.access.requireEditable(caller, site_id);
      const locked = await this.connections.lockOne(site_id);
      if (!locked) return false;
      await this.starts.assertIdle(site_id);
      await this.connections.remove(locked);
      this.audit.record({ type: CMS_AUDIT['cms.disconnected'], target: targetOf(site) });
      this.outbox.emitEvent({ name: 'cms.disconnected', subject_id: site_id, payload: { provider: locked.cms_provider } });
      return true;
    });
    if (isGone && connection?.cms_hook_external) await this.removeHook(connection, connection.cms_hook_external);
  }

  getAutomation(caller: Principal, site_id: string): Promise<AutomationView> {
    return this.db.read(async () => {
      await this.access.requireReadable(caller, site_id);
      return this.views.viewAutomation(caller, site_id, await this.connections.findRow(site_id));
    });
  }

  changeAutomation(caller: Principal, site_id: string, automation: Partial<Automation>): Promise<AutomationView> {
    return this.db.write(async () => {
      const site = await this.access.requireEditable(caller, site_id);
      const connection = await this.connections.lockOne(site_id);
      if (!connection) throw invalidState('The site is not connected to a content management system. Connect it first.');
      connection.automate(automation, this.clock);
      connection.cms_next_scan = connection.isScanned ? await this.nights.findNext(site_id) : null;
      await this.connections.save(connection);
      this.audit.record({ type: CMS_AUDIT['cms.automation_changed'], target: targetOf(site), after: { ...automation } });
      return this.views.viewAutomation(caller, site_id, connection);
    });
  }

  private secretsOf({ token, signingSecret }: JsonObject, known: CmsSecrets | null): CmsSecrets {
    const given = typeof token === 'string' ? token : known?.token;
    if (given === undefined) throw invalidField('settings.token', 'must be given to connect the site', 'required');
    const signing = typeof signingSecret === 'string' ? signingSecret : known?.signingSecret;
    return {
      token: given,
      ...(signing === undefined ? {} : { signingSecret: signing }),
      ...(known?.hook === undefined ? {} : { hook: known.hook }),
    };
  }

  private async store(
    caller: Principal,
    site_id: string,
    {
      port,
      space,
      settings,
      secrets,
    }: { readonly port: CmsPort; readonly space: RemoteSpace; readonly settings: JsonObject; readonly secrets: CmsSecrets },
  ): Promise<ConnectionView> {
    const site = await this.access.keepEditable(caller, site_id);
    const locked = await this.connections.lockOne(site_id);
    if (locked && (locked.cms_space.id !== space.id || locked.cms_provider !== port.provider)) await this.assertUnlinked(locked);
    if (locked) await this.starts.assertIdle(site_id);
    const facts = { tenant_id: requireScope().tenant_id, cms_site: site_id, cms_provider: port.provider, cms_created_by: caller.user_id };
    const connection = locked ?? CmsSiteConnection.blank(facts, this.clock.now());
    connection.cms_provider = port.provider;
    connection.verified(space, { settings, secrets: this.sessions.sealSecrets(secrets) }, this.clock);
    await (locked ? this.connections.save(connection) : this.connections.insert(connection));
    this.audit.record({ type: CMS_AUDIT['cms.connected'], target: targetOf(site), after: { provider: port.provider, space: space.id } });
    this.outbox.emitEvent({ name: 'cms.connected', subject_id: site_id, payload: { provider: port.provider, space: space.id } });
    return this.views.viewConnection(connection);
  }

  private async assertUnlinked({ cms_site, cms_space }: CmsSiteConnection): Promise<void> {
    const { linked } = await this.links.countLinked(cms_site, null);
    if (linked > 0)
      throw invalidState(
        `The site has ${linked} pages linked to the space ${cms_space.name}. Disconnect it before you connect another space.`,
      );
  }

  /** As far as the CMS lets it: a webhook that stays calls an address that no longer exists. */
  private async removeHook(connection: CmsSiteConnection, external_id: string): Promise<void> {
    try {
      const { port, call } = this.sessions.openCall(connection, { signal: AbortSignal.timeout(PATIENCE_MS), once: true });
      await port.removeWebhook(call, external_id);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
    }
  }
}

const callOf = (connection: { readonly settings: JsonObject; readonly secrets: CmsSecrets }): CmsCall => ({
  connection,
  signal: AbortSignal.timeout(PATIENCE_MS),
  once: true,
});

const withoutSecrets = (settings: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(settings).filter(([name]) => !SECRET_SETTINGS.some((secret) => secret === name)));

/** Where credentials were given for: those of one space are not tried on another, although their owner may reach it. */
const placeOf = ({ spaceId, environment = null, region = null }: JsonObject): string => JSON.stringify([spaceId, environment, region]);

const targetOf = ({ site_id, site_name }: Site) => ({ type: 'site', id: site_id, name: site_name });

/** Part of an address that nobody can guess. */
export const newHookKey = (): string => randomBytes(24).toString('base64url');
