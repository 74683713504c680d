import { Module } from '@nestjs/common';
import { ComputeModule } from '@atrium/platform/compute';
import { ObservabilityModule } from '@atrium/platform/observability';
import { StorageModule } from '@atrium/platform/storage';
import { AiModule } from '@atrium/ai';
import { DistributionModule } from '@atrium/distribution';
import { DocumentsModule } from '@atrium/documents';
import { FilesModule } from '@atrium/files';
import { FormsModule } from '@atrium/forms';
import { KnowledgeModule } from '@atrium/knowledge';
import { MediaModule } from '@atrium/media';
import { CliModule } from './cli.module';

/** The commands that create workspaces: every context contributes to a new workspace, so all of them are loaded. */
@Module({
  imports: [
    CliModule,
    ObservabilityModule.forApplication('atrium-cli'),
    StorageModule,
    ComputeModule.forApi(),
    FormsModule,
    FilesModule,
    MediaModule,
    DistributionModule,
    DocumentsModule,
    KnowledgeModule,
    AiModule,
  ],
})
export class FoundingModule {}
