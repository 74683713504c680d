import { Module } from '@nestjs/common';
import { ClockModule } from '@atrium/platform/access';
import { ConfigModule } from '@atrium/platform/config';
import { DatabaseModule } from '@atrium/platform/database';
import { HttpModule } from '@atrium/platform/http';
import { ObservabilityModule } from '@atrium/platform/observability';
import { IdentityHttpModule } from '@atrium/identity';

/** The HTTP host: the platform and the contexts' HTTP modules, nothing else. */
@Module({
  imports: [ConfigModule, ClockModule, ObservabilityModule.forApplication('atrium-api'), DatabaseModule.forApplication('atrium-api'), HttpModule, IdentityHttpModule],
})
export class ApiModule {}
