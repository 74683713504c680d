import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { publicOrigin, Settings } from '@atrium/platform/config';
import { Database, inWorkspace } from '@atrium/platform/database';
import { Clock, MINUTE, Problem, SECOND } from '@atrium/platform/kernel';
import { Outbox, planJob } from '@atrium/platform/messaging';
import { SiteAccess } from '../../sites/application/site-access';
import type { WebhookRequest } from '../domain/cms-port';
import type { CmsSiteConnection } from '../domain/cms-site-connection';
import { CmsConnectionsRepository } from '../infrastructure/cms-connections.repository';
import { readCmsNews } from '../jobs/sync.jobs';
import { CmsSessions, requireConnection } from './cms-sessions';
import { ConnectionViews } from './connection-views';
import { newHookKey } from './connections.service';

export interface WebhookAnswer {
  readonly url: string;
  readonly provider_id: string;
  readonly actions: readonly string[];
}

const SECRET_BYTES = 32;
/** Pages of one site that wait to be compared. */
const MOST_NEWS = 10_000;
const COALESCED_MS = 10 * SECOND;

/** The address that a CMS calls when its content changes. An event only names pages to compare. */
@Injectable()
export class WebhooksService {
  constructor(
    private readonly db: Database,
    private readonly access: SiteAccess,
    private readonly connections: CmsConnectionsRepository,
    private readonly sessions: CmsSessions,
    private readonly views: ConnectionViews,
    private readonly settings: Settings,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /** `isNew`: it was made, or made again with another address. */
  async create(caller: Principal, site_id: string, rotate: boolean): Promise<{ readonly webhook: WebhookAnswer; readonly isNew: boolean }> {
    const known = await this.findConnection(caller, site_id);
    this.assertReachable();
    if (known.cms_hook_key && known.cms_hook_external && !rotate) return { webhook: this.answer(known), isNew: false };
    const asking = { signal: AbortSignal.timeout(MINUTE), once: true };
    const { port, call, secrets } = this.sessions.openCall(known, asking);
    if (known.cms_hook_external) await port.removeWebhook(call, known.cms_hook_external);
    const hook_key = newHookKey();
    const hook = randomBytes(SECRET_BYTES).toString('hex');
    const made = await port.createWebhook(call, { site_id, url: this.views.hookUrl(hook_key), secret: hook });
    return this.db.write(async () => {
      const connection = requireConnection(await this.connections.lockOne(site_id));
      connection.cms_secrets = this.sessions.sealSecrets({ ...secrets, hook });
      connection.cms_hook_key = hook_key;
      connection.cms_hook_external = made.external_id;
      connection.cms_hook_signed = made.signed;
      connection.cms_hook_actions = [...made.actions];
      connection.cms_hook_created = this.clock.now();
      connection.cms_hook_verified = false;
      connection.cms_hook_event = null;
      await this.connections.save(connection);
      return { webhook: this.answer(connection), isNew: true };
    });
  }

  async remove(caller: Principal, site_id: string): Promise<void> {
    const known = await this.findConnection(caller, site_id);
    if (!known.cms_hook_key) return;
    const { port, call } = this.sessions.openCall(known, { signal: AbortSignal.timeout(MINUTE), once: true });
    if (known.cms_hook_external) await port.removeWebhook(call, known.cms_hook_external);
    await this.db.write(async () => {
      const connection = await this.connections.lockOne(site_id);
      if (!connection) return;
      Object.assign(connection, {
        cms_hook_key: null,
        cms_hook_external: null,
        cms_hook_signed: false,
        cms_hook_actions: [],
        cms_hook_created: null,
        cms_hook_verified: false,
        cms_hook_event: null,
      });
      await this.connections.save(connection);
    });
  }

  /** A call of the CMS: whose it is, whether it is theirs, and which pages it names. */
  async acceptEvent(hook_key: string, request: WebhookRequest): Promise<void> {
    const found = await this.connections.findByHook(hook_key);
    if (!found) throw new Problem('not_found', 'There is nothing at this address.');
    await inWorkspace(found.tenant_id, () => this.acceptIn(found.site_id, request));
  }

  private async acceptIn(site_id: string, request: WebhookRequest): Promise<void> {
    const connection = await this.db.read(() => this.connections.findRow(site_id));
    const { port, call, secrets } = this.sessions.openCall(connection, { signal: AbortSignal.timeout(10 * SECOND), once: true });
    const signing = {
      secret: secrets.hook ?? '',
      signed: connection?.cms_hook_signed ?? false,
      signingSecret: secrets.signingSecret ?? null,
    };
    if (!port.isAuthentic(request, signing, this.clock.now()))
      throw new Problem('unauthenticated', 'The signature of the event does not match.');
    const event = port.readEvent(call, request);
    const pages = event.pages.flatMap(({ external_id, external_path }) =>
      external_id !== null ? [`id:${external_id}`] : external_path !== null ? [`path:${external_path}`] : [],
    );
    await this.db.write(async () => {
      const locked = await this.connections.lockOne(site_id);
      if (!locked) return;
      locked.cms_hook_event = this.clock.now();
      locked.cms_hook_verified = true;
      await this.connections.save(locked);
      if (pages.length === 0) return;
      await this.connections.addNews(site_id, pages, MOST_NEWS);
      this.outbox.addJob(planJob(readCmsNews, { site_id }, { delayMs: COALESCED_MS }));
    });
  }

  private findConnection(caller: Principal, site_id: string): Promise<CmsSiteConnection> {
    return this.db.read(async () => {
      await this.access.requireEditable(caller, site_id);
      return requireConnection(await this.connections.findRow(site_id));
    });
  }

  private assertReachable(): void {
    const origin = publicOrigin(this.settings);
    if (!origin.startsWith('https://') || origin.startsWith('https://localhost'))
      throw new Problem(
        'not_configured',
        'A webhook needs an address that the CMS can call: set BASE_URL to the public https address of the service.',
      );
  }

  private answer({ cms_hook_key, cms_hook_external, cms_hook_actions }: CmsSiteConnection): WebhookAnswer {
    return { url: this.views.hookUrl(cms_hook_key ?? ''), provider_id: cms_hook_external ?? '', actions: cms_hook_actions };
  }
}
