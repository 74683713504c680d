import { Module, type Provider } from '@nestjs/common';
import { FormsModule } from '@atrium/forms';
import { JobsModule } from '@atrium/platform/messaging';
import { ObjectRowsModule } from '../objects/objects.module';
import { TaxonomiesService } from './application/taxonomies.service';
import { TermReferences } from './application/term-references';
import { TermRemoval } from './application/term-removal';
import { TermsService } from './application/terms.service';
import { TaxonomiesController } from './http/taxonomies.controller';
import { TermsController } from './http/terms.controller';
import { TaxonomiesRepository } from './infrastructure/taxonomies.repository';
import { TermsRepository } from './infrastructure/terms.repository';
import { TermsHandler } from './jobs/terms.handler';
import { reassignTerms } from './jobs/terms.jobs';

const TAXONOMIES: Provider[] = [TaxonomiesRepository, TaxonomiesService, TermReferences, TermRemoval, TermsRepository, TermsService];

/** Vocabularies of terms, and everything that refers to terms. */
@Module({ imports: [FormsModule, ObjectRowsModule], providers: TAXONOMIES, exports: TAXONOMIES })
export class TaxonomiesModule {}

/** Its routes. */
@Module({ imports: [TaxonomiesModule], controllers: [TaxonomiesController, TermsController] })
export class TaxonomiesHttpModule {}

/** Its background work. */
@Module({ imports: [TaxonomiesModule, JobsModule.define([reassignTerms])], providers: [TermsHandler] })
export class TaxonomiesWorkerModule {}
