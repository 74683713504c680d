import { Flag, IdList, NestedList, Ref, Stamp, Text, TextList, Whole } from '@atrium/platform/database';
import { Accepts, Answer, Body, ListQuery, PageOf, View } from '@atrium/platform/http';
import { LONGEST_FROM, Redirect } from '../domain/redirect';
import { LONGEST_PREVIEW_SECONDS, PreviewLink } from '../domain/preview-link';
import { MOST_NODES, PublishSchedule } from '../domain/publish-schedule';

const LOCALES = {
  omittable: true,
  min: 1,
  max: 50,
  about: 'Locales; all that have content when omitted.',
  example: ['en', 'de'],
} as const;
const FREEZE = {
  omittable: true,
  about: 'With `at`: whether the content of now is published then (default), or the draft of that time.',
} as const;
const AT = { omittable: true, about: 'When to publish, at least one minute and at most two years ahead; now when omitted.' } as const;

/** How a page is published. */
@Accepts()
export class PublishNode {
  @TextList(LOCALES) locales?: string[];
  @Whole({ omittable: true, min: 1, about: 'Number of the version to publish; the draft when omitted.', example: 12 }) version?: number;
  @Flag({ omittable: true, about: 'Whether to publish everything below it too, at most 500 pages in all.' }) subtree?: boolean;
  @Stamp(AT) at?: Date;
  @Flag(FREEZE) freeze?: boolean;
}

/** How several pages are published together. */
@Accepts()
export class PublishNodes {
  @IdList({ min: 1, max: MOST_NODES, about: 'Ids of pages, folders and links of the site.' }) node_ids!: string[];
  @TextList(LOCALES) locales?: string[];
  @Stamp(AT) at?: Date;
  @Flag(FREEZE) freeze?: boolean;
}

/** How a page is taken down. */
@Accepts()
export class UnpublishNode {
  @TextList({ ...LOCALES, about: 'Locales; all in which it is published when omitted.' }) locales?: string[];
  @Text({
    omittable: true,
    min: 1,
    max: LONGEST_FROM,
    about: 'Path or absolute URL to which visitors of the page are redirected; without it and `gone`, they get 404.',
    example: '/products',
  })
  redirect_to?: string;
  @Flag({ omittable: true, about: 'Whether visitors of the page get 410, so that search engines remove it.' }) gone?: boolean;
}

@Answer()
export class PublishedPageView {
  @Ref({ about: 'Id of the page, folder or link.' }) node_id!: string;
  @Text({ about: 'Locale.', example: 'en' }) locale!: string;
  @Text({ about: 'Path at which it is live, with the prefix of the locale.', example: '/products/lamp' }) path!: string;
  @Text({ about: 'SHA-256 of what is live, in hex.' }) hash!: string;
}

@Answer()
export class LeftRedirectView {
  @Text({ about: 'Former path, which now leads to the page; `/*` at its end means everything below.', example: '/products/*' })
  red_from!: string;
  @Ref({ about: 'Id of the page.' }) node_id!: string;
}

@Answer()
export class PublishView {
  @Whole({ about: 'Number of the site from which on it is live. Unchanged if everything was live already.', example: 42 })
  site_seq!: number;
  @NestedList(() => PublishedPageView, { about: 'What is live now, parents first.' }) published!: PublishedPageView[];
  @NestedList(() => LeftRedirectView, { about: 'Redirects from former paths.' }) redirects!: LeftRedirectView[];
  @Whole({ about: 'Number of other pages whose path changed because a page above them got another path.', example: 0 }) repathed!: number;
}

@Answer()
export class UnpublishedPageView {
  @Ref({ about: 'Id of the page, folder or link.' }) node_id!: string;
  @Text({ about: 'Locale.', example: 'en' }) locale!: string;
}

@Answer()
export class UnpublishView {
  @Whole({ about: 'Number of the site from which on it is no longer live.', example: 43 }) site_seq!: number;
  @NestedList(() => UnpublishedPageView, { about: 'What is no longer live.' }) unpublished!: UnpublishedPageView[];
}

@Answer()
export class ScheduleView extends View(PublishSchedule) {}
export class SchedulePage extends PageOf(ScheduleView) {}
export class ListSchedules extends ListQuery(PublishSchedule) {}

export class CreatePreviewLink extends Body(PreviewLink, {
  optional: ['prv_node', 'prv_locale', 'prv_version'],
  with: PreviewLength(),
}) {}

function PreviewLength() {
  @Accepts()
  class Length {
    @Whole({
      omittable: true,
      min: 60,
      max: LONGEST_PREVIEW_SECONDS,
      about: 'Seconds until the link expires, at most 30 days. Default: 24 hours.',
      example: 86_400,
    })
    expires_in?: number;
  }
  return Length;
}

@Answer()
class PreviewLinkRowView extends View(PreviewLink) {}
@Answer()
export class PreviewLinkView extends View(PreviewLink) {
  @Text({
    format: 'uri',
    about:
      'Address of the preview, shown only in this response: `site_preview_url` with its placeholders filled in, or the address of the content.',
    example: 'https://preview.example.com/de/produkte?token=4fR9aTn2KcVb71XeQm0LpZsu4fR9aTn2KcVb71XeQm0',
  })
  prv_url!: string;
}
export class PreviewLinkPage extends PageOf(PreviewLinkRowView) {}
export class ListPreviewLinks extends ListQuery(PreviewLink) {}

export class CreateRedirect extends Body(Redirect, {
  required: ['red_from'],
  optional: ['red_locale', 'red_to', 'red_node', 'red_status'],
}) {}
@Answer()
export class RedirectView extends View(Redirect) {}
export class RedirectPage extends PageOf(RedirectView) {}
export class ListRedirects extends ListQuery(Redirect) {}
