import { Injectable } from '@nestjs/common';
import {
  columnsOf,
  Database,
  decodeCursor,
  DEFAULT_LIMIT,
  empty,
  filtersOf,
  listPage,
  requireScope,
  ResourceRepository,
  sql,
  type ListParameters,
  type Page,
  type Sql,
  type MethodsOf,
} from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';
import { restsOnMemories, type WithheldFacts } from '../domain/memory-answer';
import { Message, type MessageCitation } from '../domain/message';
import type { MessagePart } from '../domain/message-parts';
import type { Thread } from '../domain/thread';

type Internal = 'tenant_id' | 'row_version' | 'msg_deleted' | 'msg_prompt_terms';
type Behaviour = MethodsOf<Message> | 'isOpen';

/** A message as it is read: with its attachments and the versions beside it. */
export type MessageRow = Omit<Message, Internal | Behaviour | 'msg_parts' | 'msg_citations'> & {
  readonly msg_parts: readonly MessagePart[];
  readonly msg_citations: readonly MessageCitation[];
  readonly msg_files: readonly string[];
  readonly row_version: number;
};

/** Versions that a message names besides itself: with all of them, a page of versions would grow with their square. */
const NAMED_SIBLINGS = 100;

/** Versions of a message: those that share its parent, oldest first; of very many those around it. */
export interface Siblings {
  readonly index: number;
  readonly ids: readonly string[];
}

const FILES = sql`ARRAY(SELECT f.file_id FROM message_file f WHERE f.tenant_id = r.tenant_id AND f.msg_id = r.msg_id ORDER BY f.mf_position) AS msg_files`;
const BESIDE = sql`r.msg_parts, r.msg_citations, r.msg_recalls, r.row_version, ${FILES}`;

/** The messages of a workspace. */
@Injectable()
export class MessagesRepository extends ResourceRepository<Message> {
  constructor(db: Database) {
    super(db, Message, 'message');
  }

  /** One page of the messages of a thread; the condition on `r` says which. */
  listMessages(thread_id: string, query: ListParameters, where: Sql): Promise<Page<MessageRow>> {
    return listPage<MessageRow>(this.db.current(), Message, query, {
      where: sql`r.msg_thread = ${thread_id} AND r.msg_active AND ${where}`,
      select: BESIDE,
    });
  }

  /** One active message of a thread. */
  findMessageRow(thread_id: string, msg_id: string): Promise<MessageRow | undefined> {
    return this.db
      .current()
      .first<MessageRow & Record<string, unknown>>(
        sql`SELECT ${columnsOf(Message)}, ${BESIDE} FROM message r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.msg_thread = ${thread_id} AND r.msg_id = ${msg_id} AND r.msg_active`,
      );
  }

  /** Active messages of a thread by their ids, in that order; without those that are gone. */
  findMessageRows(thread_id: string, msg_ids: readonly string[]): Promise<MessageRow[]> {
    return this.db
      .current()
      .query<MessageRow & Record<string, unknown>>(
        sql`SELECT ${columnsOf(Message)}, ${BESIDE} FROM message r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.msg_thread = ${thread_id} AND r.msg_id = ANY(${[...msg_ids]}::uuid[]) AND r.msg_active ORDER BY array_position(${[...msg_ids]}::uuid[], r.msg_id)`,
      );
  }

  /** Whether an answer rests on memories of the person who asked. */
  async isBasedOnMemories(msg_id: string): Promise<boolean> {
    const row = await this.db
      .current()
      .first<Omit<WithheldFacts, 'msg_user'> & Record<string, unknown>>(
        sql`SELECT m.msg_parts, m.msg_citations, m.msg_recalls FROM message m WHERE m.tenant_id = ${requireScope().tenant_id} AND m.msg_id = ${msg_id}`,
      );
    return row !== undefined && restsOnMemories(row);
  }

  /** What the prompt of a message brings to its answers; null where it was made of none. */
  async findPromptTerms(msg_id: string): Promise<JsonObject | null> {
    const row = await this.db
      .current()
      .first<{ terms: JsonObject | null }>(
        sql`SELECT m.msg_prompt_terms AS terms FROM message m WHERE m.tenant_id = ${requireScope().tenant_id} AND m.msg_id = ${msg_id}`,
      );
    return row?.terms ?? null;
  }

