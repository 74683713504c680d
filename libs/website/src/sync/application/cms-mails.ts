import { Injectable } from '@nestjs/common';
import { Links, Mail, type Addressee } from '@atrium/identity';
import { Clock } from '@atrium/platform/kernel';
import { SiteReaders } from '../../sites/application/site-readers';
import { SitesRepository } from '../../sites/infrastructure/sites.repository';
import type { CmsSiteConnection } from '../domain/cms-site-connection';
import type { Verdict, Verdicts } from '../domain/verdict';

const MOST_CONTACTS = 20;
const MOST_NAMES = 10;
const NAMES: Readonly<Record<string, string>> = { storyblok: 'Storyblok', contentful: 'Contentful' };

/** What a comparison that nobody asked for has found. */
export interface CmsChanges {
  readonly verdicts: Verdicts;
  readonly pulled: number;
  readonly names: readonly string[];
}

export const providerName = (provider: string): string => NAMES[provider] ?? provider;

/** Mails to the contacts of a site who may see it, within the unit of work of what they are about. */
@Injectable()
export class CmsMails {
  constructor(
    private readonly sites: SitesRepository,
    private readonly readers: SiteReaders,
    private readonly mail: Mail,
    private readonly links: Links,
    private readonly clock: Clock,
  ) {}

  async sendRevoked({ cms_site, cms_provider }: CmsSiteConnection): Promise<void> {
    const { site_name, contacts } = await this.findContacts(cms_site);
    for (const { user_id, user_email: to, user_locale: locale, ws_name } of contacts)
      this.mail.queueMail({
        template: 'cms_revoked',
        to,
        locale,
        user_id,
        key: `cms-revoked-${cms_site}-${this.clock.now().getTime()}-${user_id}`,
        vars: { ws_name, site_name, provider: providerName(cms_provider), link: this.links.siteCmsUrl(cms_site) },
      });
  }

  async sendChanges({ cms_site, cms_provider }: CmsSiteConnection, { verdicts, pulled, names }: CmsChanges, key: string): Promise<void> {
    const { site_name, contacts } = await this.findContacts(cms_site);
    const count = (verdict: Verdict): string => String(verdicts[verdict] ?? 0);
    for (const { user_id, user_email: to, user_locale: locale, ws_name } of contacts)
      this.mail.queueMail({
        template: 'cms_changes',
        to,
        locale,
        user_id,
        key: `cms-changes-${key}-${user_id}`,
        vars: {
          ws_name,
          site_name,
          provider: providerName(cms_provider),
          changed: count('remote_changed'),
          added: count('remote_only'),
          deleted: count('remote_deleted'),
          conflicts: count('conflict'),
          pulled: pulled === 0 ? '' : String(pulled),
          pages: names.slice(0, MOST_NAMES).join(', '),
          link: this.links.siteCmsUrl(cms_site),
        },
      });
  }

  private async findContacts(site_id: string): Promise<{ readonly site_name: string; readonly contacts: readonly Addressee[] }> {
    const site = await this.sites.findRow(site_id);
    if (!site) return { site_name: '', contacts: [] };
    return { site_name: site.site_name, contacts: await this.readers.resolveReaders(site, site.site_contacts, { most: MOST_CONTACTS }) };
  }
}
