import { Choice, Flag, Json, Nested, NestedList, Ref, Stamp, Text, TextList, Whole } from '@atrium/platform/database';
import { Accepts, Answer, ListQuery, PageOf, View, acceptParameter } from '@atrium/platform/http';
import type { JsonObject } from '@atrium/platform/kernel';
import { CMS_PROVIDERS, type CmsProvider } from '../domain/cms-port';
import {
  AUTO_PULLS,
  CONNECTION_STATUSES,
  NOTIFICATIONS,
  type AutoPull,
  type ConnectionStatus,
  type Notification,
} from '../domain/cms-site-connection';
import { CmsLink } from '../domain/cms-link';
import { CmsRunView } from './runs.dto';

const VERDICTS_TEXT = { about: 'Number of pages by verdict.', example: { in_sync: 240, remote_changed: 3 } } as const;
const PROVIDER = { about: 'Content management system.', example: 'storyblok' } as const;
const SCAN = { about: 'Whether the site is compared with the CMS every night.' } as const;
const AUTO_PULL = {
  about:
    'What is pulled without being asked for: `unedited` pages that the CMS changed and nobody edited here since, or `all`, also new ones. Pages that both sides changed are never pulled.',
  example: 'unedited',
} as const;
const NOTIFY = { about: 'Whether the contacts of the site get an email about changes in the CMS.', example: 'changes' } as const;

@Answer()
class CmsProviderView {
  @Choice(CMS_PROVIDERS, PROVIDER) provider!: CmsProvider;
  @Text({ about: 'Name of the product.', example: 'Storyblok' }) name!: string;
  @Json({ about: 'JSON Schema of the settings of a connection.', example: { type: 'object', required: ['spaceId', 'token'] } })
  settings_schema!: JsonObject;
  @Json({ about: 'What the product can do.', example: { drafts: true, locales: true } }) capabilities!: JsonObject;
}
export class CmsProviderPage extends PageOf(CmsProviderView) {}

@Answer()
export class AutomationSettingsView {
  @Flag(SCAN) scan!: boolean;
  @Choice(AUTO_PULLS, AUTO_PULL) autoPull!: AutoPull;
  @Choice(NOTIFICATIONS, NOTIFY) notify!: Notification;
}

@Answer()
export class CmsSpaceView {
  @Text({ about: 'Id of the space.', example: '285302' }) id!: string;
  @Text({ about: 'Name of the space.', example: 'Corporate' }) name!: string;
}

/** A connection, or only `connected: false`. */
@Answer()
export class CmsConnectionView {
  @Flag({ about: 'Whether the site is connected. If not, the other fields are absent.' }) connected!: boolean;
  @Choice(CMS_PROVIDERS, { ...PROVIDER, omittable: true }) provider?: CmsProvider;
  @Json({
    omittable: true,
    about: 'Settings; of secrets only whether they are set (`tokenSet`).',
    example: { spaceId: '285302', tokenSet: true },
  })
  settings?: JsonObject;
  @Nested(() => CmsSpaceView, { omittable: true, about: 'Space at the CMS.' }) space?: CmsSpaceView;
  @Choice(CONNECTION_STATUSES, {
    omittable: true,
    about: '`failing` if the last run failed, `revoked` if the CMS refuses the credentials.',
    example: 'ok',
  })
  status?: ConnectionStatus;
  @Stamp({ omittable: true, about: 'When the credentials were last verified.' }) verified_at?: Date;
  @Text({ omittable: true, optional: true, about: 'Why the last run failed.' }) last_error?: string | null;
  @Json({ omittable: true, about: 'What the space can do.', example: { drafts: true } }) capabilities?: JsonObject;
  @Nested(() => AutomationSettingsView, { omittable: true, about: 'What happens unattended.' }) automation?: AutomationSettingsView;
  @Json({ omittable: true, ...VERDICTS_TEXT }) links?: JsonObject;
  @Nested(() => CmsRunView, { omittable: true, optional: true, about: 'Last run; null if there is none.' }) last_job?: CmsRunView | null;
}

@Accepts()
export class ConnectSite {
  @Choice(CMS_PROVIDERS, PROVIDER) provider!: CmsProvider;
  @Json({
    secret: true,
    max: 32 * 1024,
    about: 'Settings, as the `settings_schema` of the provider describes them. Without `token`, the stored one is kept.',
    example: { spaceId: '285302', token: 'sb-7f3a' },
  })
  settings!: JsonObject;
  @Flag({ omittable: true, about: 'Whether the settings are only verified. Default: false.' }) dryRun?: boolean;
}

@Answer()
export class AutomationWebhookView {
  @Text({
    optional: true,
    about: 'Address that the CMS calls. Null for members without `site:cms:connect` if the CMS does not sign its calls.',
    example: 'https://api.example.com/hooks/cms/pB3x',
  })
  url!: string | null;
  @Stamp({ optional: true, about: 'When it was created.' }) created!: Date | null;
  @Flag({ about: 'Whether the CMS has called it.' }) verified!: boolean;
  @Stamp({ optional: true, about: 'When the CMS last called it.' }) lastEventAt!: Date | null;
}

