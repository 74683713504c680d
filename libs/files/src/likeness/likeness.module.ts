import { Module, type Provider } from '@nestjs/common';
import { FilesCoreModule } from '../core/core.module';
import { FileFactsReader } from './file-facts.rows';
import { MergedFavoriteRows } from './merged-favorites.rows';
import { FileSimilarity } from './file-similarity';
import { FileMerging } from './file-merging';
import { MeaningSimilarity } from './similarity-sources';
import { AppearanceRepository } from './appearance.repository';
import { SimilarFilesController } from './similar-files.controller';

const LIKENESS: Provider[] = [FileFactsReader, FileSimilarity, FileMerging, AppearanceRepository, MeaningSimilarity, MergedFavoriteRows];

/** What files resemble, and how copies of one become one. */
@Module({ imports: [FilesCoreModule], providers: LIKENESS, exports: LIKENESS })
export class LikenessModule {}

/** Its route. */
@Module({ imports: [LikenessModule], controllers: [SimilarFilesController] })
export class LikenessHttpModule {}
