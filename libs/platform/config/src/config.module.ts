import { withoutEnd } from '@atrium/platform/kernel';
import { Global, Module } from '@nestjs/common';
import { Keyring } from './keyring';
import { loadSettings, type SettingValues } from './settings';

/** The validated settings as an injectable: `constructor(private readonly settings: Settings)`. */
export abstract class Settings {}
// The values are merged into the token's type, so that `settings.PORT` is typed where it is injected.
export interface Settings extends SettingValues {}

/** Origin under which clients reach the API. */
export const publicOrigin = (settings: Pick<SettingValues, 'BASE_URL' | 'PORT'>): string =>
  withoutEnd(settings.BASE_URL || `http://localhost:${settings.PORT}`, /\//);

@Global()
@Module({
  providers: [
    { provide: Settings, useFactory: () => loadSettings() },
    { provide: Keyring, useFactory: (settings: Settings) => new Keyring(settings.MASTER_KEY), inject: [Settings] },
  ],
  exports: [Settings, Keyring],
})
export class ConfigModule {}
