import { type Setting, SettingFault } from '@atrium/platform/settings';
import { PathFault, RowPath } from './row-path';

/** A path as people write it among settings. */
export const pathSetting: Setting<RowPath> = (value) => {
  if (typeof value !== 'string') return new SettingFault('type', 'must be a path, such as $.items');
  try {
    return RowPath.parse(value);
  } catch (error) {
    if (error instanceof PathFault) return new SettingFault('path', error.message);
    throw error;
  }
};
