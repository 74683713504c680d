import { Module, type Provider } from '@nestjs/common';
import { AccessListsModule } from '../access-lists/access-lists.module';
import { RolesHttpModule } from '../roles/roles.module';
import { AccessExplanationService } from './access-explanation.service';
import { AccessController } from './access.controller';
import { AskedCallers } from './asked-callers.rows';

const EXPLANATION: Provider[] = [AskedCallers];

/** Why somebody may do something, or may not. */
@Module({ providers: EXPLANATION, exports: EXPLANATION })
export class ExplanationModule {}

/** Its routes, and the service behind them, which reads the table of all routes. */
@Module({
  imports: [AccessListsModule, ExplanationModule, RolesHttpModule],
  controllers: [AccessController],
  providers: [AccessExplanationService],
})
export class ExplanationHttpModule {}
