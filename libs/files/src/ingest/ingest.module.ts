import { Module, type Provider } from '@nestjs/common';
import { JobsModule } from '@atrium/platform/messaging';
import { BlobsModule, BlobsWorkerModule } from '../blobs/blobs.module';
import { FilesCoreModule } from '../core/core.module';
import { InspectionWorkerModule } from '../inspection/inspection.module';
import { QuarantineModule } from '../quarantine/quarantine.module';
import { ingest } from '../versions/jobs/ingest.jobs';
import { VersionsModule } from '../versions/versions.module';
import { IngestFindings } from './ingest-findings';
import { BlobInspections } from './ingest-inspection';
import { IngestReading } from './ingest-reading';
import { IngestCommit } from './ingest-commit';
import { IngestSubjects } from './ingest-subjects';
import { IngestHandler } from './ingest.handler';
import { Ingest } from './ingest.service';
import { UnreadFiles } from './unread-files';

const INGEST: Provider[] = [
  BlobInspections,
  Ingest,
  IngestFindings,
  IngestHandler,
  IngestReading,
  IngestCommit,
  IngestSubjects,
  UnreadFiles,
];

/** New bytes are read by workers: what they are, whether they are known already, and what they look like. */
@Module({
  imports: [
    BlobsModule,
    BlobsWorkerModule,
    FilesCoreModule,
    InspectionWorkerModule,
    QuarantineModule,
    VersionsModule,
    JobsModule.define([ingest]),
  ],
  providers: INGEST,
  exports: INGEST,
})
export class IngestWorkerModule {}
