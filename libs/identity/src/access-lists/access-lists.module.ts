import { Module, type Provider } from '@nestjs/common';
import { JobsModule } from '@atrium/platform/messaging';
import { PeopleModule } from '../people/people.module';
import { AccessListRows } from './access-list.rows';
import { AccessLists } from './access-lists';
import { AccessListsController } from './access-lists.controller';
import { AccessListsHandler, subjectsGone } from './access-lists.jobs';
import { AclSources } from './acl-sources';
import { AclSubjects } from './acl-subjects';

const ACCESS_LISTS: Provider[] = [AclSources, AclSubjects, AccessListRows, AccessLists];

/** The access lists of all contexts: which there are, and the way back to what they close. */
@Module({ imports: [PeopleModule], providers: ACCESS_LISTS, exports: ACCESS_LISTS })
export class AccessListsModule {}

/** Its routes. */
@Module({ imports: [AccessListsModule], controllers: [AccessListsController] })
export class AccessListsHttpModule {}

/** Its background work. */
@Module({ imports: [AccessListsModule, JobsModule.define([subjectsGone])], providers: [AccessListsHandler] })
export class AccessListsWorkerModule {}
