import { Module } from '@nestjs/common';
import { ObservabilityModule } from '@atrium/platform/observability';
import { StorageModule } from '@atrium/platform/storage';
import { DistributionModule } from '@atrium/distribution';
import { FilesModule } from '@atrium/files';
import { MediaModule } from '@atrium/media';
import { CliModule } from './cli.module';

/** The commands that make workspaces: every context says what a workspace begins with, so all of them are there. */
@Module({
  imports: [CliModule, ObservabilityModule.forApplication('atrium-cli'), StorageModule, FilesModule, MediaModule, DistributionModule],
})
export class FoundingModule {}
