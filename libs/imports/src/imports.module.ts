import { Module } from '@nestjs/common';
import { FilesModule } from '@atrium/files';
import { ImportTables } from './application/import-tables';

const IMPORTS = [ImportTables];

/** The engine of imports, for contexts whose rows come from tables. */
@Module({ imports: [FilesModule], providers: IMPORTS, exports: IMPORTS })
export class ImportsModule {}
