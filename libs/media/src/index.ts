export { MediaHttpModule, MediaModule, MediaWorkerModule } from './media.module';
export {
  MediaFacts,
  type MediaFactName,
  type MediaFactsOfFile,
  type NextStatus,
  type PublicationOfFile,
} from './library/application/media-facts';
export { MediaFiles, type MediaFileExtras, type MediaFileRow } from './library/application/media-files';
export { StatusChanges } from './statuses/application/status-changes.service';
export { SharedAlbums, type NamedAlbum } from './albums/application/shared-albums';
export { ConsentExpiry } from './statuses/application/consent-expiry';
export { ConsentSources, type ConsentSource, type EndingConsents } from './statuses/application/consent-sources';
export { ReleaseRules, type ReleaseAsked, type ReleaseRefusal } from './statuses/application/release-rules';
export { RightsExpiry } from './statuses/application/rights-expiry';
export { StockPings } from './stock/application/stock-pings';
export { StatusEffects, type EnteredState, type ReleaseUse, type StatusEffect, type Withheld } from './statuses/application/status-effects';
export { CARRIED, DuplicateCarriers, type Carried, type DuplicateCarrier } from './duplicates/application/duplicate-carriers';
export { FaceSorting } from './people/application/face-sorting';
export { FileStatusService } from './statuses/application/file-statuses.service';
export { FileTagging } from './tags/application/file-tagging';
export { TagVocabulary, type Naming, type ResolvedTag } from './tags/application/tag-vocabulary';
export { readTagMap, readTagName, type TagMap } from './tags/domain/tag-words';
export { type TagOrigin, type TagSource } from './tags/infrastructure/file-tags.repository';
