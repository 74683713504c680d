import { Module, type Provider } from '@nestjs/common';
import { FormsModule } from '@atrium/forms';
import { RetrievalModule } from '@atrium/retrieval';
import { BasesModule } from '../bases/bases.module';
import { ExportedRecords } from './application/exported-records';
import { RecordBodies } from './application/record-bodies';
import { RecordHolder } from './application/record-holder';
import { RecordIndex } from './application/record-index';
import { RecordList } from './application/record-list';
import { RecordPreparation } from './application/record-preparation';
import { RecordShapes } from './application/record-shapes';
import { RecordSource } from './application/record-source';
import { RecordWriter } from './application/record-writer';
import { RecordsService } from './application/records.service';
import { RecordsController } from './http/records.controller';
import { RecordReadingRows } from './infrastructure/record-reading.rows';
import { RecordsRepository } from './infrastructure/records.repository';

const RECORDS: Provider[] = [
  ExportedRecords,
  RecordBodies,
  RecordHolder,
  RecordIndex,
  RecordList,
  RecordPreparation,
  RecordReadingRows,
  RecordShapes,
  RecordSource,
  RecordsRepository,
  RecordsService,
  RecordWriter,
];

/** The records of bases: how they are written, listed and found. */
@Module({ imports: [FormsModule, RetrievalModule, BasesModule], providers: RECORDS, exports: RECORDS })
export class RecordsModule {}

/** Their routes. */
@Module({ imports: [RecordsModule], controllers: [RecordsController] })
export class RecordsHttpModule {}
