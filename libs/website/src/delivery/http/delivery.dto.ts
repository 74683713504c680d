import { Choice, Flag, Json, NestedList, Ref, Stamp, Text, TextList, Whole } from '@atrium/platform/database';
import { acceptParameter, Answer, ListQuery, PageOf } from '@atrium/platform/http';
import type { JsonObject } from '@atrium/platform/kernel';
import { LivePageRow } from '../domain/live-page-row';

const LOCALE = { kind: 'text', min: 2, max: 35, example: 'de' } as const;
const RICH = {
  name: 'rich',
  kind: 'choice',
  values: ['doc', 'html'],
  about: 'How rich text is delivered: as a document tree (`doc`, default) or as `html`.',
} as const;

/** Query of GET /delivery/{site_key}/page. */
export class DeliverPage {
  path!: string;
  locale?: string;
  version?: 'published' | 'draft';
  rich?: 'doc' | 'html';
  token?: string;
}
acceptParameter(
  DeliverPage,
  { name: 'path', kind: 'text', min: 1, max: 2_000, about: 'Path of the page, with the prefix of its locale.', example: '/products/lamp' },
  undefined,
  true,
);
acceptParameter(DeliverPage, { ...LOCALE, name: 'locale', about: 'Locale; derived from the prefix of the path when omitted.' });
acceptParameter(DeliverPage, {
  name: 'version',
  kind: 'choice',
  values: ['published', 'draft'],
  about: 'What is live (default), or the draft, which needs the token of a preview link.',
});
acceptParameter(DeliverPage, RICH);
acceptParameter(DeliverPage, {
  name: 'token',
  kind: 'text',
  min: 1,
  max: 100,
  about: 'Token of a preview link. Prefer the header `X-Site-Token`.',
});

/** Query of GET /delivery/{site_key}/tree. */
export class DeliverTree {
  locale?: string;
  depth?: number;
  menu?: boolean;
}
acceptParameter(DeliverTree, { ...LOCALE, name: 'locale', about: 'Locale; required if the site has several.' });
acceptParameter(DeliverTree, {
  name: 'depth',
  kind: 'whole',
  min: 1,
  max: 15,
  about: 'Number of levels; all 15 when omitted.',
  example: 2,
});
acceptParameter(DeliverTree, {
  name: 'menu',
  kind: 'flag',
  about: 'Whether to leave out what menus do not show, with everything below it; true when omitted.',
});

/** Query of GET /delivery/{site_key}/pages. */
export class DeliverPages extends ListQuery(LivePageRow, { without: ['np_snapshot'] }) {
  locale?: string;
  under?: string;
  template?: string;
  tags?: string[];
  ids?: string[];
  content?: JsonObject;
  rich?: 'doc' | 'html';
}
acceptParameter(DeliverPages, { ...LOCALE, name: 'locale', about: 'Locale; required if the site has several.' });
acceptParameter(DeliverPages, { name: 'under', kind: 'id', about: 'Only pages that are live below this page or folder.' });
acceptParameter(DeliverPages, {
  name: 'template',
  kind: 'text',
  min: 1,
  max: 60,
  about: 'Only pages of the content schema with this key; required to filter or sort by content.',
  example: 'article',
});
acceptParameter(DeliverPages, {
  name: 'tags',
  kind: 'texts',
  min: 1,
  max: 10,
  about: 'Only pages with all of these tags.',
  example: ['news'],
});
acceptParameter(DeliverPages, { name: 'ids', kind: 'ids', min: 1, max: 100, about: 'Only these pages.' });
acceptParameter(
  DeliverPages,
  { name: 'content', kind: 'json' },
  {
    type: 'object',
    additionalProperties: true,
    maxProperties: 20,
    description: 'Filters by filterable fields of the template: `content[price][gte]=10`. Sort by one with `sort=content_price`.',
  },
);
acceptParameter(DeliverPages, RICH);

@Answer()
export class DeliveredLocaleView {
  @Text({ about: 'Locale.', example: 'de' }) code!: string;
  @Text({ about: 'Name of the language.', example: 'Deutsch' }) name!: string;
  @Text({ about: 'First segment of the paths of the locale; empty if they have none.', example: 'de' }) prefix!: string;
  @Flag({ about: 'Whether it is the default locale.' }) default!: boolean;
}

