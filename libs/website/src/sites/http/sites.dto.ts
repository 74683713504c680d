import { Choice, Flag, Json, Nested, NestedList, Text, TextList, Whole } from '@atrium/platform/database';
import { Accepts, Answer, Body, ListQuery, PageOf, View } from '@atrium/platform/http';
import type { JsonObject } from '@atrium/platform/kernel';
import { CMS_PROVIDERS } from '../../schemas/domain/content-library';
import { Site } from '../domain/site';
import { MOST_LOCALES } from '../domain/site-locales';

const LONGEST_CACHE = 86_400;
const CODE = { about: 'Language tag (BCP 47).', example: 'de-CH', min: 2, max: 35 } as const;
const S_MAXAGE = { min: 0, max: LONGEST_CACHE, column: 'integer', example: 60 } as const;
const SWR = { min: 0, max: LONGEST_CACHE, column: 'integer', example: 300 } as const;

/** A locale in a request. */
@Accepts()
class SiteLocaleBody {
  @Text(CODE) code!: string;
  @Text({ omittable: true, min: 1, max: 100, about: 'Name of the locale; the name of its language when omitted.', example: 'Deutsch' })
  name?: string;
  @Text({
    optional: true,
    min: 2,
    max: 35,
    about: 'Locale whose values are shown where this one has none; null for the default locale. Fallbacks cannot form a cycle.',
    example: 'de',
  })
  fallback?: string | null;
  @Text({
    omittable: true,
    max: 35,
    about:
      'First segment of the paths of the locale, such as `de` for `/de/lamps`. When omitted, it is empty for the default locale and the code for others. Only one locale can have an empty prefix.',
    example: 'de',
  })
  prefix?: string;
  @Flag({ omittable: true, about: 'Whether pages of the locale are delivered; true when omitted.' }) active?: boolean;
}

/** Caching in a request. */
@Accepts()
class SiteCacheBody {
  @Whole({ ...S_MAXAGE, omittable: true, about: 'Seconds for which shared caches can use a response. Default: 60.' }) s_maxage?: number;
  @Whole({ ...SWR, omittable: true, about: 'Seconds for which they can use it while they fetch a newer one. Default: 300.' }) swr?: number;
}

@Accepts()
class SiteSettingsBody {
  @NestedList(() => SiteLocaleBody, {
    omittable: true,
    min: 1,
    max: MOST_LOCALES,
    about: 'Locales of the site, replaced as a whole; the language of the workspace when omitted at creation.',
  })
  site_locales?: SiteLocaleBody[];
  @Nested(() => SiteCacheBody, { omittable: true, about: 'How long caches can use what the site delivers.' }) site_cache?: SiteCacheBody;
}

@Accepts()
class ChangedSettingsBody extends SiteSettingsBody {
  @TextList({
    omittable: true,
    max: MOST_LOCALES,
    about: 'Locales that `site_locales` removes and whose content is removed with them. Without it, a locale with content stays (409).',
    example: ['fr'],
  })
  drop_locales?: string[];
}

const OPTIONAL = [
  'site_description',
  'site_base_url',
  'site_preview_url',
  'site_default_locale',
  'site_library',
  'site_robots',
  'site_contacts',
  'site_acl',
  'site_metadata',
] as const;

export class CreateSite extends Body(Site, { required: ['site_name'], optional: OPTIONAL, with: SiteSettingsBody }) {}

export class ChangeSite extends Body(Site, { optional: ['site_name', ...OPTIONAL], with: ChangedSettingsBody }) {}

export class ListSites extends ListQuery(Site) {
  site_active?: boolean;
}

@Answer()
export class SiteLocaleView {
  @Text(CODE) code!: string;
  @Text({ about: 'Name of the locale.', example: 'Deutsch' }) name!: string;
  @Text({ optional: true, about: 'Locale whose values are shown where this one has none; null for the default locale.', example: 'de' })
  fallback!: string | null;
  @Text({ about: 'First segment of the paths of the locale; empty for paths without one.', example: 'de' }) prefix!: string;
  @Flag({ about: 'Whether pages of the locale are delivered.' }) active!: boolean;
}

@Answer()
export class SiteCacheView {
  @Whole({ ...S_MAXAGE, about: 'Seconds for which shared caches can use a response.' }) s_maxage!: number;
  @Whole({ ...SWR, about: 'Seconds for which they can use it while they fetch a newer one.' }) swr!: number;
}

@Answer()
class SiteRowView extends View(Site, { without: ['site_locales', 'site_cache'] }) {
  @NestedList(() => SiteLocaleView, { about: 'Locales of the site.' }) site_locales!: SiteLocaleView[];
  @Nested(() => SiteCacheView, { about: 'How long caches can use what the site delivers.' }) site_cache!: SiteCacheView;
}

@Answer()
export class SiteCountsView {
  @Whole({ about: 'Number of pages, without those in the trash.', example: 120 }) pages!: number;
  @Json({ about: 'Number of published pages by locale.', example: { en: 96, de: 40 } }) live!: JsonObject;
  @Whole({ about: 'Number of pages, folders and links with changes that are not published.', example: 3 }) changed!: number;
  @Whole({ about: 'Number of schedules that are waiting.', example: 1 }) scheduled!: number;
  @Whole({ about: 'Number of pages, folders and links in the trash.', example: 0 }) trashed!: number;
}

@Answer()
export class SiteCmsView {
  @Flag({ about: 'Whether the site is connected to a content management system.' }) connected!: boolean;
  @Choice(CMS_PROVIDERS, { optional: true, about: 'The connected content management system; null if there is none.' })
  provider!: string | null;
  @Json({ about: 'Number of synchronized pages by the verdict of the last comparison.', example: {} }) verdicts!: JsonObject;
}

@Answer()
export class SiteView extends SiteRowView {
  @Nested(() => SiteCountsView, { about: 'Numbers of what is on the site.' }) site_counts!: SiteCountsView;
  @Nested(() => SiteCmsView, { about: 'Connection to a content management system.' }) site_cms!: SiteCmsView;
}

export class SitePage extends PageOf(SiteRowView) {}
