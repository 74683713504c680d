import { Module, type Provider } from '@nestjs/common';
import { FilesModule } from '@atrium/files';
import { FormsModule } from '@atrium/forms';
import { GovernanceModule } from '@atrium/governance';
import { JobsModule } from '@atrium/platform/messaging';
import { RetrievalModule } from '@atrium/retrieval';
import { BaseAccess } from './application/base-access';
import { BaseAnswers } from './application/base-answers';
import { BaseContents } from './application/base-contents';
import { BaseFiles } from './application/base-files';
import { BaseHolds } from './application/base-holds';
import { BaseLifecycle } from './application/base-lifecycle';
import { BaseScope } from './application/base-scope';
import { BaseUpkeep } from './application/base-upkeep';
import { BasesService } from './application/bases.service';
import { BaseFileRows } from './infrastructure/base-files.rows';
import { NamedBases } from './infrastructure/named-bases';
import { BasesController } from './http/bases.controller';
import { BasesRepository } from './infrastructure/bases.repository';
import { BasesHandler } from './jobs/bases.handler';
import { indexBase, purgeKnowledge } from './jobs/bases.jobs';

const BASES: Provider[] = [
  BaseAccess,
  BaseAnswers,
  BaseContents,
  BaseFileRows,
  BaseFiles,
  BaseHolds,
  BaseLifecycle,
  BaseScope,
  BasesRepository,
  BasesService,
  BaseUpkeep,
  NamedBases,
];

/** Knowledge bases themselves: what they are called, who may see them, how they are deleted and come back. */
@Module({ imports: [FilesModule, FormsModule, GovernanceModule, RetrievalModule], providers: BASES, exports: BASES })
export class BasesModule {}

/** Their routes. */
@Module({ imports: [BasesModule], controllers: [BasesController] })
export class BasesHttpModule {}

/** Their background work. */
@Module({ imports: [BasesModule, JobsModule.define([indexBase, purgeKnowledge])], providers: [BasesHandler] })
export class BasesWorkerModule {}
