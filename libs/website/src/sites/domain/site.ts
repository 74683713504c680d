import { Active, Id, IdList, Json, Ref, Resource, Stamp, TenantRow, Text, Whole } from '@atrium/platform/database';
import { alreadyExists, DAY, invalidState, Problem, type Clock, type JsonObject } from '@atrium/platform/kernel';
import type { SiteLocale } from './site-locales';

export const MOST_SITES = 1_000;
/** How long a deleted site can be restored. */
export const SITE_RESTORABLE_MS = 30 * DAY;
const ALLOW_ALL = 'User-agent: *\nAllow: /\n';

/** How long caches in front of a site keep what it delivers, in seconds. */
export interface SiteCache {
  readonly s_maxage: number;
  /** For how long they may go on with an answer while they fetch a newer one. */
  readonly swr: number;
}
const USUAL_CACHE: SiteCache = { s_maxage: 60, swr: 300 };

/** A website: its languages, its addresses, who may see it, and the number of its last change of what is live. */
@Resource({ table: 'site', sort: '-site_created' })
export class Site extends TenantRow {
  @Id({ about: 'Id of the site.' }) readonly site_id!: string;
  @Text({
    min: 1,
    max: 255,
    about: 'Name of the site; unique among active sites, in any case.',
    example: 'Corporate site',
    filter: 'contains',
    sort: true,
  })
  site_name!: string;
  @Text({ max: 5_000, optional: true, about: 'What the site is for.', filter: 'contains' }) site_description!: string | null;
  @Text({ about: 'Public key of the site, with which front ends read its published pages.', example: 'wsk_4fR9aTn2KcVb71XeQm0LpZsu' })
  site_key!: string;
  @Text({
    max: 2_000,
    optional: true,
    format: 'uri',
    about: 'Address of the published site, for absolute links.',
    example: 'https://www.example.com',
  })
  site_base_url!: string | null;
  @Text({
    max: 2_000,
    optional: true,
    about: 'Address of a preview in your front end, with the placeholders `{path}`, `{token}` and `{locale}`.',
    example: 'https://preview.example.com/{locale}{path}?token={token}',
  })
  site_preview_url!: string | null;
  @Json({ isOfAnyType: true }) site_locales!: readonly SiteLocale[];
  @Text({
    min: 2,
    max: 35,
    about: 'Locale in which pages are structured; the first of `site_locales` when omitted. Cannot be changed once the site has pages.',
    example: 'en',
  })
  site_default_locale!: string;
  @Ref({ about: 'Library of content schemas that pages of the site use; the library Standard when omitted.', filter: 'equals' })
  site_library!: string;
  @Json() site_cache!: SiteCache;
  @Text({ max: 10_240, about: 'Text of robots.txt. Default: everything is allowed.', example: ALLOW_ALL }) site_robots!: string;
  @IdList({ max: 20, about: 'Members who are notified of failed publishes and of changes in the content management system.', example: [] })
  site_contacts!: string[];
  @Json({
    about: 'Access list: {users, roles, spaces} with view, edit or owner by id. When empty, every member with the permission has access.',
    example: {},
  })
  site_acl!: JsonObject;
  @Json({ about: 'Your own metadata, at most 64 KB.', example: {} }) site_metadata!: JsonObject;
  @Active('action', {
    about: 'Whether the site is active; false if it was deleted. A deleted site is not delivered, and can be restored for 30 days.',
  })
  site_active!: boolean;
  @Whole({
    generated: true,
    about: 'Number of the last change of what is live on the site. Front ends and caches can compare it.',
    example: 42,
  })
  readonly site_seq!: number;
  @Stamp({ about: 'When the site was created.', filter: 'range', sort: true }) site_created!: Date;
  @Stamp({ about: 'When the site was last changed.', filter: 'range', sort: true }) site_updated!: Date;
  @Ref({ optional: true, about: 'Member who created the site.', filter: 'equals' }) site_created_by!: string | null;

  @Stamp({ internal: true, optional: true }) site_removed!: Date | null;

  /** A new one that has nothing but what it must have. */
  static blank(
    facts: Partial<Site> & Pick<Site, 'site_id' | 'site_name' | 'site_key' | 'site_locales' | 'site_default_locale' | 'site_library'>,
    now: Date,
  ): Site {
    return Object.assign(new Site(), {
      site_description: null,
      site_base_url: null,
      site_preview_url: null,
      site_cache: USUAL_CACHE,
      site_robots: ALLOW_ALL,
      site_contacts: [],
      site_acl: {},
      site_metadata: {},
      site_active: true,
      site_removed: null,
      site_seq: 0,
      site_created: now,
      site_updated: now,
      site_created_by: null,
      ...facts,
    });
  }

  delete(clock: Clock): void {
    this.site_active = false;
    this.site_removed = clock.now();
    this.touch(clock);
  }

  restore(clock: Clock): void {
    if (this.site_removed === null) throw invalidState('The site is not deleted.');
    if (this.wasRemovedBefore(clock.after(-SITE_RESTORABLE_MS)))
      throw new Problem('gone', 'The site was deleted more than 30 days ago and cannot be restored.');
    this.site_active = true;
    this.site_removed = null;
    this.touch(clock);
  }

  wasRemovedBefore(moment: Date): boolean {
    return this.site_removed !== null && this.site_removed < moment;
  }

  touch(clock: Clock): void {
    this.site_updated = clock.now();
  }
}

export const siteNameTaken = (name: string): Problem =>
  alreadyExists('site_name', `An active site named ${name} already exists. Choose another name.`);

export const tooManySites = (): Problem =>
  new Problem('limit_reached', `A workspace can have at most ${MOST_SITES} active sites. Delete one first.`);
