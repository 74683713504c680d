import { Injectable } from '@nestjs/common';
import { pick } from '@atrium/platform/kernel';
import { Site } from '../domain/site';
import { SiteContentsRows, type SiteCounts } from '../infrastructure/site-contents.rows';
import type { SiteRow } from '../infrastructure/sites.repository';
import { SiteCmsStatus, type SiteCms } from './site-cms-status';

export type { SiteRow };
export type SiteAnswer = SiteRow & { readonly site_counts: SiteCounts; readonly site_cms: SiteCms };

const SHOWN = [
  'site_id',
  'site_name',
  'site_description',
  'site_key',
  'site_base_url',
  'site_preview_url',
  'site_locales',
  'site_default_locale',
  'site_library',
  'site_cache',
  'site_robots',
  'site_contacts',
  'site_acl',
  'site_metadata',
  'site_active',
  'site_seq',
  'site_created',
  'site_updated',
  'site_created_by',
] as const;

export type VersionedSiteAnswer = SiteAnswer & { readonly row_version: number };

/** Sites as they are answered alone: with their numbers, and whether they are connected. */
@Injectable()
export class SiteAnswers {
  constructor(
    private readonly contents: SiteContentsRows,
    private readonly cms: SiteCmsStatus,
  ) {}

  /** Within a unit of work. */
  async completeSite(site: Site): Promise<VersionedSiteAnswer> {
    const [site_counts, site_cms] = await Promise.all([this.contents.countContents(site.site_id), this.cms.findStatus(site.site_id)]);
    return { ...pick(site, SHOWN), site_seq: Number(site.site_seq), site_counts, site_cms, row_version: site.row_version };
  }
}
