import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { notFound, type JsonObject } from '@atrium/platform/kernel';
import type { Thread } from '../domain/thread';
import type { ThreadLevel } from '../domain/thread-level';
import { ThreadsRepository, type ThreadRow } from '../infrastructure/threads.repository';
import { SubjectReaders } from './subject-readers';
import { ThreadAccess } from './thread-access';

/** One thread as the caller sees it. */
export type ThreadAnswer = ThreadRow & {
  readonly thread_acl: JsonObject;
  readonly thread_context: string | null;
  readonly thread_ref_name: string | null;
  readonly thread_access: ThreadLevel;
  readonly thread_queue_length: number;
  readonly thread_member_count: number;
  readonly row_version: number;
};

/** A thread with what surrounds it; within a unit of work. */
@Injectable()
export class ThreadAnswers {
  constructor(
    private readonly threads: ThreadsRepository,
    private readonly access: ThreadAccess,
    private readonly subjects: SubjectReaders,
  ) {}

  async toAnswer(caller: Principal, thread: Thread): Promise<ThreadAnswer> {
    const [row] = await this.threads.findThreadRows(caller, [thread.thread_id]);
    const level = await this.access.findLevel(caller, thread);
    if (!row || level === null) throw notFound('thread');
    const thread_ref_name = thread.thread_ref && (await this.subjects.findSubjectName(caller, thread.thread_ref));
    return {
      ...row,
      thread_acl: thread.thread_acl,
      // What a subject says is for those who may read the subject.
      thread_context: thread_ref_name === null ? null : thread.thread_context,
      thread_ref_name,
      thread_access: level,
      thread_queue_length: 0,
      thread_member_count: thread.grants.length + (thread.thread_user === null ? 0 : 1),
      row_version: thread.row_version,
    };
  }
}
