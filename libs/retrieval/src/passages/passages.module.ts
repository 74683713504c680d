import { Module, type Provider } from '@nestjs/common';
import { JobsModule } from '@atrium/platform/messaging';
import { EmbeddingsModule } from '../embeddings/embeddings.module';
import { IndexRun } from './application/index-run';
import { PassageIndex } from './application/passage-index';
import { PassageReindexing } from './application/reindexing';
import { PassageUpkeep } from './application/passage-upkeep';
import { SourcePassages } from './application/source-passages';
import { PassageVectors } from './application/passage-vectors';
import { PurgeRun } from './application/purge-run';
import { SourceKinds } from './application/source-kinds';
import { PassageSourcesRepository } from './infrastructure/passage-sources.repository';
import { PassagesRepository } from './infrastructure/passages.repository';
import { PassagesHandler } from './jobs/passages.handler';
import { indexSource, indexWaiting, purgeSource, reindexSources, sourceCreditNews } from './jobs/passages.jobs';

const PASSAGES: Provider[] = [
  IndexRun,
  PassageIndex,
  PassageReindexing,
  PassageSourcesRepository,
  PassagesRepository,
  PassageUpkeep,
  PassageVectors,
  PurgeRun,
  SourceKinds,
  SourcePassages,
];

/** Sources cut into passages, and the index of them. */
@Module({ imports: [EmbeddingsModule], providers: PASSAGES, exports: PASSAGES })
export class PassagesModule {}

/** Its background work. */
@Module({
  imports: [PassagesModule, JobsModule.define([indexSource, purgeSource, indexWaiting, sourceCreditNews, reindexSources])],
  providers: [PassagesHandler],
})
export class PassagesWorkerModule {}
