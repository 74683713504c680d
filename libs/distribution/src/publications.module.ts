import { Module, type Provider } from '@nestjs/common';
import { FilesModule } from '@atrium/files';
import { MediaModule } from '@atrium/media';
import { DistributionControlModule } from './distribution-control.module';

const CORE: Provider[] = [];

/** Public copies of files at permanent addresses. */
@Module({ imports: [FilesModule, MediaModule, DistributionControlModule], providers: CORE, exports: CORE })
export class PublicationsModule {}

/** The routes of publications, and their public bytes. */
@Module({ imports: [PublicationsModule] })
export class PublicationsHttpModule {}

/** What publications have done in the background: copies, windows, edges, counters. */
@Module({ imports: [PublicationsModule] })
export class PublicationsWorkerModule {}
