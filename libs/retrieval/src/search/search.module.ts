import { Module, type Provider } from '@nestjs/common';
import { EmbeddingsModule } from '../embeddings/embeddings.module';
import { PassagesModule } from '../passages/passages.module';
import { OpenSourcesOf } from './application/open-sources';
import { PassageSearch } from './application/passage-search';
import { SearchScopes } from './application/search-scopes';
import { TextChannel } from './application/text-channel';
import { SearchRepository } from './infrastructure/search.repository';
import { StopWordsRepository } from './infrastructure/stop-words.repository';

const SEARCH: Provider[] = [OpenSourcesOf, PassageSearch, SearchRepository, SearchScopes, StopWordsRepository, TextChannel];

/** The search over passages, by their words and by their meaning. */
@Module({ imports: [EmbeddingsModule, PassagesModule], providers: SEARCH, exports: SEARCH })
export class SearchModule {}
