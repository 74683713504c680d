import { Audit, changesNothing, isAuditType, type AuditEntry } from '@atrium/platform/access';
import { Database, requireScope, sql, type Sql } from '@atrium/platform/database';
import { newId, type JsonObject } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import { Injectable } from '@nestjs/common';
import { auditedValues } from '../domain/audited-values';

/** The audit trail: entries go out with the commit of the change they tell of, each also as an event. */
@Injectable()
export class AuditTrail extends Audit {
  constructor(
    private readonly db: Database,
    private readonly outbox: Outbox,
  ) {
    super();
  }

  record(entry: AuditEntry): void {
    if (!isAuditType(entry.type)) throw new Error(`No context has declared the audit type ${entry.type}.`);
    if (changesNothing(entry)) return;
    const aud_id = newId();
    this.db.current().beforeCommit(() => insertion(aud_id, entry));
    this.outbox.emitEvent({ name: 'audit.recorded', subject_id: aud_id, payload: { aud_type: entry.type } });
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
