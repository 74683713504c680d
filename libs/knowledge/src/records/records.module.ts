import { Module, type Provider } from '@nestjs/common';
import { FormsModule } from '@atrium/forms';
import { RetrievalModule } from '@atrium/retrieval';
import { BasesModule } from '../bases/bases.module';
import { RecordIndex } from './application/record-index';
import { RecordPreparation } from './application/record-preparation';
import { RecordShapes } from './application/record-shapes';
import { RecordWriter } from './application/record-writer';
import { RecordsRepository } from './infrastructure/records.repository';

const RECORDS: Provider[] = [RecordIndex, RecordPreparation, RecordShapes, RecordsRepository, RecordWriter];

/** The records of bases: how they are written, listed and found. */
@Module({ imports: [FormsModule, RetrievalModule, BasesModule], providers: RECORDS, exports: RECORDS })
export class RecordsModule {}
