import { Module, type Provider } from '@nestjs/common';
import { FilesCoreModule } from '../core/core.module';
import { FileSearchFields } from './application/file-search-fields';
import { SavedSearches } from './application/saved-searches';
import { SavedSearchUses } from './application/saved-search-uses';
import { SearchesOfPeople } from './application/searches-of-people';
import { SearchFields } from './application/search-fields';
import { SearchLanguage } from './application/search-language';
import { SearchPreview } from './application/search-preview';
import { FileSearchText } from './infrastructure/search-texts.rows';
import { SavedSearchesController } from './http/saved-searches.controller';
import { SearchRows } from './infrastructure/searches.rows';
import { SavedSearchesRepository } from './infrastructure/saved-searches.repository';

const SEARCH: Provider[] = [
  FileSearchFields,
  FileSearchText,
  SavedSearches,
  SavedSearchesRepository,
  SavedSearchUses,
  SearchesOfPeople,
  SearchFields,
  SearchLanguage,
  SearchPreview,
  SearchRows,
];

/** The search language, what can be asked in it, and searches that are kept. */
@Module({ imports: [FilesCoreModule], providers: SEARCH, exports: SEARCH })
export class SearchModule {}

/** Its routes. */
@Module({ imports: [SearchModule], controllers: [SavedSearchesController] })
export class SearchHttpModule {}
