import { Module } from '@nestjs/common';
import { ClockModule } from '@atrium/platform/access';
import { ConfigModule } from '@atrium/platform/config';
import { DatabaseModule } from '@atrium/platform/database';
import { MessagingModule } from '@atrium/platform/messaging';
import { OutboundModule } from '@atrium/platform/outbound';
import { GovernanceModule } from '@atrium/governance';
import { IdentityModule } from '@atrium/identity';

/** The operator's commands: application services on the database, without HTTP and without jobs. */
@Module({
  imports: [
    ConfigModule,
    ClockModule,
    DatabaseModule.forApplication('atrium-cli'),
    MessagingModule.forApi(),
    OutboundModule,
    IdentityModule,
    GovernanceModule,
  ],
})
export class CliModule {}
