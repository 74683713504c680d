import { Module } from '@nestjs/common';
import { FilesModule } from '@atrium/files';
import { FormsModule } from '@atrium/forms';
import { ColumnReadings } from './application/column-readings';
import { ImportRuns } from './application/import-runs';
import { ImportTables } from './application/import-tables';

const IMPORTS = [ColumnReadings, ImportRuns, ImportTables];

/** The engine of imports, for contexts whose rows come from tables. */
@Module({ imports: [FilesModule, FormsModule], providers: IMPORTS, exports: IMPORTS })
export class ImportsModule {}
