import { Injectable } from '@nestjs/common';
import { RetentionPolicies } from '@atrium/governance';
import type { Principal } from '@atrium/platform/access';
import { Database, violatesConstraint, type Page, pageOfRows, type ListParameters } from '@atrium/platform/database';
import { alreadyExists, Clock, Ids, invalidField, type JsonObject } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import { Thread, type ThreadStatus, type ThreadType } from '../domain/thread';
import { checkedGrants } from '../domain/thread-acl';
import type { ShareMode } from '../domain/thread-level';
import { checkedRef, refKeyOf, type ThreadRef } from '../domain/thread-ref';
import { ThreadListRows, type ThreadFilters } from '../infrastructure/thread-list.rows';
import { ThreadsRepository, type ThreadRow } from '../infrastructure/threads.repository';
import { SubjectReaders } from './subject-readers';
import { ThreadAccess } from './thread-access';
import { ThreadAnswers, type ThreadAnswer } from './thread-answers';
import { ThreadPlaces } from './thread-places';
import { snippetOf, type Snippet } from '../domain/snippet';
import { ThreadSearchRows, type ThreadQuery } from '../infrastructure/thread-search.rows';

export interface FoundThread {
  readonly thread: ThreadRow;
  readonly msg_id: string | null;
  readonly snippet: Snippet;
  readonly rank: number;
}

export type ThreadSearchQuery = ThreadQuery & Pick<ListParameters, 'cursor' | 'limit'>;

/** As many threads as anybody looks through. */
const MOST = 200;
class Hit {}

/** What a client says of a new thread. */
export interface NewThread {
  readonly thread_id: string;
  readonly thread_title?: string | null;
  readonly thread_type?: ThreadType;
  readonly thread_ref?: object | null;
  readonly thread_agent?: string | null;
  readonly thread_user?: string;
  readonly thread_acl?: JsonObject;
  readonly thread_space?: string | null;
  readonly thread_share_mode?: ShareMode;
  readonly thread_active?: boolean;
}

export interface SoughtThread {
  readonly thread_ref: object;
  readonly thread_agent?: string | null;
  readonly thread_space?: string | null;
  readonly thread_title?: string | null;
}

/** A thread that was looked for, and whether it was made for it. */
export interface FoundOrCreatedThread {
  readonly thread: ThreadAnswer;
  readonly isNew: boolean;
}

export type { ThreadFilters };
export type ListedThread = ThreadRow;

const CHOSEN_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** How threads are found and begin. */
@Injectable()
export class ThreadsService {
  constructor(
    private readonly db: Database,
    private readonly threads: ThreadsRepository,
    private readonly rows: ThreadListRows,
    private readonly access: ThreadAccess,
    private readonly answers: ThreadAnswers,
    private readonly places: ThreadPlaces,
    private readonly subjects: SubjectReaders,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    private readonly ids: Ids,
    private readonly found: ThreadSearchRows,
    private readonly policies: RetentionPolicies,
  ) {}

  list(caller: Principal, query: ThreadFilters): Promise<Page<ThreadRow>> {
    return this.db.read(async () =>
      this.rows.listThreads(caller, query, query.thread_active === false ? await this.policies.readHorizon('threads_inactive') : null),
    );
  }

  get(caller: Principal, thread_id: string): Promise<ThreadAnswer> {
    return this.db.read(async () =>
      this.answers.toAnswer(caller, await this.access.requireThread(caller, thread_id, 'view', { deleted: true })),
    );
  }

  async create(caller: Principal, wanted: NewThread): Promise<ThreadAnswer> {
    if (!CHOSEN_ID.test(wanted.thread_id.toLowerCase())) throw invalidField('thread_id', 'must be a UUID of version 4 or 7', 'uuid');
    return this.db.write(() => this.insert(caller, wanted));
  }

  /** Of those who ask at the same time one makes the thread, and the others find it. */
  async findOrCreate(caller: Principal, sought: SoughtThread): Promise<FoundOrCreatedThread> {
    const ref = checkedRef(sought.thread_ref);
    const thread_agent = sought.thread_agent?.toLowerCase() ?? null;
    return this.db.write(async () => {
      await this.subjects.assertReadable(caller, ref);
      await this.threads.lockSubject(caller.user_id, thread_agent, refKeyOf(ref));
      const known = await this.threads.findThreadOfSubject(caller.user_id, thread_agent, refKeyOf(ref));
      if (known !== null)
        return { thread: await this.answers.toAnswer(caller, await this.access.requireThread(caller, known, 'view')), isNew: false };
      const wanted = { ...sought, thread_agent, thread_id: this.ids.next(), thread_type: 'context' as const };
      return { thread: await this.insert(caller, wanted), isNew: true };
    });
  }

