import { Module, type Provider } from '@nestjs/common';
import { FilesModule } from '@atrium/files';
import { ModelsModule } from '@atrium/models';
import { RetrievalModule } from '@atrium/retrieval';
import { JobsModule } from '@atrium/platform/messaging';
import { LibraryModule } from '../library/library.module';
import { TagsModule } from '../tags/tags.module';
import { AnalysesOfFiles } from './application/analyses-of-files';
import { Analyses } from './application/analyses.service';
import { BulkAnalyses } from './application/analysis-bulk';
import { AnalysisFinder } from './application/analysis-finder';
import { AnalysisJobSource } from './application/analysis-job-source';
import { AnalysisModel } from './application/analysis-model';
import { AnalysisRequests } from './application/analysis-requests';
import { AnalysisRuns } from './application/analysis-runs';
import { AnalysisSchemas } from './application/analysis-schemas.service';
import { AnalysisSearchField } from './application/analysis-search-field';
import { AnalysisSelection } from './infrastructure/analysis-selection';
import { FileEventFollower } from './application/file-event-follower';
import { MediaEmbeddings } from './application/media-embeddings';
import { SchemaSuggestions } from './application/schema-suggestions';
import { CurrentAnalysisEffects } from './application/current-analysis-effects';
import { WaitingAnalyses } from './application/waiting-analyses';
import { WaitingEmbeddings } from './application/waiting-embeddings';
import { AnalysesController, FilesAnalysisController } from './http/analyses.controller';
import { AnalysisSchemasController } from './http/analysis-schemas.controller';
import { AnalysisSchemasRepository } from './infrastructure/analysis-schemas.repository';
import { FileAnalysesRepository } from './infrastructure/file-analyses.repository';
import { PictureMeasures } from './infrastructure/picture-measures';
import { AnalysisHandler } from './jobs/analysis.handler';
import { analyseWaiting, analysis, creditsAvailable, embed, embedWaiting, fileEvents } from './jobs/analysis.jobs';

const ANALYSIS: Provider[] = [
  Analyses,
  AnalysesOfFiles,
  AnalysisFinder,
  AnalysisJobSource,
  AnalysisModel,
  AnalysisRequests,
  AnalysisRuns,
  AnalysisSchemas,
  AnalysisSchemasRepository,
  AnalysisSearchField,
  AnalysisSelection,
  BulkAnalyses,
  FileAnalysesRepository,
  FileEventFollower,
  MediaEmbeddings,
  PictureMeasures,
  SchemaSuggestions,
  CurrentAnalysisEffects,
  WaitingAnalyses,
  WaitingEmbeddings,
];

/** What is found out about files, and what they are about. */
@Module({ imports: [FilesModule, ModelsModule, RetrievalModule, LibraryModule, TagsModule], providers: ANALYSIS, exports: ANALYSIS })
export class AnalysisModule {}

/** Its routes. */
@Module({ imports: [AnalysisModule], controllers: [AnalysisSchemasController, FilesAnalysisController, AnalysesController] })
export class AnalysisHttpModule {}

/** Its background work. */
@Module({
  imports: [AnalysisModule, JobsModule.define([analyseWaiting, analysis, creditsAvailable, embed, embedWaiting, fileEvents])],
  providers: [AnalysisHandler],
})
export class AnalysisWorkerModule {}
