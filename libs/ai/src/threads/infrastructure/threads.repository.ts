import { Injectable } from '@nestjs/common';
import type { ContentBatch, ContentMove } from '@atrium/identity';
import { aclAllows, type Permission, type Principal } from '@atrium/platform/access';
import {
  columnsOf,
  Database,
  requireScope,
  ResourceRepository,
  sql,
  violatesConstraint,
  type Sql,
  type MethodsOf,
} from '@atrium/platform/database';
import { alreadyExists } from '@atrium/platform/kernel';
import { Thread } from '../domain/thread';
import { isActiveSpace, memberOf, sharedWith } from './thread-shares';
import type { ThreadGrant } from '../domain/thread-acl';
import type { LevelGrounds } from '../domain/thread-level';

type Internal =
  'tenant_id' | 'row_version' | 'thread_context' | 'thread_acl' | 'thread_ref_key' | 'thread_prompt' | 'thread_run' | 'thread_deleted';
type Behaviour = MethodsOf<Thread> | 'grants' | 'isBusy';

/** A thread as lists read it, with the agent that answers in it and the prompt that was run last. */
export type ThreadRow = Omit<Thread, Internal | Behaviour> & {
  readonly agent_id: string | null;
  readonly agent_name: string | null;
  readonly agent_icon: string | null;
  readonly agent_active: boolean | null;
  readonly prompt_id: string | null;
  readonly prompt_name: string | null;
};

export interface AnsweringRun {
  readonly run_message: string | null;
  readonly attempt: number;
  readonly since: string;
}

/** The agent and the prompt of a thread, as far as the caller may see them: a reader of the thread need not know what others called them. */
export const joinedFor = (caller: Principal): Sql => sql`
  LEFT JOIN agent a ON a.tenant_id = r.tenant_id AND a.agent_id = r.thread_agent AND ${mayAny(caller, 'agent:view', 'agent:run')} AND ${aclAllows('a.agent_acl', caller, 'view')}
  LEFT JOIN prompt p ON p.tenant_id = r.tenant_id AND p.prompt_id = r.thread_prompt AND ${mayAny(caller, 'prompt:view', 'prompt:run')} AND ${aclAllows('p.prompt_acl', caller, 'view')}`;
export const BESIDE = sql`a.agent_id, a.agent_name, a.agent_icon, a.agent_active, p.prompt_id, p.prompt_name`;

/** From whom to whom threads go, and whether the giver is still a member. */
export interface ThreadMove extends ContentMove {
  readonly stays: boolean;
}

/** The threads of a workspace. */
@Injectable()
export class ThreadsRepository extends ResourceRepository<Thread> {
  constructor(db: Database) {
    super(db, Thread, 'thread');
  }

  /** Saves it; 409 where its owner has another active thread with its agent about its subject. */
  override async save(thread: Thread): Promise<boolean> {
    try {
      return await super.save(thread);
    } catch (error) {
      if (violatesConstraint(error, 'thread_of_subject'))
        throw alreadyExists('thread_agent', 'The owner already has an active thread with this agent about this subject.');
      throw error;
    }
  }

  /** Whether a run that is not over was given memories of its asker, or may be: it uses them, the thread does, and there are some. */
  async hasAnswerFromMemories(run_id: string): Promise<boolean> {
    const row = await this.db.current().first<{ rests: boolean }>(sql`
      SELECT r.run_status IN ('queued', 'running', 'waiting') AND (
          EXISTS (SELECT FROM message a WHERE a.tenant_id = r.tenant_id AND a.msg_id = r.run_message AND a.msg_recalls)
          OR coalesce((r.run_options ->> 'memory')::boolean, false)
            AND EXISTS (SELECT FROM thread t WHERE t.tenant_id = r.tenant_id AND t.thread_id = r.run_thread AND t.thread_memory)
            AND EXISTS (SELECT FROM memory m WHERE m.tenant_id = r.tenant_id AND m.mem_user = r.run_user AND m.mem_active)) AS rests
      FROM run r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.run_id = ${run_id}`);
    return row?.rests ?? false;
  }

  /** Threads with what lists show beside them, in no order. */
  findThreadRows(caller: Principal, thread_ids: readonly string[]): Promise<ThreadRow[]> {
    return this.db
      .current()
      .query<ThreadRow & Record<string, unknown>>(
        sql`SELECT ${columnsOf(Thread)}, ${BESIDE} FROM thread r ${joinedFor(caller)} WHERE r.tenant_id = ${requireScope().tenant_id} AND r.thread_id = ANY(${[...thread_ids]}::uuid[])`,
      );
  }

