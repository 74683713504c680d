import { Choice, Flag, Nested, NestedList, Ref, Stamp, Text, Whole } from '@atrium/platform/database';
import { Accepts, acceptParameter, Answer, Body, ListQuery, PageOf, View } from '@atrium/platform/http';
import { S3_STEPS } from '@atrium/platform/storage';
import { CONSUMPTION_GROUPS, type ConsumptionGroup } from '../domain/storage';
import { CREDENTIAL_FORM, PROVIDER_STATUSES, StorageProvider } from '../domain/storage-provider';
import { GRANULARITIES, type Granularity } from '../../usage/domain/usage-report';
import { acceptBounds } from '../../usage/http/usage-query';

const PETABYTE = 1e15;

@Answer()
export class ConsumedView {
  @Text({ optional: true, about: 'Class, repository type, provider, family, member or period. Null: none.', example: 'original' })
  key!: string | null;
  @Text({ about: 'Current name.', example: 'original' }) label!: string;
  @Whole({ about: 'Stored bytes.', example: 73_400_320 }) bytes!: number;
  @Whole({ about: 'Number of objects.', example: 412 }) objects!: number;
}

@Answer()
export class StorageTotal {
  @Whole({ about: 'Stored bytes.', example: 73_400_320 }) bytes!: number;
  @Whole({ about: 'Number of objects.', example: 412 }) objects!: number;
}

@Answer()
export class QuotaView {
  @Whole({
    optional: true,
    about: 'Quota in bytes, agreed with the operator of the installation. Null: unlimited.',
    example: 10_000_000_000,
  })
  quota_bytes!: number | null;
  @Whole({ about: 'Stored bytes, without renditions.', example: 73_400_320 }) quota_used!: number;
  @Whole({ about: 'Bytes reserved for open uploads.', example: 0 }) quota_reserved!: number;
  @Whole({ about: 'Percentage of the quota at which `storage.quota_warning` is sent.', example: 90 }) quota_warn_percent!: number;
  @Whole({ optional: true, about: 'Maximum bytes stored by each member. Null: unlimited.', example: 5_000_000_000 }) quota_user_bytes!:
    number | null;
}

@Answer()
export class StorageView extends QuotaView {
  @NestedList(() => ConsumedView, { about: 'Stored bytes and objects by class.' }) by_class!: ConsumedView[];
  @NestedList(() => ConsumedView, { about: 'Stored bytes and objects by repository type.' }) by_repo_type!: ConsumedView[];
  @NestedList(() => ConsumedView, { about: 'Stored bytes and objects by provider.' }) by_provider!: ConsumedView[];
  @Ref({ optional: true, about: 'Provider that stores new uploads.' }) default_provider!: string | null;
  @Whole({
    optional: true,
    about: 'Average growth in bytes per day over the last four weeks. Null if there is less than a day of data.',
    example: 1_200_000,
  })
  daily_growth!: number | null;
  @Whole({ optional: true, about: 'Days until the quota is used up at the current growth. Null: never, or unknown.', example: 210 })
  days_left!: number | null;
}

/** What a workspace decides of its storage. */
@Accepts()
export class ChangeStorage {
  @Whole({ omittable: true, min: 1, max: 99, about: 'Percentage of the quota at which a warning is sent.', example: 90 })
  quota_warn_percent?: number;
  @Whole({ optional: true, min: 0, max: PETABYTE, about: 'Maximum bytes stored by each member. Null: unlimited.' }) quota_user_bytes?:
    number | null;
}

/** How much a workspace may store. */
@Accepts()
export class SetQuota {
  @Whole({ optional: true, min: 0, max: PETABYTE, about: 'Quota in bytes. Null: unlimited.' }) quota_bytes!: number | null;
}

export class AskConsumption {
  group_by!: ConsumptionGroup;
  time_granularity?: Granularity;
  usage_timestamp?: string[];
  tz?: string;
}
acceptParameter(
  AskConsumption,
  { name: 'group_by', kind: 'choice', values: CONSUMPTION_GROUPS, about: 'Dimension to group by.' },
  undefined,
  true,
);
acceptParameter(AskConsumption, {
  name: 'time_granularity',
  kind: 'choice',
  values: GRANULARITIES,
  about: 'Length of the periods with `group_by=date`. Default: `day`.',
});
acceptParameter(AskConsumption, {
  name: 'tz',
  kind: 'text',
  min: 1,
  max: 64,
  about: 'Time zone of periods (IANA name). Default: the time zone of the workspace.',
  example: 'Europe/Lisbon',
});
acceptBounds(AskConsumption, 'With `group_by=date`. Default: the last 30 local days.');

@Answer()
export class ConsumptionView {
  @NestedList(() => ConsumedView, { about: 'Largest first, or periods in chronological order.' }) data!: ConsumedView[];
  @Nested(() => StorageTotal, { about: 'Current use.' }) total!: StorageTotal;
}

/** Credentials of a provider, as they are entered. */
class EnteredSecret {
  @Text({ secret: true, min: 1, max: 500, form: CREDENTIAL_FORM, about: 'Secret key; never returned.' }) sto_secret!: string;
}

class ChangedSecret {
  @Text({ secret: true, omittable: true, min: 1, max: 500, form: CREDENTIAL_FORM, about: 'Secret key; never returned.' })
  sto_secret?: string;
}

const OPTIONAL = ['sto_kind', 'sto_region', 'sto_prefix', 'sto_path_style', 'sto_sse', 'sto_active'] as const;

export class CreateProvider extends Body(StorageProvider, {
  required: ['sto_name', 'sto_endpoint', 'sto_bucket', 'sto_access_key'],
  optional: OPTIONAL,
  with: EnteredSecret,
}) {}
export class ChangeProvider extends Body(StorageProvider, {
  optional: ['sto_name', 'sto_endpoint', 'sto_bucket', 'sto_access_key', ...OPTIONAL],
  with: ChangedSecret,
}) {}
export class ListProviders extends ListQuery(StorageProvider) {}

@Answer()
export class ProviderView extends View(StorageProvider) {}
export class ProviderPage extends PageOf(ProviderView) {}

@Answer()
export class VerifiedStepView {
  @Choice(S3_STEPS, { about: 'Tested step.' }) step!: string;
  @Flag({ about: 'Whether the step succeeded.' }) ok!: boolean;
  @Text({ about: 'Cause of the failure.', example: '' }) detail!: string;
}

@Answer()
export class VerifiedView {
  @Choice(PROVIDER_STATUSES, { about: 'Current status of the provider.' }) sto_status!: string;
  @NestedList(() => VerifiedStepView, { about: 'Ten steps in order; steps after a failure were not tested.' })
  steps!: VerifiedStepView[];
}

@Answer()
export class BucketView {
  @Text({ sort: true, filter: 'contains', about: 'Name of the bucket.', example: 'acme-media' }) bucket!: string;
  @Stamp({ sort: true, about: 'When it was created.' }) created!: Date;
}

export class BucketPage extends PageOf(BucketView) {}
export class ListBuckets extends ListQuery(BucketView, { whole: true }) {}
