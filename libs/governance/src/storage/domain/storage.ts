/** What stored bytes are: the current ones of a file, earlier versions, smaller pictures, made by the product, in the trash, published, packed for download. */
export const STORAGE_CLASSES = ['original', 'version', 'rendition', 'generated', 'trash', 'publication', 'export'] as const;
export type StorageClass = (typeof STORAGE_CLASSES)[number];

export const STORAGE_FAMILIES = ['image', 'video', 'audio', 'document', 'font', 'archive', 'other'] as const;
export type StorageFamily = (typeof STORAGE_FAMILIES)[number];

/** Bytes that came (or went, when below zero), and what they are counted under. Equal bytes count each time they are held. */
export interface StorageLine {
  /** The storage provider that has them; a workspace's own id is the platform's. */
  readonly provider: string;
  readonly class: StorageClass;
  /** The kind of repository; empty where none owns them. */
  readonly repo_type: string;
  readonly family: StorageFamily;
  /** Whose they are; null: nobody's. */
  readonly user: string | null;
  readonly bytes: number;
  readonly objects: number;
}

/** An archive packed for somebody; such archives are in the platform's own store, under the workspace's id. */
export const archiveLine = ({
  tenant_id,
  bytes,
  user,
}: {
  readonly tenant_id: string;
  readonly bytes: number;
  readonly user: string | null;
}): StorageLine => ({
  provider: tenant_id,
  class: 'export',
  repo_type: '',
  family: 'archive',
  user,
  bytes,
  objects: 1,
});

/** The same bytes taken away again. */
export const negatedLine = (line: StorageLine): StorageLine => ({ ...line, bytes: -line.bytes, objects: -line.objects });

export const CONSUMPTION_GROUPS = ['class', 'repo_type', 'provider', 'family', 'user', 'date'] as const;
export type ConsumptionGroup = (typeof CONSUMPTION_GROUPS)[number];

/** How much is stored under one key. */
export interface Consumed {
  readonly key: string | null;
  readonly label: string;
  readonly bytes: number;
  readonly objects: number;
}

/** A workspace's bounds and what is used of them. */
export interface StorageQuota {
  readonly quota_bytes: number | null;
  readonly quota_used: number;
  readonly quota_reserved: number;
  readonly quota_warn_percent: number;
  readonly quota_user_bytes: number | null;
}

export const NO_QUOTA: StorageQuota = {
  quota_bytes: null,
  quota_used: 0,
  quota_reserved: 0,
  quota_warn_percent: 90,
  quota_user_bytes: null,
};

/** Bytes that come on top in a day, from two sums some days apart; null while there is less than a day to judge by. */
export function dailyGrowth(
  first: { readonly at: number; readonly bytes: number } | undefined,
  now: { readonly at: number; readonly bytes: number },
): number | null {
  if (!first || now.at - first.at < DAY_MS) return null;
  return Math.round((now.bytes - first.bytes) / ((now.at - first.at) / DAY_MS));
}

/** Whole days until the quota is used up at that pace; null: never, or not known. */
export function daysLeft({ quota_bytes, quota_used, quota_reserved }: StorageQuota, growth: number | null): number | null {
  if (quota_bytes === null || growth === null || growth <= 0) return null;
  return Math.max(0, Math.floor((quota_bytes - quota_used - quota_reserved) / growth));
}

const DAY_MS = 86_400_000;
