import { Module, type Provider } from '@nestjs/common';
import { FilesModule } from '@atrium/files';
import { ConsentSources } from './application/consent-sources';
import { ReleaseRules } from './application/release-rules';
import { StatusEffects } from './application/status-effects';
import { FlowRules } from './application/status-rules';
import { StatusFlowsRepository } from './infrastructure/status-flows.repository';

const STATUSES: Provider[] = [ConsentSources, FlowRules, ReleaseRules, StatusEffects, StatusFlowsRepository];

/** The states that files go through, what each keeps them from, and whether people and rights allow them to be shown. */
@Module({ imports: [FilesModule], providers: STATUSES, exports: STATUSES })
export class StatusesModule {}