@Answer()
export class CoverageView {
  @Whole({ about: 'Number of pages that both sides have.', example: 250 }) linked!: number;
  @Whole({ about: 'Number of them that the last comparison of the whole site compared.', example: 250 }) compared!: number;
  @Whole({ about: 'Number of the others.', example: 0 }) notCompared!: number;
}

@Answer()
export class AutomationView extends AutomationSettingsView {
  @Nested(() => AutomationWebhookView, { optional: true, about: 'Webhook of the CMS; null if there is none.' })
  webhook!: AutomationWebhookView | null;
  @Stamp({ optional: true, about: 'When the whole site was last compared.' }) lastScanAt!: Date | null;
  @Stamp({ optional: true, about: 'When it is compared next; null unless `scan` is on.' }) nextScanAt!: Date | null;
  @Nested(() => CoverageView, { about: 'How much of the site was compared.' }) coverage!: CoverageView;
}

@Accepts()
export class ChangeAutomation {
  @Flag({ ...SCAN, omittable: true }) scan?: boolean;
  @Choice(AUTO_PULLS, { ...AUTO_PULL, omittable: true }) autoPull?: AutoPull;
  @Choice(NOTIFICATIONS, { ...NOTIFY, omittable: true }) notify?: Notification;
}

@Accepts()
export class CreateWebhook {
  @Flag({ omittable: true, about: 'Whether an existing webhook is replaced by one with another address. Default: false.' })
  rotate?: boolean;
}

@Answer()
export class WebhookView {
  @Text({ about: 'Address that the CMS calls.', example: 'https://api.example.com/hooks/cms/pB3x' }) url!: string;
  @Text({ about: 'Id of the webhook in the CMS.', example: '8812' }) provider_id!: string;
  @TextList({ about: 'Events that the CMS sends.', example: ['story.published'] }) actions!: string[];
}

@Answer()
export class CmsLinkView extends View(CmsLink, { without: ['lnk_fields', 'lnk_error'] }) {
  @Json({ about: 'Names of fields that differ: {local, remote, conflicts}.', example: { local: ['name'], remote: [], conflicts: [] } })
  lnk_fields!: JsonObject;
  @Json({ optional: true, about: 'Why the last try failed: {code, message, at}.', example: null }) lnk_error!: JsonObject | null;
}
export class CmsLinkPage extends PageOf(CmsLinkView) {}

export class ListCmsLinks extends ListQuery(CmsLink, { without: [] }) {
  node_id?: string;
  external_id?: string;
}
acceptParameter(ListCmsLinks, { name: 'node_id', kind: 'id', about: 'Id of the page here.' });
acceptParameter(ListCmsLinks, { name: 'external_id', kind: 'text', max: 200, about: 'Identity of the page in the CMS.' });

@Answer()
export class PlannedPageView {
  @Ref({ optional: true, about: 'Id of the page here; null if there is none.' }) node_id!: string | null;
  @Text({ optional: true, about: 'Identity of the page in the CMS; null if there is none.' }) external_id!: string | null;
  @Text({ about: 'Name of the page.', example: 'Desk lamps' }) name!: string;
  @Text({ optional: true, about: 'Path of the page.', example: 'products/lamp' }) path!: string | null;
  @Text({ about: 'Result of the comparison.', example: 'remote_changed' }) verdict!: string;
  @Json({ optional: true, about: 'Names of fields that differ: {local, remote, conflicts}; null if they are not known.' })
  fields!: JsonObject | null;
}

@Answer()
export class SyncPlanView {
  @Text({ about: 'Direction that was planned.', example: 'both' }) direction!: string;
  @Stamp({ about: 'When the site was compared.' }) compared_at!: Date;
  @Flag({ about: 'Whether all pages were compared within 25 seconds. If not, the others are missing or `unknown`.' }) complete!: boolean;
  @Json(VERDICTS_TEXT) counts!: JsonObject;
  @NestedList(() => PlannedPageView, { about: 'Pages that would be created.' }) created!: PlannedPageView[];
  @NestedList(() => PlannedPageView, { about: 'Pages that would be updated.' }) updated!: PlannedPageView[];
  @NestedList(() => PlannedPageView, { about: 'Pages that one side deleted. A run follows only if `statuses` names them.' })
  deleted!: PlannedPageView[];
  @NestedList(() => PlannedPageView, { about: 'Pages that both sides changed.' }) conflicts!: PlannedPageView[];
  @Whole({ about: 'Number of pages that are equal on both sides.', example: 240 }) unchanged!: number;
}

const PLAN_DIRECTIONS = ['pull', 'push', 'both'] as const;

/** Query of GET /sites/{id}/cms/plan. */
@Accepts()
export class ReadPlan {
  direction?: (typeof PLAN_DIRECTIONS)[number];
  limit?: number;
}
acceptParameter(ReadPlan, { name: 'direction', kind: 'choice', values: PLAN_DIRECTIONS, about: 'Direction to plan. Default: both.' });
acceptParameter(ReadPlan, { name: 'limit', kind: 'whole', min: 1, max: 1_000, about: 'Number of pages in each list. Default: 1,000.' });
