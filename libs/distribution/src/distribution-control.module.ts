import { Module, type Provider } from '@nestjs/common';

const CORE: Provider[] = [];

/** The restriction catalog, the baseline of a workspace, and the one evaluator of publications and share links. */
@Module({ providers: CORE, exports: CORE })
export class DistributionControlModule {}

/** The routes of distribution control. */
@Module({ imports: [DistributionControlModule] })
export class DistributionControlHttpModule {}
