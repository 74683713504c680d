import { Module } from '@nestjs/common';
import { ObservabilityModule } from '@atrium/platform/observability';
import { StorageModule } from '@atrium/platform/storage';
import { DistributionModule } from '@atrium/distribution';
import { FilesModule } from '@atrium/files';
import { MediaModule } from '@atrium/media';
import { CliModule } from './cli.module';

/** The commands that create workspaces: every context contributes to a new workspace, so all of them are loaded. */
@Module({
  imports: [CliModule, ObservabilityModule.forApplication('atrium-cli'), StorageModule, FilesModule, MediaModule, DistributionModule],
})
export class FoundingModule {}
