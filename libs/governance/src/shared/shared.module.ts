import { Module, type Provider } from '@nestjs/common';
import { PersonDataSources } from './application/person-data';
import { JobsController } from './http/jobs.controller';

const SHARED: Provider[] = [PersonDataSources];

/** Where contexts register their columns that point to people. */
@Module({ providers: SHARED, exports: SHARED })
export class SharedModule {}

/** Background jobs that their context shows at no route of its own. */
@Module({ imports: [SharedModule], controllers: [JobsController] })
export class SharedHttpModule {}
