import { Module, type Provider } from '@nestjs/common';
import { DistributionRules } from './application/distribution-rules';
import { DistributionSignals } from './application/distribution-signals';
import { EvaluatedSubjects, EvaluationService } from './application/evaluation.service';
import { PublicClients } from './application/public-clients';
import { RestrictionsService } from './application/restrictions.service';
import { RuleFollowers } from './application/rule-followers';
import { DistributionControlController } from './http/distribution-control.controller';
import { RequestFactsReader } from './http/request-facts';
import { CountrySource } from './infrastructure/country-source';
import { PublicationReach } from './infrastructure/publication-reach';
import { RestrictionsRepository } from './infrastructure/restrictions.repository';

const CORE: Provider[] = [
  CountrySource,
  DistributionRules,
  DistributionSignals,
  EvaluatedSubjects,
  EvaluationService,
  PublicClients,
  PublicationReach,
  RestrictionsRepository,
  RestrictionsService,
  RuleFollowers,
];

/** The restriction catalog, the baseline of a workspace, and the one evaluator of publications and share links. */
@Module({ providers: CORE, exports: CORE })
export class DistributionControlModule {}

/** The routes of distribution control. */
@Module({
  imports: [DistributionControlModule],
  controllers: [DistributionControlController],
  providers: [RequestFactsReader],
  exports: [RequestFactsReader],
})
export class DistributionControlHttpModule {}
