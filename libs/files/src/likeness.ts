import type { Provider, Type } from '@nestjs/common';
import { FileLikeness } from './application/file-likeness';
import { MeaningLikeness } from './application/likeness-sources';
import { SimilarFilesController } from './http/similar-files.controller';
import { LooksRepository } from './infrastructure/looks.repository';

/** What files resemble, in every host. */
export const LIKENESS_CORE: Provider[] = [FileLikeness, LooksRepository, MeaningLikeness];

/** Its routes. */
export const LIKENESS_CONTROLLERS: Type[] = [SimilarFilesController];
