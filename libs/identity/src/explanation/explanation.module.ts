import { Module, type Provider } from '@nestjs/common';
import { RolesHttpModule } from '../roles/roles.module';
import { AccessExplanationService } from './access-explanation.service';
import { AccessController } from './access.controller';
import { AclSources } from './acl-sources';
import { AskedCallers } from './asked-callers';

const EXPLANATION: Provider[] = [AclSources, AskedCallers];

/** Why somebody may do something, or may not. */
@Module({ providers: EXPLANATION, exports: EXPLANATION })
export class ExplanationModule {}

/** Its routes, and the service behind them, which reads the table of all routes. */
@Module({
  imports: [ExplanationModule, RolesHttpModule],
  controllers: [AccessController],
  providers: [AccessExplanationService],
})
export class ExplanationHttpModule {}
