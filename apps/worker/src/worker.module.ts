import { Module } from '@nestjs/common';
import { ClockModule } from '@atrium/platform/access';
import { ComputeModule } from '@atrium/platform/compute';
import { ConfigModule } from '@atrium/platform/config';
import { DatabaseModule } from '@atrium/platform/database';
import { MessagingModule } from '@atrium/platform/messaging';
import { ObservabilityModule } from '@atrium/platform/observability';
import { OutboundModule } from '@atrium/platform/outbound';
import { StorageModule } from '@atrium/platform/storage';
import { AiWorkerModule } from '@atrium/ai';
import { ApprovalsWorkerModule } from '@atrium/approvals';
import { DistributionWorkerModule } from '@atrium/distribution';
import { DocumentsWorkerModule } from '@atrium/documents';
import { FilesWorkerModule } from '@atrium/files';
import { FormsWorkerModule } from '@atrium/forms';
import { GovernanceWorkerModule } from '@atrium/governance';
import { IdentityWorkerModule } from '@atrium/identity';
import { KnowledgeWorkerModule } from '@atrium/knowledge';
import { MediaWorkerModule } from '@atrium/media';
import { ObjectsWorkerModule } from '@atrium/objects';
import { RetrievalWorkerModule } from '@atrium/retrieval';
import { WebsiteWorkerModule } from '@atrium/website';
import { SocialWorkerModule } from '@atrium/social';

/** The job host: the platform and the contexts' worker modules, nothing else. */
@Module({
  imports: [
    ConfigModule,
    ClockModule,
    ObservabilityModule.forApplication('atrium-worker', { probes: true }),
    DatabaseModule.forApplication('atrium-worker', { inspected: true }),
    StorageModule,
    ComputeModule.forWorker(),
    MessagingModule.forWorker(),
    OutboundModule,
    IdentityWorkerModule,
    GovernanceWorkerModule,
    FormsWorkerModule,
    ApprovalsWorkerModule,
    FilesWorkerModule,
    RetrievalWorkerModule,
    MediaWorkerModule,
    DistributionWorkerModule,
    DocumentsWorkerModule,
    KnowledgeWorkerModule,
    ObjectsWorkerModule,
    AiWorkerModule,
    WebsiteWorkerModule,
    SocialWorkerModule,
  ],
})
export class WorkerModule {}