  /** A branch from its leaf up, leaf first: at most so many, and no more once their texts and parts have so many bytes; the leaf always. */
  findBranch(thread_id: string, leaf: string, { most, bytes }: { readonly most: number; readonly bytes: number }): Promise<MessageRow[]> {
    const tenant = requireScope().tenant_id;
    return this.db.current().query<MessageRow & Record<string, unknown>>(sql`
      SELECT ${columnsOf(Message)}, ${BESIDE} FROM (
        SELECT u.msg_id, u.depth, sum(octet_length(m.msg_text) + octet_length(m.msg_parts::text)) OVER (ORDER BY u.depth ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS newer
        FROM (${pathOf(thread_id, leaf)} LIMIT ${most}) u JOIN message m ON m.tenant_id = ${tenant} AND m.msg_id = u.msg_id) p
      JOIN message r ON r.tenant_id = ${tenant} AND r.msg_id = p.msg_id WHERE coalesce(p.newer, 0) < ${bytes} ORDER BY p.depth`);
  }

  /** The text that the branch of a message begins with. */
  async readBeginning(thread_id: string, leaf: string): Promise<string> {
    const row = await this.db.current().first<{ msg_text: string }>(sql`
      SELECT m.msg_text FROM (${pathOf(thread_id, leaf)}) p JOIN message m ON m.tenant_id = ${requireScope().tenant_id} AND m.msg_id = p.msg_id
      WHERE m.msg_parent IS NULL LIMIT 1`);
    return row?.msg_text ?? '';
  }

  /**
   * Ids of the branch that ends with a message, as a query for a page of it. Ids grow along a branch: a page from its end goes up
   * from the leaf or the cursor, and no further than it has rows. Where messages are chosen by anything else, all are in question.
   */
  toBranchQuery(thread_id: string, leaf: string, query: ListParameters, isChosen: boolean): Sql {
    const { limit_extended, limit = DEFAULT_LIMIT, offset = 0 } = query;
    if (query.sort !== NEWEST || isChosen || filtersOf(Message, query).length > 0) return idsOf(pathOf(thread_id, leaf));
    const position = decodeCursor(query.cursor, NEWEST);
    // The message of the cursor is on the way, and one more row says whether there are more.
    const most = (limit_extended ?? limit) + (position ? 2 : 1 + offset);
    return idsOf(pathOf(thread_id, position?.id ?? leaf), sql`LIMIT ${most}`);
  }

  /** The end of the branch that goes on from a message: its newest active descendant by way of the newest at each fork. */
  async readLeafBelow(thread_id: string, msg_id: string): Promise<string> {
    const row = await this.db.current().first<{ msg_id: string }>(sql`
      WITH RECURSIVE down AS (
        SELECT ${msg_id}::uuid AS msg_id, 0 AS depth
        UNION ALL
        SELECT c.msg_id, d.depth + 1 FROM down d CROSS JOIN LATERAL (
          SELECT m.msg_id FROM message m WHERE m.tenant_id = ${requireScope().tenant_id} AND m.msg_thread = ${thread_id} AND m.msg_parent = d.msg_id AND m.msg_active
          ORDER BY m.msg_id DESC LIMIT 1) c)
      SELECT msg_id FROM down ORDER BY depth DESC LIMIT 1`);
    return row?.msg_id ?? msg_id;
  }

  /** The newest active message without a parent. */
  async findNewestRoot(thread_id: string): Promise<string | null> {
    const row = await this.db
      .current()
      .first<{ msg_id: string }>(
        sql`SELECT m.msg_id FROM message m WHERE m.tenant_id = ${requireScope().tenant_id} AND m.msg_thread = ${thread_id} AND m.msg_parent IS NULL AND m.msg_active ORDER BY m.msg_id DESC LIMIT 1`,
      );
    return row?.msg_id ?? null;
  }

  /** The active versions beside each of the messages, in one statement. */
  async findSiblings(
    thread_id: string,
    rows: readonly Pick<Message, 'msg_id' | 'msg_parent'>[],
  ): Promise<(row: Pick<Message, 'msg_id' | 'msg_parent'>) => Siblings> {
    const parents = [...new Set(rows.flatMap(({ msg_parent }) => msg_parent ?? []))];
    const found = await this.db.current().query<{ msg_parent: string | null; ids: string[] }>(sql`
      SELECT m.msg_parent, array_agg(m.msg_id ORDER BY m.msg_id) AS ids FROM message m
      WHERE m.tenant_id = ${requireScope().tenant_id} AND m.msg_thread = ${thread_id} AND m.msg_active
        AND (m.msg_parent = ANY(${parents}::uuid[]) OR (${rows.some(({ msg_parent }) => msg_parent === null)} AND m.msg_parent IS NULL))
      GROUP BY m.msg_parent`);
    const byParent = new Map(found.map(({ msg_parent, ids }) => [msg_parent, ids]));
    return ({ msg_id, msg_parent }) => around(msg_id, byParent.get(msg_parent) ?? []);
  }

