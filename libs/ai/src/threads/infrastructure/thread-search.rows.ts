import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database, join, requireScope, sql, type Sql } from '@atrium/platform/database';
import { sharedWith } from './thread-shares';
import { isSaidTo } from './withheld-messages';

/** What is looked for in threads. */
export interface ThreadQuery {
  readonly q: string;
  readonly thread_agent?: string;
  readonly thread_space?: string;
  readonly msg_role?: string;
  readonly created?: readonly Date[];
}

export interface ThreadHit extends Record<string, unknown> {
  readonly thread_id: string;
  /** The message that matches best; null where it is the title. */
  readonly msg_id: string | null;
  readonly rank: number;
}

/** Threads by their words: of each the title or message that matches best. */
@Injectable()
export class ThreadSearchRows {
  constructor(private readonly db: Database) {}

  findBest(caller: Principal, query: ThreadQuery, most: number): Promise<ThreadHit[]> {
    const { tenant_id } = requireScope();
    const { q, thread_agent, thread_space, msg_role, created } = query;
    const asked = sql`websearch_to_tsquery('simple', dotless(${q}::text))`;
    const thread = [
      sql`r.tenant_id = ${tenant_id} AND r.thread_active AND r.thread_type NOT IN ('channel', 'voice') AND ${sharedWith(caller, 'view')}`,
      ...(thread_agent ? [sql`r.thread_agent = ${thread_agent}`] : []),
      ...(thread_space ? [sql`r.thread_space = ${thread_space}`] : []),
    ];
    const message = [
      sql`m.tenant_id = ${tenant_id} AND m.msg_active AND m.msg_id IN (SELECT search_messages_text(${q})) AND ${isSaidTo(caller, 'm')}`,
      ...(msg_role ? [sql`m.msg_role = ${msg_role}`] : []),
      ...within(sql`m.msg_created`, created),
    ];
    const titles = [sql`r.thread_id IN (SELECT search_threads_text(${q}))`, ...within(sql`r.thread_created`, created)];
    const hits = sql`SELECT r.thread_id, m.msg_id, ts_rank(m.msg_tsv, ${asked})::double precision AS rank FROM message m JOIN thread r ON r.tenant_id = m.tenant_id AND r.thread_id = m.msg_thread WHERE ${join([...message, ...thread], ' AND ')}`;
    const named = msg_role
      ? []
      : [
          sql`SELECT r.thread_id, NULL::uuid AS msg_id, ts_rank(r.thread_tsv, ${asked})::double precision AS rank FROM thread r WHERE ${join([...titles, ...thread], ' AND ')}`,
        ];
    return this.db.current().query<ThreadHit>(sql`
      SELECT * FROM (SELECT DISTINCT ON (h.thread_id) h.thread_id, h.msg_id, h.rank FROM (${join([hits, ...named], ' UNION ALL ')}) h ORDER BY h.thread_id, h.rank DESC, h.msg_id DESC NULLS LAST) b
      ORDER BY b.rank DESC, b.thread_id DESC LIMIT ${most}`);
  }

  async findTexts(msg_ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await this.db
      .current()
      .query<{ msg_id: string; msg_text: string }>(
        sql`SELECT msg_id, left(msg_text, 100000) AS msg_text FROM message WHERE tenant_id = ${requireScope().tenant_id} AND msg_id = ANY(${[...msg_ids]}::uuid[])`,
      );
    return new Map(rows.map(({ msg_id, msg_text }) => [msg_id, msg_text]));
  }
}

const within = (column: Sql, [from, to]: readonly Date[] = []): Sql[] =>
  from === undefined ? [] : [to === undefined ? sql`${column} >= ${from}` : sql`${column} BETWEEN ${from} AND ${to}`];
