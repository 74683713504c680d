import { Injectable } from '@nestjs/common';
import { Audit, changesBetween, defineAuditTypes } from '@atrium/platform/access';
import {
  assertCurrent,
  Database,
  enterWorkspace,
  versionOf,
  type Precondition,
  type UnitOfWork,
  type Versioned,
} from '@atrium/platform/database';
import { Clock, invalidField } from '@atrium/platform/kernel';
import { dailyGrowth, daysLeft, type Consumed, type ConsumptionGroup, type StorageQuota } from '../domain/storage';
import type { Granularity } from '../../usage/domain/usage-report';
import { CreditsRows } from '../../credits/infrastructure/credits.rows';
import { StorageProvidersRepository } from '../infrastructure/storage-providers.repository';
import { StorageRows, type StoredSum } from '../infrastructure/storage.rows';
import { noSuchWorkspace } from '../../credits/application/credit-operations';
import { UsageLabels } from '../../usage/application/usage-labels';
import { UsageRanges } from '../../usage/application/usage-ranges';

/** The audit of changes to storage providers and quotas. */
export const STORAGE_AUDIT = defineAuditTypes({
  'storage.updated': 'The storage settings of the workspace were changed.',
  'storage.quota_updated': 'The storage quota of the workspace was changed.',
  'storage_provider.created': 'A storage provider was added.',
  'storage_provider.updated': 'A storage provider was changed.',
  'storage_provider.deleted': 'A storage provider was removed.',
  'storage_provider.default_changed': 'Another storage provider became the default.',
});

export interface StorageOverview extends StorageQuota, Versioned {
  readonly by_class: readonly Consumed[];
  readonly by_repo_type: readonly Consumed[];
  readonly by_provider: readonly Consumed[];
  readonly default_provider: string | null;
  readonly daily_growth: number | null;
  readonly days_left: number | null;
}

export interface AskedConsumption {
  readonly group_by: ConsumptionGroup;
  readonly time_granularity?: Granularity | undefined;
  readonly usage_timestamp?: readonly string[] | undefined;
  readonly tz?: string | undefined;
}

export interface Consumption {
  readonly data: readonly Consumed[];
  readonly total: { readonly bytes: number; readonly objects: number };
}

const GROWTH_DAYS = 29;

/** What a workspace stores, in every cut, and the bounds it is held to. Sums are exact at every moment. */
@Injectable()
export class StorageService {
  constructor(
    private readonly db: Database,
    private readonly rows: StorageRows,
    private readonly providers: StorageProvidersRepository,
    private readonly credits: CreditsRows,
    private readonly labels: UsageLabels,
    private readonly ranges: UsageRanges,
    private readonly audit: Audit,
    private readonly clock: Clock,
  ) {}

  getOverview(): Promise<StorageOverview> {
    return this.db.read(() => this.look());
  }

  change(
    { quota_warn_percent, quota_user_bytes }: Partial<Pick<StorageQuota, 'quota_warn_percent' | 'quota_user_bytes'>>,
    precondition?: Precondition,
  ): Promise<StorageOverview> {
    return this.db.write(async () => {
      const before = await this.rows.lockQuota();
      assertCurrent(precondition, boundsVersion(before), 'storage settings');
      const after = {
        ...before,
        quota_warn_percent: quota_warn_percent ?? before.quota_warn_percent,
        quota_user_bytes: quota_user_bytes === undefined ? before.quota_user_bytes : quota_user_bytes,
      };
      await this.rows.setQuota(after);
      this.audit.record({
        type: STORAGE_AUDIT['storage.updated'],
        target: { type: 'storage', id: null },
        ...changesBetween(before, after),
      });
      return this.look();
    });
  }