  /** Deactivates all messages of a thread with it. */
  async deactivateAll({ thread_id, thread_deleted }: Pick<Thread, 'thread_id' | 'thread_deleted'>): Promise<void> {
    await this.db.current().execute(sql`
      UPDATE message SET msg_active = false, msg_deleted = ${thread_deleted}, row_version = row_version + 1
      WHERE tenant_id = ${requireScope().tenant_id} AND msg_thread = ${thread_id} AND msg_active`);
  }

  /** Brings back the messages that were deactivated with their thread. */
  async activateAll(thread_id: string, deleted: Date): Promise<void> {
    await this.db.current().execute(sql`
      UPDATE message SET msg_active = true, msg_deleted = NULL, row_version = row_version + 1
      WHERE tenant_id = ${requireScope().tenant_id} AND msg_thread = ${thread_id} AND NOT msg_active AND msg_deleted = ${deleted}`);
  }

  /** The active message and all that follow it, in whatever branch. */
  async findDescendants(thread_id: string, msg_id: string): Promise<Pick<Message, 'msg_id' | 'msg_status'>[]> {
    const { tenant_id } = requireScope();
    return this.db.current().query(sql`
      WITH RECURSIVE down AS (
        SELECT m.msg_id, m.msg_status FROM message m WHERE m.tenant_id = ${tenant_id} AND m.msg_thread = ${thread_id} AND m.msg_id = ${msg_id} AND m.msg_active
        UNION ALL
        SELECT m.msg_id, m.msg_status FROM down d JOIN message m ON m.tenant_id = ${tenant_id} AND m.msg_thread = ${thread_id} AND m.msg_parent = d.msg_id AND m.msg_active)
      SELECT msg_id, msg_status FROM down`);
  }

  async deactivateMessages(ids: readonly string[]): Promise<void> {
    await this.db.current().execute(sql`
      UPDATE message SET msg_active = false, msg_deleted = now(), msg_updated = now(), row_version = row_version + 1
      WHERE tenant_id = ${requireScope().tenant_id} AND msg_id = ANY(${[...ids]}::uuid[])`);
  }

  /** Puts attachments to a message, in their order; the one way to them. */
  async attachFiles(msg_id: string, file_ids: readonly string[]): Promise<void> {
    if (file_ids.length === 0) return;
    await this.db.current().execute(sql`
      INSERT INTO message_file (tenant_id, msg_id, file_id, mf_position)
      SELECT ${requireScope().tenant_id}, ${msg_id}, f.id, f.at FROM unnest(${[...file_ids]}::uuid[]) WITH ORDINALITY f (id, at)`);
  }
}

const NEWEST = '-msg_id';

const idsOf = (path: Sql, stretch: Sql = empty): Sql => sql`SELECT x.msg_id FROM (${path} ${stretch}) x`;

/** The path from a message to the root of its thread; it goes no further than it is read. */
const pathOf = (thread_id: string, leaf: string): Sql => sql`
  WITH RECURSIVE up AS (
    SELECT m.msg_id, m.msg_parent, 0 AS depth FROM message m WHERE m.tenant_id = ${requireScope().tenant_id} AND m.msg_thread = ${thread_id} AND m.msg_id = ${leaf}
    UNION ALL
    SELECT m.msg_id, m.msg_parent, u.depth + 1 FROM up u JOIN message m ON m.tenant_id = ${requireScope().tenant_id} AND m.msg_id = u.msg_parent)
  SELECT msg_id, depth FROM up`;

function around(msg_id: string, all: readonly string[]): Siblings {
  if (all.length <= NAMED_SIBLINGS) return { index: all.indexOf(msg_id), ids: all };
  const at = all.indexOf(msg_id);
  const from = Math.min(Math.max(0, at - NAMED_SIBLINGS / 2), all.length - NAMED_SIBLINGS);
  return { index: at - from, ids: all.slice(from, from + NAMED_SIBLINGS) };
}
