import { FilesModule } from '@atrium/files';
import { Module, type Provider } from '@nestjs/common';
import { DistributionRules } from './application/distribution-rules';
import { DistributionSignals } from './application/distribution-signals';
import { EvaluatedSubjects, EvaluationService } from './application/evaluation.service';
import { RestrictionsService } from './application/restrictions.service';
import { RuleFollowers } from './application/rule-followers';
import { Countries } from './domain/countries';
import { DistributionControlController } from './http/distribution-control.controller';
import { RequestFactsReader } from './http/request-facts';
import { CountrySource } from './infrastructure/country-source';
import { PublicationReach } from './infrastructure/publication-reach';
import { RestrictionsRepository } from './infrastructure/restrictions.repository';

const CONTROL: Provider[] = [
  { provide: Countries, useClass: CountrySource },
  DistributionRules,
  DistributionSignals,
  EvaluatedSubjects,
  EvaluationService,
  PublicationReach,
  RestrictionsRepository,
  RestrictionsService,
  RuleFollowers,
];

/** The restriction catalog, the baseline of a workspace, and the one evaluator of publications and share links. */
@Module({ imports: [FilesModule], providers: CONTROL, exports: CONTROL })
export class DistributionControlModule {}

/** Its routes. */
@Module({
  imports: [DistributionControlModule],
  controllers: [DistributionControlController],
  providers: [RequestFactsReader],
  exports: [RequestFactsReader],
})
export class DistributionControlHttpModule {}
