import { Active, Choice, Flag, Id, Json, Ref, Resource, Stamp, TenantRow, Text } from '@atrium/platform/database';
import { invalidField, invalidState, StateMachine, type Clock, type JsonObject } from '@atrium/platform/kernel';
import { aclOf, grantsIn, type ThreadGrant } from './thread-acl';
import { SHARE_MODES, type ShareMode } from './thread-level';
import { refKeyOf, type ThreadRef } from './thread-ref';

export const THREAD_TYPES = ['chat', 'context', 'channel', 'voice', 'workflow'] as const;
export type ThreadType = (typeof THREAD_TYPES)[number];
export const THREAD_STATUSES = ['open', 'archived', 'closed'] as const;
export type ThreadStatus = (typeof THREAD_STATUSES)[number];

const STATUS = new StateMachine<ThreadStatus>('thread', {
  open: ['archived', 'closed'],
  archived: ['open', 'closed'],
  closed: ['open', 'archived'],
});

/**
 * A conversation. It belongs to one person, who shares it with others by its list of access or with a space; `thread_leaf` is the
 * end of the branch that is shown and continued, `thread_run` the run that is answering.
 */
@Resource({ table: 'thread', sort: '-thread_updated' })
export class Thread extends TenantRow {
  @Id({ about: 'Id of the thread, chosen by the client that created it.' }) readonly thread_id!: string;
  @Text({
    optional: true,
    max: 255,
    about: 'Title; null until it is set or the first answer is complete.',
    example: 'Toner of the new printer',
    filter: 'contains',
    sort: true,
  })
  thread_title!: string | null;
  @Choice(THREAD_TYPES, {
    about: 'Type of the thread; `context` for a thread about a subject (`thread_ref`). Clients can create `chat` and `context`.',
    example: 'chat',
    filter: 'equals',
  })
  readonly thread_type!: ThreadType;
  @Choice(THREAD_STATUSES, {
    about: 'State of the thread. A `closed` thread accepts no messages; an `archived` thread is reopened by the next message.',
    example: 'open',
    filter: 'equals',
  })
  thread_status!: ThreadStatus;
  @Text({ optional: true, max: 100_000, about: 'Summary of earlier turns that no longer fit the model.' }) thread_summary!: string | null;
  @Json({
    optional: true,
    about: 'Subject of the thread: `{type, id}`; the type is file, design, presentation, object, node, ds or infographic.',
    example: { type: 'file', id: '0197f5a2-6b1e-7c3d-8e4f-5a6b7c8d9e0f' },
  })
  thread_ref!: ThreadRef | null;
  @Ref({ optional: true, about: 'Id of the agent that answers; null for the default agent.', filter: 'equals' }) thread_agent!:
    string | null;
  @Ref({ optional: true, about: 'Id of the space of the thread.', filter: 'equals' }) thread_space!: string | null;
  @Ref({ optional: true, about: 'Id of the owner; null for channel threads.', filter: 'equals' }) thread_user!: string | null;
  @Choice(SHARE_MODES, {
    about:
      'Sharing in the space. `space`: members of the space can read the thread; `collab`: editors and owners of the space can also write.',
    example: 'private',
  })
  thread_share_mode!: ShareMode;
  @Ref({ optional: true, about: 'Who is currently being answered.' }) thread_generating_for!: string | null;
  @Ref({ optional: true, about: 'Id of the last message of the selected branch, which is shown and continued.' }) thread_leaf!:
    string | null;
  @Flag({
    about: 'Whether memories of the person who asks can be used. They are used only while no one else can read the thread.',
    example: true,
  })
  thread_memory!: boolean;
  @Json({ about: 'Your own data.', example: {} }) thread_metadata!: JsonObject;
  @Active('change', { about: 'Whether the thread is active; false if it was deleted with its messages. Its owner can restore it.' })
  thread_active!: boolean;
  @Stamp({ about: 'When the thread was created.', filter: 'range', sort: true }) readonly thread_created!: Date;
  @Stamp({ about: 'When the thread was last changed or written in.', filter: 'range', sort: true }) thread_updated!: Date;

  @Text({ internal: true, optional: true, max: 32_000 }) thread_context!: string | null;
  @Json({ internal: true }) thread_acl!: JsonObject;
  @Text({ internal: true, optional: true }) thread_ref_key!: string | null;
  @Ref({ internal: true, optional: true }) thread_prompt!: string | null;
  @Ref({ internal: true, optional: true }) thread_run!: string | null;
  @Stamp({ internal: true, optional: true }) thread_deleted!: Date | null;