  /** Those of the threads that are active and that the caller may read. */
  async filterReadable(caller: Principal, thread_ids: readonly string[]): Promise<string[]> {
    const rows = await this.db
      .current()
      .query<{ thread_id: string }>(
        sql`SELECT r.thread_id FROM thread r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.thread_id = ANY(${[...thread_ids]}::uuid[]) AND r.thread_active AND ${sharedWith(caller, 'view')}`,
      );
    return rows.map(({ thread_id }) => thread_id);
  }

  /** What events say of the run that answers in a thread, or answered there. */
  findAnsweringRun(run_id: string): Promise<AnsweringRun | undefined> {
    return this.db
      .current()
      .first<AnsweringRun & Record<string, unknown>>(
        sql`SELECT run_message, run_attempt AS attempt, coalesce(run_started, run_created) AS since FROM run WHERE tenant_id = ${requireScope().tenant_id} AND run_id = ${run_id}`,
      );
  }

  /** Requests for one thread about a subject wait for each other. */
  async lockSubject(user_id: string, agent_id: string | null, ref_key: string): Promise<void> {
    const name = `thread of subject ${requireScope().tenant_id} ${user_id} ${agent_id ?? ''} ${ref_key}`;
    await this.db.current().query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`);
  }

  /** The caller's context thread with an agent about a subject. */
  async findThreadOfSubject(user_id: string, agent_id: string | null, ref_key: string): Promise<string | null> {
    const row = await this.db.current().first<{ thread_id: string }>(sql`
      SELECT thread_id FROM thread WHERE tenant_id = ${requireScope().tenant_id} AND thread_user = ${user_id} AND thread_agent IS NOT DISTINCT FROM ${agent_id}::uuid
        AND thread_ref_key = ${ref_key} AND thread_active AND thread_type = 'context'`);
    return row?.thread_id ?? null;
  }

  /** What the caller is in a space, directly or by a role. */
  async findSpaceRole(caller: Principal, space_id: string): Promise<LevelGrounds['space_role']> {
    const row = await this.db.current().first<{ role: LevelGrounds['space_role'] }>(sql`
      SELECT m.sm_role AS role FROM space_member m JOIN space s ON s.tenant_id = m.tenant_id AND s.space_id = m.sm_space AND s.space_active
      WHERE m.tenant_id = ${requireScope().tenant_id} AND m.sm_space = ${space_id} AND ${memberOf(caller)}
      ORDER BY array_position(ARRAY['owner', 'editor', 'viewer'], m.sm_role) LIMIT 1`);
    return row?.role ?? null;
  }

  /** Names of roles and spaces among the ids; of deleted spaces, of those that were deleted since a moment. */
  async findGroupNames(ids: readonly string[], since: Date): Promise<ReadonlyMap<string, string>> {
    const { tenant_id } = requireScope();
    const rows = await this.db.current().query<{ id: string; name: string }>(sql`
      SELECT role_id AS id, role_name AS name FROM role WHERE tenant_id = ${tenant_id} AND role_id = ANY(${[...ids]}::uuid[])
      UNION ALL SELECT space_id, space_name FROM space WHERE tenant_id = ${tenant_id} AND space_id = ANY(${[...ids]}::uuid[])
        AND (space_active OR space_updated >= ${since})`);
    return new Map(rows.map(({ id, name }) => [id, name]));
  }

  /** The space that a thread is shared in; null for a private thread, and where the space was deleted. */
  async findSharingSpace({ thread_share_mode, thread_space }: Pick<Thread, 'thread_share_mode' | 'thread_space'>): Promise<string | null> {
    if (thread_share_mode === 'private' || thread_space === null) return null;
    const row = await this.db
      .current()
      .first(sql`SELECT FROM space WHERE tenant_id = ${requireScope().tenant_id} AND space_id = ${thread_space} AND space_active`);
    return row ? thread_space : null;
  }

  /** Replaces the entries of the access list, by which lists find the thread. */
  async saveGrants(thread_id: string, grants: readonly ThreadGrant[]): Promise<void> {
    const { tenant_id } = requireScope();
    await this.db.current().execute(sql`DELETE FROM thread_grant WHERE tenant_id = ${tenant_id} AND thread_id = ${thread_id}`);
    if (grants.length === 0) return;
    await this.db.current().execute(sql`
      INSERT INTO thread_grant (tenant_id, grant_kind, grant_to, thread_id, grant_level)
      SELECT ${tenant_id}, n.kind, n.to_id, ${thread_id}, n.level FROM jsonb_to_recordset(${JSON.stringify(
        grants.map(({ kind, to, level }) => ({ kind, to_id: to, level })),
      )}::jsonb) AS n (kind text, to_id uuid, level text)`);
  }

  /**
   * The stretch of threads of one owner that goes to another, along the primary key: those that others take part in. A thread that
   * is one person's alone, also because its space was deleted, is no content of the workspace and stays theirs. A former owner who is
   * still a member goes on writing. By its subject the other one finds the thread that was theirs already.
   */
  async handOver(
    { from, to, stays }: ThreadMove,
    { after, size }: ContentBatch,
  ): Promise<{ readonly moved: number; readonly seen: number; readonly last: string | null }> {
    const { tenant_id } = requireScope();
    const row = await this.db.current().first<{ moved: number; seen: number; last: string | null }>(sql`
      WITH stretch AS MATERIALIZED (SELECT thread_id FROM thread WHERE tenant_id = ${tenant_id} AND ${after === null ? sql`true` : sql`thread_id > ${after}`} ORDER BY thread_id LIMIT ${size}),
      shared AS MATERIALIZED (SELECT t.thread_id FROM thread t JOIN stretch s ON s.thread_id = t.thread_id WHERE t.tenant_id = ${tenant_id} AND t.thread_user = ${from}
                  AND (t.thread_share_mode <> 'private' AND ${isActiveSpace(sql`t.thread_space`)} OR EXISTS (SELECT FROM thread_grant g WHERE g.tenant_id = ${tenant_id} AND g.thread_id = t.thread_id
                    AND (g.grant_kind <> 'space' OR ${isActiveSpace(sql`g.grant_to`)})))),
      dropped AS (DELETE FROM thread_grant g USING shared s WHERE g.tenant_id = ${tenant_id} AND g.thread_id = s.thread_id AND g.grant_kind = 'user' AND g.grant_to = ${to}),
      written AS (INSERT INTO thread_grant (tenant_id, grant_kind, grant_to, thread_id, grant_level)
                  SELECT ${tenant_id}, 'user', ${from}, s.thread_id, 'edit' FROM shared s WHERE ${stays} ON CONFLICT DO NOTHING),
      moved AS (UPDATE thread t SET thread_user = ${to}, row_version = t.row_version + 1,
                  thread_acl = ${handedList({ from, to, stays })},
                  thread_ref_key = CASE WHEN EXISTS (SELECT FROM thread o WHERE o.tenant_id = ${tenant_id} AND o.thread_user = ${to} AND o.thread_agent IS NOT DISTINCT FROM t.thread_agent
                    AND o.thread_ref_key = t.thread_ref_key AND o.thread_active AND o.thread_type = 'context') THEN NULL ELSE t.thread_ref_key END FROM shared s
                WHERE t.tenant_id = ${tenant_id} AND t.thread_id = s.thread_id RETURNING 1)
      SELECT (SELECT count(*) FROM moved) AS moved, (SELECT count(*) FROM stretch) AS seen, (SELECT thread_id FROM stretch ORDER BY thread_id DESC LIMIT 1) AS last`);
    return { moved: row?.moved ?? 0, seen: row?.seen ?? 0, last: row?.last ?? null };
  }

  /** Rows that a condition on `r` lets through, each with the hold on it. */
  async findDeleted(where: Sql, hold: Sql, most: number): Promise<{ readonly thread_id: string; readonly hold: string | null }[]> {
    return this.db
      .current()
      .query<{ thread_id: string; hold: string | null }>(
        sql`SELECT r.thread_id, ${hold} AS hold FROM thread r WHERE r.tenant_id = ${requireScope().tenant_id} AND NOT r.thread_active AND ${where} ORDER BY r.thread_deleted, r.thread_id LIMIT ${most}`,
      );
  }
}

const mayAny = ({ permissions }: Principal, ...wanted: readonly Permission[]): Sql =>
  wanted.some((permission) => permissions.has(permission)) ? sql`true` : sql`false`;

/** The list of `t` without its new owner, and with its former one where they stay. */
const handedList = ({ from, to, stays }: ThreadMove): Sql => sql`
  CASE WHEN jsonb_typeof(t.thread_acl -> 'users') = 'object' OR ${stays}
    THEN jsonb_set(t.thread_acl, '{users}', (coalesce(t.thread_acl -> 'users', '{}') - ${to}::text) || CASE WHEN ${stays} THEN jsonb_build_object(${from}::text, 'edit') ELSE '{}' END)
    ELSE t.thread_acl END`;
