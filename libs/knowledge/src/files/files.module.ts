import { Module, type Provider } from '@nestjs/common';
import { FilesModule } from '@atrium/files';
import { RetrievalModule } from '@atrium/retrieval';
import { BasesModule } from '../bases/bases.module';
import { BaseFilesController } from './base-files.controller';
import { BaseFilesService } from './base-files.service';
import { BaseLinksRepository } from './base-links.repository';

const FILES: Provider[] = [BaseFilesService, BaseLinksRepository];

/** The files of bases: own ones, and documents of the library that are linked. */
@Module({ imports: [FilesModule, RetrievalModule, BasesModule], providers: FILES, exports: FILES })
export class BaseFilesModule {}

/** Their routes. */
@Module({ imports: [BaseFilesModule], controllers: [BaseFilesController] })
export class BaseFilesHttpModule {}
