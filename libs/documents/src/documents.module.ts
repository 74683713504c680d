import { Module } from '@nestjs/common';
import { FoldersHttpModule, FoldersModule } from './folders/folders.module';

const AREAS = [FoldersModule];

/** The document library: how documents are filed, related and found. */
@Module({ imports: AREAS, exports: AREAS })
export class DocumentsModule {}

/** Its routes. */
@Module({ imports: [FoldersHttpModule] })
export class DocumentsHttpModule {}

/** Its background work. */
@Module({ imports: [DocumentsModule] })
export class DocumentsWorkerModule {}
