import { Audit, changesNothing, isAuditType, type AuditEntry } from '@atrium/platform/access';
import { newId } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import { Injectable } from '@nestjs/common';
import { AuditEventRows } from '../infrastructure/audit-events.rows';

/** The audit trail: entries go out with the commit of the change they tell of, each also as an event. */
@Injectable()
export class AuditTrail extends Audit {
  constructor(
    private readonly rows: AuditEventRows,
    private readonly outbox: Outbox,
  ) {
    super();
  }

  record(entry: AuditEntry): void {
    if (!isAuditType(entry.type)) throw new Error(`No context has declared the audit type ${entry.type}.`);
    if (changesNothing(entry)) return;
    const aud_id = newId();
    this.rows.insertEventAtCommit(aud_id, entry);
    this.outbox.emitEvent({ name: 'audit.recorded', subject_id: aud_id, payload: { aud_type: entry.type } });
  }
}
