import { Injectable } from '@nestjs/common';
import { Credentials } from '@atrium/platform/outbound';
import { Database, requireScope } from '@atrium/platform/database';
import { invalidState, type JsonObject } from '@atrium/platform/kernel';
import type { Site } from '../../sites/domain/site';
import { SitesRepository } from '../../sites/infrastructure/sites.repository';
import type { CmsCall, CmsPort } from '../domain/cms-port';
import type { CmsSiteConnection } from '../domain/cms-site-connection';
import { DocumentExchange } from '../domain/document-exchange';
import { matchLocales } from '../domain/locale-match';
import { CmsComponentRows } from '../infrastructure/cms-components.rows';
import { CmsConnectionsRepository } from '../infrastructure/cms-connections.repository';
import { CmsLinksRepository } from '../infrastructure/cms-links.repository';
import { CmsPorts } from '../domain/cms-ports';
import { LinkedPages } from './linked-pages';

const SECRETS_USE = 'cms-connection';

/** What a connection keeps sealed. */
export interface CmsSecrets {
  readonly token: string;
  readonly signingSecret?: string | undefined;
  /** Signs the events of the webhook. */
  readonly hook?: string | undefined;
}

/** An open connection: whom to ask, and what is known of both sides. */
export interface CmsSession {
  readonly site: Site;
  readonly connection: CmsSiteConnection;
  readonly port: CmsPort;
  readonly call: CmsCall;
  readonly exchange: DocumentExchange;
  readonly pages: LinkedPages;
}

export type Asking = Pick<CmsCall, 'signal' | 'once' | 'waiting'>;

/** Opens the connections of sites. */
@Injectable()
export class CmsSessions {
  constructor(
    private readonly db: Database,
    private readonly sites: SitesRepository,
    private readonly connections: CmsConnectionsRepository,
    private readonly components: CmsComponentRows,
    private readonly links: CmsLinksRepository,
    private readonly ports: CmsPorts,
    private readonly credentials: Credentials,
  ) {}

  /** What a run, a comparison or an exchange of schemas needs; 409 where the site is not connected or is deleted. */
  async openSession(site_id: string, asking: Asking): Promise<CmsSession> {
    const { site, connection, book, links, files } = await this.db.read(async () => ({
      site: await this.sites.findRow(site_id),
      connection: await this.connections.findRow(site_id),
      book: await this.components.findBook(site_id),
      links: await this.links.findIdentities(site_id),
      files: await this.components.findSentFiles(site_id),
    }));
    if (!site?.site_active) throw invalidState('The site is deleted. Restore it first.');
    const { port, call, settings } = this.openCall(connection, asking);
    const pages = new LinkedPages();
    for (const { node_id, external_id } of links) pages.link(node_id, external_id);
    for (const { file_id, ...sent } of files) pages.addSentFile(file_id, sent);
    const known = requireConnection(connection);
    const context = {
      default_locale: site.site_default_locale,
      locales: matchLocales(site, known.cms_locales),
      schemas: book,
      settings,
    };
    return { site, connection: known, port, call, pages, exchange: new DocumentExchange(context, known.cms_capabilities.carries) };
  }

  /** A call with the credentials of the connection. */
  openCall(
    connection: CmsSiteConnection | null,
    asking: Asking,
  ): { readonly port: CmsPort; readonly call: CmsCall; readonly settings: JsonObject; readonly secrets: CmsSecrets } {
    const known = requireConnection(connection);
    const secrets = this.openSecrets(known);
    const { token, signingSecret } = secrets;
    const call = { ...asking, connection: { settings: known.cms_settings, secrets: { token, ...(signingSecret && { signingSecret }) } } };
    return { port: this.ports.getPort(known.cms_provider), call, settings: known.cms_settings, secrets };
  }

  openSecrets({ cms_secrets }: Pick<CmsSiteConnection, 'cms_secrets'>): CmsSecrets {
    const { token, signingSecret, hook } = this.credentials.open(requireScope().tenant_id, SECRETS_USE, cms_secrets);
    return {
      token: typeof token === 'string' ? token : '',
      ...(typeof signingSecret === 'string' && { signingSecret }),
      ...(typeof hook === 'string' && { hook }),
    };
  }

  sealSecrets({ token, signingSecret, hook }: CmsSecrets): string {
    return this.credentials.seal(requireScope().tenant_id, SECRETS_USE, {
      token,
      ...(signingSecret === undefined ? {} : { signingSecret }),
      ...(hook === undefined ? {} : { hook }),
    });
  }
}

export function requireConnection(connection: CmsSiteConnection | null): CmsSiteConnection {
  if (!connection) throw invalidState('The site is not connected to a content management system. Connect it first.');
  return connection;
}
