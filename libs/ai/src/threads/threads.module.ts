import { Module, type Provider } from '@nestjs/common';
import { FilesModule } from '@atrium/files';
import { GovernanceModule } from '@atrium/governance';
import { IdentityModule } from '@atrium/identity';
import { KnowledgeModule } from '@atrium/knowledge';
import { RetrievalModule } from '@atrium/retrieval';
import { AgentsModule } from '../agents/agents.module';
import { EventsModule } from '../events/events.module';
import { Attachments } from './application/attachments';
import { BasesAsSubjects } from './application/bases-as-subjects';
import { CitationGates } from './application/citation-gates';
import { ExportedMessages } from './application/exported-messages';
import { FilesAsSubjects } from './application/files-as-subjects';
import { MessageReader } from './application/message-reader';
import { MessageRetention } from './application/message-retention';
import { MessageTexts } from './application/message-texts';
import { MessagesService } from './application/messages.service';
import { MessageWriter } from './application/message-writer';
import { SubjectReaders } from './application/subject-readers';
import { ThreadAccess } from './application/thread-access';
import { ThreadAnswers } from './application/thread-answers';
import { ThreadChanges } from './application/thread-changes';
import { ThreadEnds } from './application/thread-ends';
import { ThreadFiles } from './application/thread-files';
import { ThreadHooks } from './application/thread-hooks';
import { ThreadMembers } from './application/thread-members';
import { ThreadNotifier } from './application/thread-notifier';
import { ThreadOpening } from './application/thread-opening';
import { ThreadPlaces } from './application/thread-places';
import { ThreadRemoval } from './application/thread-removal';
import { ThreadRetention } from './application/thread-retention';
import { ThreadsOfPeople } from './application/threads-of-people';
import { ThreadsService } from './application/threads.service';
import { MessagesController } from './http/messages.controller';
import { ThreadFilesController } from './http/thread-files.controller';
import { ThreadMembersController } from './http/thread-members.controller';
import { ThreadsController } from './http/threads.controller';
import { DueMessageRows } from './infrastructure/due-messages.rows';
import { RemovedThreadRows } from './infrastructure/removed-threads.rows';
import { ThreadPresenceRows } from './infrastructure/thread-presence.rows';
import { MessagesRepository } from './infrastructure/messages.repository';
import { ThreadListRows } from './infrastructure/thread-list.rows';
import { ThreadSearchRows } from './infrastructure/thread-search.rows';
import { ThreadsRepository } from './infrastructure/threads.repository';

const THREADS: Provider[] = [
  Attachments,
  BasesAsSubjects,
  CitationGates,
  DueMessageRows,
  ExportedMessages,
  FilesAsSubjects,
  MessageReader,
  MessageRetention,
  MessagesRepository,
  MessagesService,
  MessageTexts,
  MessageWriter,
  RemovedThreadRows,
  SubjectReaders,
  ThreadAccess,
  ThreadAnswers,
  ThreadChanges,
  ThreadEnds,
  ThreadFiles,
  ThreadHooks,
  ThreadListRows,
  ThreadMembers,
  ThreadNotifier,
  ThreadOpening,
  ThreadPlaces,
  ThreadPresenceRows,
  ThreadRemoval,
  ThreadRetention,
  ThreadSearchRows,
  ThreadsRepository,
  ThreadsOfPeople,
  ThreadsService,
];

/** Threads and their messages: who may read and write them, and how their branches grow. */
@Module({
  imports: [AgentsModule, EventsModule, FilesModule, GovernanceModule, IdentityModule, KnowledgeModule, RetrievalModule],
  providers: THREADS,
  exports: THREADS,
})
export class ThreadsModule {}

/** Their routes. */
@Module({
  imports: [ThreadsModule],
  controllers: [MessagesController, ThreadFilesController, ThreadMembersController, ThreadsController],
})
export class ThreadsHttpModule {}
