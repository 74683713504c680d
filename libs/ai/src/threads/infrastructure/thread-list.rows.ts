import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import {
  Database,
  decodeCursor,
  DEFAULT_LIMIT,
  filtersOf,
  join,
  listPage,
  MAX_LIMIT,
  raw,
  requireScope,
  sql,
  type ListParameters,
  type Page,
  type Sql,
} from '@atrium/platform/database';
import { Thread, type ThreadType } from '../domain/thread';
import { BESIDE, joinedFor, type ThreadRow } from './threads.repository';
import { grantedTo } from './thread-shares';
import { isSaidTo } from './withheld-messages';

export interface ThreadFilters extends ListParameters {
  readonly thread_active?: boolean;
  readonly thread_type?: ThreadType;
  readonly thread_ids?: readonly string[];
  readonly full_text_search?: string;
}

const ORDERS: Readonly<Record<string, string>> = {
  thread_updated: 'thread_updated',
  thread_created: 'thread_created',
  thread_title: 'thread_title_key',
};
const USUAL = '-thread_updated';

/**
 * The list of threads of a caller. Their own, those of each of their spaces and those shared with them are each read in the order of
 * an index, as many rows as the page has; of these the page is made. So its cost does not grow with the workspace.
 */
@Injectable()
export class ThreadListRows {
  constructor(private readonly db: Database) {}

  /** Of deleted threads those that were deleted since a moment. */
  listThreads(caller: Principal, query: ThreadFilters, since: Date | null): Promise<Page<ThreadRow>> {
    const { thread_active = true, thread_ids, full_text_search, ...rest } = query;
    const conditions = [
      thread_active ? sql`r.thread_active` : sql`NOT r.thread_active`,
      ...(since ? [sql`(r.thread_active OR r.thread_deleted >= ${since})`] : []),
      // Threads on subjects are found on their subjects; those of channels belong to channels.
      rest.thread_type === undefined ? sql`r.thread_type <> 'context'` : sql`true`,
      sql`r.thread_type NOT IN ('channel', 'voice')`,
      ...(thread_ids ? [sql`r.thread_id = ANY(${[...thread_ids]}::uuid[])`] : []),
    ];
    const filters = filtersOf(Thread, rest);
    const branches = { conditions: [...conditions, ...filters], deleted: !thread_active };
    const found =
      full_text_search === undefined
        ? this.firstOf(caller, rest, { ...branches, among: sql`thread r` })
        : sql`WITH said AS MATERIALIZED (${saying(caller, full_text_search)}) ${this.firstOf(caller, rest, { ...branches, among: sql`said r` })}`;
    return listPage<ThreadRow>(this.db.current(), Thread, rest, {
      where: sql`r.thread_id IN (${found})`,
      join: joinedFor(caller),
      select: BESIDE,
    });
  }

  /** As many ids as the page has rows, of the branches together. */
  private firstOf(
    caller: Principal,
    query: ListParameters,
    { conditions, deleted, among }: { readonly conditions: readonly Sql[]; readonly deleted: boolean; readonly among: Sql },
  ): Sql {
    const { limit = DEFAULT_LIMIT, offset = 0, sort, cursor } = query;
    const name = sort && Object.hasOwn(ORDERS, sort.replace(/^-/, '')) ? sort : USUAL;
    const key = raw(`r."${ORDERS[name.replace(/^-/, '')]}"`);
    const direction = raw(name.startsWith('-') ? 'DESC' : 'ASC');
    const position = decodeCursor(cursor, name);
    const after = position ? [sql`(${key}, r.thread_id) ${raw(name.startsWith('-') ? '<' : '>')} (${position.key}, ${position.id})`] : [];
    const most = Math.min(limit, MAX_LIMIT) + 1 + (position ? 0 : offset);
    const branch = (where: Sql): Sql =>
      sql`SELECT r.thread_id, ${key} AS "~key" FROM ${among} WHERE ${join([sql`r.tenant_id = ${requireScope().tenant_id}`, where, ...conditions, ...after], ' AND ')} ORDER BY ${key} ${direction}, r.thread_id ${direction} LIMIT ${most}`;
    const own = branch(sql`r.thread_user = ${caller.user_id}::uuid`);
    // A deleted thread is its owner's alone.
    const branches = deleted
      ? [own]
      : [
          own,
          sql`SELECT s.* FROM unnest(${[...caller.space_ids]}::uuid[]) x (space_id) CROSS JOIN LATERAL (${branch(sql`r.thread_space = x.space_id AND r.thread_share_mode <> 'private'`)}) s`,
          branch(
            sql`r.thread_id IN (SELECT g.thread_id FROM thread_grant g WHERE g.tenant_id = ${requireScope().tenant_id} AND ${grantedTo(caller)})`,
          ),
        ];
    const all = join(
      branches.map((one) => sql`(${one})`),
      ' UNION ',
    );
    return sql`SELECT f.thread_id FROM (${all}) f ORDER BY f."~key" ${direction}, f.thread_id ${direction} LIMIT ${most}`;
  }
}

/** Threads whose title or one of whose messages has these words, each found by its key: how many there are, the planner does not know. */
function saying(caller: Principal, words: string): Sql {
  const { tenant_id } = requireScope();
  return sql`
  SELECT t.* FROM (
    SELECT n AS thread_id FROM search_threads_text(${words}) n
    UNION SELECT m.msg_thread FROM search_messages_text(${words}) n CROSS JOIN LATERAL (SELECT m.msg_thread FROM message m WHERE m.tenant_id = ${tenant_id} AND m.msg_id = n AND ${isSaidTo(caller, 'm')} OFFSET 0) m) f
  CROSS JOIN LATERAL (SELECT t.* FROM thread t WHERE t.tenant_id = ${tenant_id} AND t.thread_id = f.thread_id OFFSET 0) t`;
}
