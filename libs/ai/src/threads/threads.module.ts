import { Module, type Provider } from '@nestjs/common';
import { CitationGates } from './application/citation-gates';
import { MessageReader } from './application/message-reader';
import { MessageWriter } from './application/message-writer';
import { ThreadAccess } from './application/thread-access';
import { MessagesRepository } from './infrastructure/messages.repository';
import { ThreadsRepository } from './infrastructure/threads.repository';

const THREADS: Provider[] = [CitationGates, MessageReader, MessagesRepository, MessageWriter, ThreadAccess, ThreadsRepository];

/** Threads and their messages: who may read and write them, and how their branches grow. */
@Module({ imports: [], providers: THREADS, exports: THREADS })
export class ThreadsModule {}
