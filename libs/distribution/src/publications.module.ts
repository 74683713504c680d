import { Module, type Provider } from '@nestjs/common';
import { FilesModule } from '@atrium/files';
import { MediaModule } from '@atrium/media';
import { PublicationsOfPeople } from './application/publications-of-people';
import { WorkspacePublications } from './application/workspace-publications';
import { DistributionControlModule } from './distribution-control.module';
import { publicStore } from './infrastructure/public-store';

const CORE: Provider[] = [publicStore, PublicationsOfPeople, WorkspacePublications];

/** Public copies of files at permanent addresses. */
@Module({ imports: [FilesModule, MediaModule, DistributionControlModule], providers: CORE, exports: CORE })
export class PublicationsModule {}

/** The routes of publications, and their public bytes. */
@Module({ imports: [PublicationsModule] })
export class PublicationsHttpModule {}

/** What publications have done in the background: copies, windows, edges, counters. */
@Module({ imports: [PublicationsModule] })
export class PublicationsWorkerModule {}
