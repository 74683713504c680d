import { Injectable } from '@nestjs/common';
import { columnsOf, Database, requireScope, sql, type Sql } from '@atrium/platform/database';
import { AuditEvent, type StoredEvent } from '../domain/audit-event';
import type { StoredSeal } from '../domain/audit-seal';
import type { PersonSubject } from '../../shared/domain/person-subject';
import { personPattern } from '../../shared/infrastructure/person-pattern';

/** What of an event may name a person. */
export type NamingFields = Pick<StoredEvent, 'aud_actor_name' | 'aud_target_name' | 'aud_before' | 'aud_after' | 'aud_reason' | 'aud_ip'>;

/** An event as it is, and what its fields are without the address. */
export interface FoundEvent {
  readonly event: StoredEvent;
  readonly clean: NamingFields;
}

/** Sealed events that name a person, and the one way to change them: a definer function, seal by seal. */
@Injectable()
export class TrailRedactionRows {
  constructor(private readonly db: Database) {}

  /** Seals over events that name the person still, in their order. */
  async findSealsNaming(person: PersonSubject, called: string, limit: number): Promise<StoredSeal[]> {
    const { tenant_id } = requireScope();
    return this.db.read((tx) =>
      tx.query<StoredSeal & Record<string, unknown>>(sql`
        SELECT s.* FROM audit_seal s WHERE s.tenant_id = ${tenant_id} AND s.seal_id IN (
          SELECT r.aud_seal FROM audit_event r WHERE r.tenant_id = ${tenant_id} AND r.aud_seal IS NOT NULL AND ${naming(person, called)}) ORDER BY s.seal_seq LIMIT ${limit}`),
    );
  }

  /** All events under a seal, in the order of their ids. */
  async findSealedEvents(seal_id: string, person: PersonSubject): Promise<FoundEvent[]> {
    const { tenant_id } = requireScope();
    const pattern = personPattern(person);
    const rows = await this.db.read((tx) =>
      tx.query<StoredEvent & { clean: NamingFields }>(sql`
        SELECT r.tenant_id, ${columnsOf(AuditEvent)}, jsonb_build_object('aud_actor_name', without_person(r.aud_actor_name, ${pattern}), 'aud_target_name', without_person(r.aud_target_name, ${pattern}),
          'aud_before', without_person(r.aud_before::text, ${pattern})::jsonb, 'aud_after', without_person(r.aud_after::text, ${pattern})::jsonb,
          'aud_reason', without_person(r.aud_reason, ${pattern}), 'aud_ip', r.aud_ip) AS clean
        FROM audit_event r WHERE r.tenant_id = ${tenant_id} AND r.aud_seal = ${seal_id} ORDER BY r.aud_id`),
    );
    return rows.map(({ clean, ...event }) => ({ event, clean }));
  }

  /** Writes what remains of events under a seal; without a root the seal stays as it is. False when they have changed since they were read. */
  async writeRedaction(
    seal: StoredSeal,
    events: readonly StoredEvent[],
    redaction: { readonly at: string; readonly root: string; readonly signature: string } | null,
  ): Promise<boolean> {
    const fields = events.map(({ aud_id, aud_actor_name, aud_target_name, aud_before, aud_after, aud_reason, aud_ip }) => ({
      aud_id,
      aud_actor_name,
      aud_target_name,
      aud_before,
      aud_after,
      aud_reason,
      aud_ip,
    }));
    const row = await this.db.write((tx) =>
      tx.first<{ written: boolean }>(sql`
        SELECT audit_redact(${seal.seal_id}::uuid, ${seal.seal_redacted_root ?? seal.seal_root}, ${JSON.stringify(fields)}::jsonb,
          ${redaction?.at ?? null}::timestamptz, ${redaction?.root ?? null}, ${redaction?.signature ?? null}) AS written`),
    );
    return row?.written ?? false;
  }
}

/** The condition under which an event, `r`, names the person. */
function naming(person: PersonSubject, called: string): Sql {
  const { user_id, email, name } = person;
  const byId = sql`((r.aud_actor = ${user_id}::uuid AND (r.aud_actor_name IS DISTINCT FROM ${called} OR r.aud_ip IS NOT NULL)) OR (r.aud_target_type = 'user' AND r.aud_target_id = ${user_id}::text AND r.aud_target_name IS DISTINCT FROM ${called}))`;
  if (email === null && name === null) return byId;
  return sql`(${byId} OR concat_ws(' ', r.aud_target_name, r.aud_before::text, r.aud_after::text, r.aud_reason, r.aud_actor_name) ~* ${personPattern(person)})`;
}
