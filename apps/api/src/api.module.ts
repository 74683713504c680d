import { Module } from '@nestjs/common';
import { ClockModule } from '@atrium/platform/access';
import { ComputeModule } from '@atrium/platform/compute';
import { ConfigModule } from '@atrium/platform/config';
import { DatabaseModule } from '@atrium/platform/database';
import { HttpModule } from '@atrium/platform/http';
import { MessagingModule } from '@atrium/platform/messaging';
import { ObservabilityModule } from '@atrium/platform/observability';
import { OutboundModule } from '@atrium/platform/outbound';
import { StorageModule } from '@atrium/platform/storage';
import { AiHttpModule } from '@atrium/ai';
import { DistributionHttpModule } from '@atrium/distribution';
import { DocumentsHttpModule } from '@atrium/documents';
import { FilesHttpModule } from '@atrium/files';
import { FormsModule } from '@atrium/forms';
import { GovernanceHttpModule } from '@atrium/governance';
import { IdentityHttpModule } from '@atrium/identity';
import { KnowledgeHttpModule } from '@atrium/knowledge';
import { MediaHttpModule } from '@atrium/media';
import { ObjectsHttpModule } from '@atrium/objects';
import { WebsiteHttpModule } from '@atrium/website';
import { SocialHttpModule } from '@atrium/social';

/** The HTTP host: the platform and the contexts' HTTP modules, nothing else. */
@Module({
  imports: [
    ConfigModule,
    ClockModule,
    ObservabilityModule.forApplication('atrium-api'),
    DatabaseModule.forApplication('atrium-api', { inspected: true }),
    StorageModule,
    ComputeModule.forApi(),
    MessagingModule.forApi(),
    OutboundModule,
    IdentityHttpModule,
    GovernanceHttpModule,
    FormsModule,
    FilesHttpModule,
    MediaHttpModule,
    DistributionHttpModule,
    DocumentsHttpModule,
    KnowledgeHttpModule,
    ObjectsHttpModule,
    AiHttpModule,
    WebsiteHttpModule,
    SocialHttpModule,
    // After the modules with the access guard: its own guard is the last one.
    HttpModule,
  ],
})
export class ApiModule {}
