import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';
import { textOf, type MessagePart } from '../../../threads/domain/message-parts';
import type { Finish, MessageCitation, MessageStatus } from '../../../threads/domain/message';

/** The end of an answer. */
export interface AnswerEnd {
  readonly status: Extract<MessageStatus, 'complete' | 'stopped' | 'failed'>;
  readonly parts: readonly MessagePart[];
  readonly citations: readonly MessageCitation[];
  readonly finish: Finish;
  readonly usage: JsonObject | null;
  readonly error: JsonObject | null;
}

/** The messages that runs write. Their content is their run's alone until it ends, so no other change of them can be lost. */
@Injectable()
export class AnswersRepository {
  constructor(private readonly db: Database) {}

  /** The content so far. */
  async saveParts(msg_id: string, parts: readonly MessagePart[], status: MessageStatus = 'generating'): Promise<void> {
    await this.db.current().execute(sql`
      UPDATE message m SET msg_parts = ${JSON.stringify(parts)}::jsonb, msg_text = ${textOf(parts)}, msg_status = ${status}, msg_updated = now(), row_version = m.row_version + 1
      WHERE m.tenant_id = ${requireScope().tenant_id} AND m.msg_id = ${msg_id}`);
  }

  /** It may say what memories say, from now on and for good. */
  async markRecalls(msg_id: string): Promise<void> {
    await this.db
      .current()
      .execute(
        sql`UPDATE message m SET msg_recalls = true, row_version = m.row_version + 1 WHERE m.tenant_id = ${requireScope().tenant_id} AND m.msg_id = ${msg_id} AND NOT m.msg_recalls`,
      );
  }

  async saveEnd(msg_id: string, { status, parts, citations, finish, usage, error }: AnswerEnd): Promise<void> {
    await this.db.current().execute(sql`
      UPDATE message m SET msg_parts = ${JSON.stringify(parts)}::jsonb, msg_text = ${textOf(parts)}, msg_status = ${status}, msg_citations = ${JSON.stringify(citations)}::jsonb,
        msg_finish = ${finish}, msg_usage = ${usage && JSON.stringify(usage)}::jsonb, msg_error = ${error && JSON.stringify(error)}::jsonb, msg_updated = now(), row_version = m.row_version + 1
      WHERE m.tenant_id = ${requireScope().tenant_id} AND m.msg_id = ${msg_id}`);
  }

  /** What is kept of an answer. */
  async readParts(msg_id: string): Promise<readonly MessagePart[]> {
    const row = await this.db
      .current()
      .first<{ msg_parts: readonly MessagePart[] }>(
        sql`SELECT m.msg_parts FROM message m WHERE m.tenant_id = ${requireScope().tenant_id} AND m.msg_id = ${msg_id}`,
      );
    return row?.msg_parts ?? [];
  }
}
