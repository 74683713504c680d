export { MediaHttpModule, MediaModule, MediaWorkerModule } from './media.module';
export {
  MediaFacts,
  type MediaFactName,
  type MediaFactsOfFile,
  type NextStatus,
  type PublicationOfFile,
} from './library/application/media-facts';
export { MediaFiles, type MediaFileExtras, type MediaFileRow } from './library/application/media-files';
export { scoredDepth, scoredPage } from './library/application/scored-pages';
export { DocumentFoldersModule } from './albums/albums.module';
export { AlbumMembers, type AddedMembers } from './albums/application/album-members.service';
export { type AlbumAnswer, type AlbumDetailAnswer } from './albums/application/album-answers';
export { AlbumsService, type AlbumFacts, type AlbumFilters, type NewAlbum } from './albums/application/albums.service';
export { SmartAlbums, type NewSmartAlbum, type SmartChanges } from './albums/application/smart-albums.service';
export { AlbumSelection } from './albums/application/album-selection';
export { type MembershipRow } from './albums/domain/membership';
export { ClosedAlbums } from './albums/application/closed-albums';
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
export { FileTags } from './tags/application/file-tags.service';
export { type MediaTags } from './library/infrastructure/file-surroundings.repository';
export { TagConditions } from './tags/application/tag-conditions';
export { FileTagging } from './tags/application/file-tagging';
export { TagVocabulary, type Naming, type ResolvedTag } from './tags/application/tag-vocabulary';
export { readTagMap, readTagName, type TagMap } from './tags/domain/tag-words';
export { type TagOrigin, type TagSource } from './tags/infrastructure/file-tags.repository';