  /** A new one that has nothing but what it must have. */
  static blank(
    facts: Pick<
      Thread,
      'thread_id' | 'thread_title' | 'thread_type' | 'thread_status' | 'thread_agent' | 'thread_user' | 'thread_metadata'
    >,
    now: Date,
  ): Thread {
    return Object.assign(new Thread(), {
      thread_summary: null,
      thread_context: null,
      thread_ref: null,
      thread_ref_key: null,
      thread_space: null,
      thread_acl: {},
      thread_share_mode: 'private' as const,
      thread_generating_for: null,
      thread_leaf: null,
      thread_memory: true,
      thread_prompt: null,
      thread_run: null,
      thread_active: true,
      thread_deleted: null,
      thread_created: now,
      thread_updated: now,
      ...facts,
    });
  }

  get grants(): ThreadGrant[] {
    return grantsIn(this.thread_acl);
  }

  /** Whether a run is answering in it. */
  get isBusy(): boolean {
    return this.thread_run !== null;
  }

  /**
   * Whether nobody but the person can read it: it is theirs, private, and its list names nobody else. A role or a space in the list
   * counts as somebody else, no matter who is in it today.
   */
  isReadByNobodyBut(user_id: string): boolean {
    return this.thread_user === user_id && this.thread_share_mode === 'private' && this.grants.length === 0;
  }

  /** Whether an answer to the person may use their memories. What one person remembers is never said where others read. */
  usesMemoriesOf(user_id: string): boolean {
    return this.thread_memory && this.isReadByNobodyBut(user_id);
  }

  /**
   * The space whose instructions, agent and bases an answer to somebody follows: one that the thread is shared in, or that they are
   * in. A private thread of a former member says nothing of the space any more.
   */
  spaceFor({ space_ids }: { readonly space_ids: readonly string[] }): string | null {
    const { thread_space: space, thread_share_mode: mode } = this;
    return space !== null && (mode !== 'private' || space_ids.includes(space)) ? space : null;
  }

  /** Names its subject; once, when it is created. */
  openOn(ref: ThreadRef): void {
    this.thread_ref = { type: ref.type, id: ref.id };
    this.thread_ref_key = refKeyOf(ref);
  }

  moveTo(status: ThreadStatus): void {
    if (status !== this.thread_status) this.thread_status = STATUS.move(this.thread_status, status);
  }

  /** Puts it into a space, or out of one, and says who there takes part. Memories stay out of what others read unless somebody says otherwise. */
  share(mode: ShareMode, space: string | null): void {
    if (mode !== 'private' && space === null) throw invalidField('thread_share_mode', 'requires a space: set thread_space', 'required');
    if (mode !== this.thread_share_mode) this.thread_memory = mode === 'private';
    this.thread_share_mode = mode;
    this.thread_space = space;
  }

  /** Its space was deleted: it is its owner's alone. Others have read it, so memories stay out of it as before. */
  withdraw(): void {
    this.thread_share_mode = 'private';
    this.thread_space = null;
  }

  grant(grants: readonly ThreadGrant[]): void {
    this.thread_acl = aclOf(grants);
  }

  /** The former owner goes on writing in it. */
  handOver(to: string): void {
    const others = this.grants.filter(({ kind, to: id }) => kind !== 'user' || (id !== to && id !== this.thread_user));
    this.grant(this.thread_user === null ? others : [...others, { kind: 'user', to: this.thread_user, level: 'edit' }]);
    this.thread_user = to;
  }

  /** Takes a message: it becomes the end of the branch that is shown. */
  receive(msg_id: string, clock: Clock): void {
    this.assertOpen();
    if (this.thread_status === 'archived') this.thread_status = 'open';
    this.thread_leaf = msg_id;
    this.touch(clock);
  }

  /** Refuses messages in a thread that is closed. */
  assertOpen(): void {
    if (!this.thread_active) throw invalidState('The thread is deleted. Restore it before writing in it.');
    if (this.thread_status === 'closed') throw invalidState('The thread is closed. Reopen it before writing in it.');
  }

  deactivate(clock: Clock): void {
    this.thread_active = false;
    this.thread_deleted = clock.now();
    this.touch(clock);
  }

  activate(clock: Clock): void {
    this.thread_active = true;
    this.thread_deleted = null;
    this.touch(clock);
  }

  touch(clock: Clock): void {
    this.thread_updated = clock.now();
  }
}