  private async insert(caller: Principal, wanted: NewThread): Promise<ThreadAnswer> {
    const ref = wanted.thread_ref ? checkedRef(wanted.thread_ref) : null;
    const { owner, external } = await this.places.resolveOwner(caller, wanted.thread_user);
    const thread = this.blank(wanted, { owner, external, type: await this.typeOf(caller, wanted, ref) });
    if (ref) {
      await this.subjects.assertReadable(caller, ref);
      thread.openOn(ref);
    }
    const space = wanted.thread_space?.toLowerCase() ?? null;
    if (space !== null) await this.places.assertSpace(caller, space);
    thread.share(wanted.thread_share_mode ?? 'private', space);
    const grants = checkedGrants(wanted.thread_acl ?? {}).filter(({ kind, to }) => kind !== 'user' || to !== owner);
    await this.places.assertKnown(caller, grants);
    thread.grant(grants);
    if (wanted.thread_active === false) thread.deactivate(this.clock);
    await this.put(thread);
    await this.threads.saveGrants(thread.thread_id, grants);
    this.outbox.emitEvent({ name: 'thread.created', subject_id: thread.thread_id, payload: { thread_type: thread.thread_type } });
    // Made for somebody else, it is shown to its maker this once.
    return this.answers.toAnswer(owner === caller.user_id ? caller : { ...caller, user_id: owner }, thread);
  }

  private async put(thread: Thread): Promise<void> {
    try {
      await this.threads.insert(thread);
    } catch (error) {
      if (violatesConstraint(error, 'thread_pkey'))
        throw alreadyExists('thread_id', 'A thread with this id already exists. Choose another id.');
      if (violatesConstraint(error, 'thread_of_subject'))
        throw alreadyExists(
          'thread_ref',
          'You already have a thread with this agent about this subject. Find it with POST /threads/find-or-create.',
        );
      throw error;
    }
  }

  private async typeOf(caller: Principal, { thread_agent, thread_type }: NewThread, ref: ThreadRef | null): Promise<ThreadType> {
    const agent = thread_agent ? await this.places.requireAgent(caller, thread_agent, ref) : null;
    if (agent?.agent_type === 'context' && thread_type === 'chat')
      throw invalidField('thread_type', 'must be context, because the agent answers only in threads with a subject', 'choice');
    const type = thread_type ?? (agent ? agent.agent_type : ref ? 'context' : 'chat');
    if (type !== 'chat' && type !== 'context') throw invalidField('thread_type', 'must be one of chat, context', 'choice');
    if (type === 'context' && ref === null) throw invalidField('thread_ref', 'is required for a context thread', 'required');
    return type;
  }

  private blank(
    wanted: NewThread,
    { owner, external, type }: { readonly owner: string; readonly external: string | null; readonly type: ThreadType },
  ): Thread {
    const now = this.clock.now();
    const status: ThreadStatus = 'open';
    return Thread.blank(
      {
        thread_id: wanted.thread_id.toLowerCase(),
        thread_title: wanted.thread_title ?? null,
        thread_type: type,
        thread_status: status,
        thread_agent: wanted.thread_agent?.toLowerCase() ?? null,
        thread_user: owner,
        thread_metadata: external === null ? {} : { external_user: external },
      },
      now,
    );
  }

  /** Threads found by what they are called and by what was said in them; only those that the caller may read. */
  search(caller: Principal, { cursor, limit = 20, ...query }: ThreadSearchQuery): Promise<Page<FoundThread>> {
    return this.db.read(async () => {
      const hits = await this.found.findBest(caller, query, MOST);
      const page = pageOfRows(Hit, hits, { cursor, limit }, ({ thread_id }) => thread_id);
      const texts = await this.found.findTexts(page.data.flatMap(({ msg_id }) => msg_id ?? []));
      const rows = new Map(
        (
          await this.threads.findThreadRows(
            caller,
            page.data.map(({ thread_id }) => thread_id),
          )
        ).map((row) => [row.thread_id, row]),
      );
      const data = page.data.flatMap(({ thread_id, msg_id, rank }): FoundThread[] => {
        const thread = rows.get(thread_id);
        const text = (msg_id === null ? thread?.thread_title : texts.get(msg_id)) ?? '';
        return thread ? [{ thread, msg_id, rank, snippet: snippetOf(text, query.q) }] : [];
      });
      return { ...page, data };
    });
  }
}
