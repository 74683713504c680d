import { Injectable } from '@nestjs/common';
import type { AuditEntry } from '@atrium/platform/access';
import { columnsOf, Database, requireScope, sql, type Sql } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';
import { AuditEvent } from '../domain/audit-event';
import { auditedValues } from '../domain/audited-values';

/** The events of the audit trail. */
@Injectable()
export class AuditEventRows {
  constructor(private readonly db: Database) {}

  findEvent(aud_id: string): Promise<AuditEvent | undefined> {
    return this.db.read((tx) =>
      tx.first<AuditEvent & Record<string, unknown>>(
        sql`SELECT ${columnsOf(AuditEvent)} FROM audit_event r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.aud_id = ${aud_id}`,
      ),
    );
  }

  /** The statement is made and sent with the commit of the open unit of work. */
  insertEventAtCommit(aud_id: string, entry: AuditEntry): void {
    this.db.current().beforeCommit(() => insertion(aud_id, entry));
  }
}

function insertion(aud_id: string, { type, target, before, after, reason }: AuditEntry): Sql {
  const { tenant_id, actor, request_id, address } = requireScope();
  return sql`
    INSERT INTO audit_event (tenant_id, aud_id, aud_type, aud_actor, aud_actor_kind, aud_actor_name, aud_key, aud_target_type, aud_target_id, aud_target_name, aud_before, aud_after, aud_reason, aud_ip, aud_request_id)
    SELECT ${tenant_id}::uuid, ${aud_id}, ${type}, ${actor.user_id}::uuid, ${actor.kind}, coalesce(${actor.name ?? null}::text, (SELECT user_name FROM workspace_user WHERE tenant_id = ${tenant_id} AND user_id = ${actor.user_id}::uuid)), ${actor.key_id}::uuid,
           ${target.type}, ${target.id}, ${target.name ?? null}, ${side(before)}::jsonb, ${side(after)}::jsonb, ${reason ?? null}, ${address?.() ?? null}, ${request_id}`;
}

const side = (value: JsonObject | null | undefined): string | null => (value ? JSON.stringify(auditedValues(value)) : null);
