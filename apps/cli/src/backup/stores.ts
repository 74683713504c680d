import { resolve } from 'node:path';
import type { SettingValues } from '@atrium/platform/config';

/** A disk store by the name of its folder in an archive. */
export interface Store {
  readonly name: 'objects' | 'public';
  readonly root: string;
}

/** The disk stores of the settings; none where objects are in buckets. */
export function storesOf(settings: SettingValues): Store[] {
  if (settings.S3_ENDPOINT !== '') return [];
  const home: Store = { name: 'objects', root: resolve(settings.DATA_DIR, 'objects') };
  return settings.PUBLIC_BUCKET === '' ? [home] : [home, { name: 'public', root: resolve(settings.DATA_DIR, settings.PUBLIC_BUCKET) }];
}
