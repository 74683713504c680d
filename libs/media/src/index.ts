export { MediaHttpModule, MediaModule, MediaWorkerModule } from './media.module';
export { MediaFacts, type MediaFactName, type MediaFactsOfFile } from './application/media-facts';
export { MediaFiles, type MediaFileExtras, type MediaFileRow } from './application/media-files';
export { SharedAlbums, type NamedAlbum } from './application/shared-albums';
export { ConsentSources, type ConsentSource } from './application/consent-sources';
export { ReleaseRules, type ReleaseRefusal } from './application/release-rules';
export { StatusEffects, type EnteredState, type ReleaseUse, type StatusEffect, type Withheld } from './application/status-effects';
export { CARRIED, DuplicateCarriers, type Carried, type DuplicateCarrier } from './application/duplicate-carriers';