@Answer()
export class DeliveredSiteView {
  @Text({ about: 'Name of the site.', example: 'Corporate site' }) name!: string;
  @NestedList(() => DeliveredLocaleView, { about: 'Active locales.' }) locales!: DeliveredLocaleView[];
  @Whole({ about: 'Number of the last change of what is live.', example: 42 }) seq!: number;
  @Text({ optional: true, format: 'uri', about: 'Address of the site.', example: 'https://www.example.com' }) base_url!: string | null;
}

@Answer()
export class AlternateView {
  @Text({ about: 'Locale.', example: 'de' }) locale!: string;
  @Text({ about: 'Path in the locale.', example: '/de/produkte/lampe' }) path!: string;
}

@Answer()
export class BreadcrumbView {
  @Ref({ about: 'Id of the page or folder.' }) node_id!: string;
  @Text({ about: 'Its name.', example: 'Products' }) name!: string;
  @Text({ optional: true, about: 'Its path; null of a folder, which has no page.', example: '/products' }) path!: string | null;
}

@Answer()
class DeliveredContentView {
  @Ref({ about: 'Id of the page.' }) node_id!: string;
  @Text({ about: 'Locale.', example: 'en' }) locale!: string;
  @Text({ about: 'Path, with the prefix of the locale.', example: '/products/lamp' }) path!: string;
  @Text({ about: 'Name of the page.', example: 'Lamp' }) name!: string;
  @Text({ optional: true, about: 'Key of its content schema.', example: 'article' }) template!: string | null;
  @Json({
    about:
      'The content. Links to pages have a `url`, which is null while the page is not live in the locale; files have `url`, `width` and `height`. In a draft, every block has `_edit` with `node_id`, `uid` and `key`.',
    example: { _uid: 'root0001', component: 'article', title: 'Lamp' },
  })
  content!: JsonObject;
  @Json({ about: 'Metadata for search engines.', example: { title: 'Lamp' } }) seo!: JsonObject;
  @Stamp({ optional: true, about: 'When it was published; null of a draft.' }) published!: Date | null;
  @Stamp({ optional: true, about: 'When it was published for the first time; null of a draft.' }) first_published!: Date | null;
  @Whole({ optional: true, about: 'Number of the site from which on it is live like this; null of a draft.', example: 42 }) seq!:
    number | null;
}

@Answer()
export class DeliveredPageView extends DeliveredContentView {
  @Choice(['page'], { about: 'A page.', example: 'page' }) kind!: 'page';
  @NestedList(() => AlternateView, { about: 'The page in all locales in which it is live.' }) alternates!: AlternateView[];
  @NestedList(() => BreadcrumbView, { about: 'Pages and folders above it, from the top.' }) breadcrumbs!: BreadcrumbView[];
}

@Answer()
export class DeliveredRedirectView {
  @Choice(['redirect'], { about: 'A redirect.', example: 'redirect' }) kind!: 'redirect';
  @Whole({ about: 'HTTP status to answer with: 301, 302, 307 or 308.', example: 301 }) status!: number;
  @Text({ about: 'Path or absolute URL to redirect to.', example: '/items/lamp' }) location!: string;
}

@Answer()
class ListedPageView extends DeliveredContentView {
  @TextList({ about: 'Tags of the page.', example: ['news'] }) tags!: string[];
}
export class ListedPagePage extends PageOf(ListedPageView) {}

@Answer()
export class LiveTreeNodeView {
  @Ref({ about: 'Id of the page, folder or link.' }) node_id!: string;
  @Choice(['page', 'folder', 'link'], { about: 'Kind.', example: 'page' }) kind!: 'page' | 'folder' | 'link';
  @Text({ about: 'Name.', example: 'Products' }) name!: string;
  @Text({ optional: true, about: 'Path of a page; null of folders and links.', example: '/products' }) path!: string | null;
  @Json({ optional: true, about: 'Target of a link, with its `url`; null of pages and folders.', example: null }) link!: JsonObject | null;
  @Text({ optional: true, about: 'Key of the content schema of a page.', example: 'page' }) template!: string | null;
  @NestedList(() => LiveTreeNodeView, { about: 'What is live below it, in the order of menus.' }) children!: LiveTreeNodeView[];
}

@Answer()
export class LiveTreeView {
  @NestedList(() => LiveTreeNodeView, { about: 'The top level, in the order of menus.' }) tree!: LiveTreeNodeView[];
}
