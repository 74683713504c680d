import { Module } from '@nestjs/common';
import { FilesRestHttpModule, FilesRestModule, FilesRestWorkerModule } from './rest.module';
import { SearchHttpModule, SearchModule } from './search/search.module';
import { SharingModule, SharingWorkerModule } from './sharing/sharing.module';

const AREAS = [FilesRestModule, SearchModule, SharingModule];

/** Files and their bytes, how they are found, and what of them is shown outside. */
@Module({ imports: AREAS, exports: AREAS })
export class FilesModule {}

/** The routes of this context. */
@Module({ imports: [FilesRestHttpModule, SearchHttpModule] })
export class FilesHttpModule {}

/** The background work of this context. */
@Module({ imports: [FilesModule, FilesRestWorkerModule, SharingWorkerModule] })
export class FilesWorkerModule {}
