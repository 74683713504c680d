import { Module, type Provider } from '@nestjs/common';
import { DistributionRules } from './application/distribution-rules';
import { DistributionSignals } from './application/distribution-signals';
import { EvaluatedSubjects, EvaluationService } from './application/evaluation.service';
import { RestrictionsService } from './application/restrictions.service';
import { RuleFollowers } from './application/rule-followers';
import { DistributionControlController } from './http/distribution-control.controller';
import { PublicationReach } from './infrastructure/publication-reach';
import { RestrictionsRepository } from './infrastructure/restrictions.repository';

const CORE: Provider[] = [DistributionRules, DistributionSignals, EvaluatedSubjects, EvaluationService, PublicationReach, RestrictionsRepository, RestrictionsService, RuleFollowers];

/** The restriction catalog, the baseline of a workspace, and the one evaluator of publications and share links. */
@Module({ providers: CORE, exports: CORE })
export class DistributionControlModule {}

/** The routes of distribution control. */
@Module({ imports: [DistributionControlModule], controllers: [DistributionControlController] })
export class DistributionControlHttpModule {}