  /** For operators: how much the workspace may store; null: any amount. */
  setQuota(ws_id: string, quota_bytes: number | null): Promise<StorageQuota> {
    return enterWorkspace(ws_id, () =>
      this.db.write(async () => {
        if (!(await this.credits.hasWorkspace())) throw noSuchWorkspace();
        const before = await this.rows.lockQuota();
        await this.rows.setQuota({ ...before, quota_bytes });
        this.audit.record({
          type: STORAGE_AUDIT['storage.quota_updated'],
          target: { type: 'workspace', id: ws_id },
          ...changesBetween(before, { ...before, quota_bytes }),
        });
        return this.rows.readQuota();
      }),
    );
  }

  async getConsumption(asked: AskedConsumption): Promise<Consumption> {
    const { group_by, time_granularity, usage_timestamp, tz } = asked;
    await this.ranges.checkZone(tz);
    if (group_by === 'date') return this.db.read((tx) => this.byDate(tx, asked));
    if (time_granularity !== undefined) throw invalidField('time_granularity', 'requires group_by=date', 'not_applicable');
    if (usage_timestamp !== undefined) throw invalidField('usage_timestamp', 'requires group_by=date', 'not_applicable');
    return this.db.read(async () => {
      const sums = await this.rows.sumBy(group_by);
      return { data: await this.labelled(group_by, sums), total: totalOf(sums) };
    });
  }

  private async look(): Promise<StorageOverview> {
    const quota = await this.rows.readQuota();
    const [classes, types, providers] = [
      await this.rows.sumBy('class'),
      await this.rows.sumBy('repo_type'),
      await this.rows.sumBy('provider'),
    ];
    const first = await this.rows.findOldestSnapshot(GROWTH_DAYS);
    const counted = classes.reduce((sum, { key, bytes }) => (key === 'rendition' ? sum : sum + bytes), 0);
    const growth = dailyGrowth(first && { at: Date.parse(first.at), bytes: first.bytes }, {
      at: this.clock.now().getTime(),
      bytes: counted,
    });
    return {
      ...quota,
      by_class: await this.labelled('class', classes),
      by_repo_type: await this.labelled('repo_type', types),
      by_provider: await this.labelled('provider', providers),
      default_provider: await this.providers.findDefaultId(),
      daily_growth: growth,
      days_left: daysLeft(quota, growth),
      row_version: boundsVersion(quota),
    };
  }

  /** Of each period what there was at its last picture; a period without one has what there was before. */
  private async byDate(tx: UnitOfWork, { time_granularity = 'day', usage_timestamp, tz }: AskedConsumption): Promise<Consumption> {
    const range = await this.ranges.resolveRange(tx, { tz, usage_timestamp, time_granularity });
    const pictures = await this.rows.listSnapshotsBefore(new Date(range.usage_timestamp[1]));
    let at = 0;
    let level = { bytes: 0, objects: 0 };
    const data = range.periods.map(({ key, to }) => {
      for (let picture = pictures[at]; picture && picture.at < to; picture = pictures[++at])
        level = { bytes: picture.bytes, objects: picture.objects };
      return { key, label: key, ...level };
    });
    const { bytes, objects } = await this.rows.readTotal();
    return { data, total: { bytes, objects } };
  }

  private async labelled(group: ConsumptionGroup, sums: readonly StoredSum[]): Promise<Consumed[]> {
    const names = await this.names(
      group,
      sums.flatMap(({ key }) => (key === null ? [] : [key])),
    );
    return sums.map(({ key, bytes, objects }) => ({ key, label: key === null ? 'None' : (names.get(key) ?? key), bytes, objects }));
  }

  private names(group: ConsumptionGroup, keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (group === 'user') return this.labels.findLabels('user', keys);
    return group === 'provider' ? this.providers.findProviderNames() : Promise.resolve(new Map<string, string>());
  }
}

/** Of the bounds alone: what is stored moves with every file. */
const boundsVersion = ({ quota_bytes, quota_warn_percent, quota_user_bytes }: StorageQuota): number =>
  versionOf(quota_bytes, quota_warn_percent, quota_user_bytes);

const totalOf = (sums: readonly StoredSum[]): { bytes: number; objects: number } =>
  sums.reduce((total, { bytes, objects }) => ({ bytes: total.bytes + bytes, objects: total.objects + objects }), { bytes: 0, objects: 0 });
