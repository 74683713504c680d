import type { Provider, Type } from '@nestjs/common';
import { FileFactsReader } from './application/file-facts';
import { FileLikeness } from './application/file-likeness';
import { FileMerging } from './application/file-merging';
import { MeaningLikeness } from './application/likeness-sources';
import { SimilarFilesController } from './http/similar-files.controller';
import { LooksRepository } from './infrastructure/looks.repository';

/** What files resemble, and how copies of one become one, in every host. */
export const LIKENESS_CORE: Provider[] = [FileFactsReader, FileLikeness, FileMerging, LooksRepository, MeaningLikeness];

/** Its routes. */
export const LIKENESS_CONTROLLERS: Type[] = [SimilarFilesController];
