import { Module, type Provider } from '@nestjs/common';
import { FilesModule } from '@atrium/files';
import { GovernanceModule } from '@atrium/governance';
import { JobsModule } from '@atrium/platform/messaging';
import { EmbeddingsModule } from '../embeddings/embeddings.module';
import { PassagesModule } from '../passages/passages.module';
import { FileHooks } from './file-hooks';
import { FilePassages } from './file-passages';
import { FileSource } from './file-source';
import { FileTextRepository } from './file-text.repository';
import { NearFiles } from './near-files';
import { NearFileRows } from './near-files.rows';
import { ScopeCounts } from './scope-counts.rows';
import { TextEngine } from './text-engine';
import { TextExtraction } from './text-extraction';
import { TextConditions } from './text-conditions';
import { FileTexts } from './file-texts';
import { TextRepositories } from './text-repositories';
import { TextStore } from './text-store';
import { TextUpkeep } from './text-upkeep';
import { TextWatchers } from './text-watchers';
import { TextsHandler } from './texts.handler';
import { discardTexts, extractText } from './texts.jobs';

const TEXTS: Provider[] = [
  FileHooks,
  FilePassages,
  FileSource,
  FileTextRepository,
  NearFileRows,
  NearFiles,
  ScopeCounts,
  TextEngine,
  TextExtraction,
  TextConditions,
  FileTexts,
  TextRepositories,
  TextStore,
  TextUpkeep,
  TextWatchers,
];

/** The texts of files, and files as sources of passages. */
@Module({ imports: [FilesModule, GovernanceModule, EmbeddingsModule, PassagesModule], providers: TEXTS, exports: TEXTS })
export class TextsModule {}

/** Its background work. */
@Module({ imports: [TextsModule, JobsModule.define([extractText, discardTexts])], providers: [TextsHandler] })
export class TextsWorkerModule {}
