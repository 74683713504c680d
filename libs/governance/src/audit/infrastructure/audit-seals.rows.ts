import { columnsOf, Database, requireScope, sql } from '@atrium/platform/database';
import { Injectable } from '@nestjs/common';
import { AuditEvent, type StoredEvent } from '../domain/audit-event';
import type { SignedSeal, StoredSeal } from '../domain/audit-seal';

const EVENT = sql`r.tenant_id, ${columnsOf(AuditEvent)}`;
const SEAL = sql`tenant_id, seal_id, seal_seq, seal_from, seal_to, seal_count, seal_root, seal_prev, seal_signature, seal_created, seal_removed, seal_redacted, seal_redacted_root, seal_redacted_signature`;

/** Seals and the events under them. What is sealed is written by definer functions alone. */
@Injectable()
export class AuditSealRows {
  constructor(private readonly db: Database) {}

  /** The workspaces with events that no seal covers, a page at a time. */
  async listUnsealedWorkspaces(after: string | null, limit: number): Promise<string[]> {
    const rows = await this.db.acrossTenants((tx) =>
      tx.query<{ tenant_id: string }>('SELECT tenant_id FROM audit_unsealed($1, $2)', [after, limit]),
    );
    return rows.map(({ tenant_id }) => tenant_id);
  }

  /** The first events without a seal, in the order of their ids, and the newest seal. */
  findUnsealedEvents(limit: number): Promise<{ readonly events: StoredEvent[]; readonly last: StoredSeal | undefined }> {
    const { tenant_id } = requireScope();
    return this.db.read(async (tx) => {
      const [events, last] = await Promise.all([
        tx.query<StoredEvent>(
          sql`SELECT ${EVENT} FROM audit_event r WHERE r.tenant_id = ${tenant_id} AND r.aud_seal IS NULL ORDER BY r.aud_id LIMIT ${limit}`,
        ),
        tx.first<StoredSeal & Record<string, unknown>>(
          sql`SELECT ${SEAL} FROM audit_seal WHERE tenant_id = ${tenant_id} ORDER BY seal_seq DESC LIMIT 1`,
        ),
      ]);
      return { events, last };
    });
  }

  /** False when another seal came first; then nothing was written. */
  async insertSeal(seal: SignedSeal, ids: readonly string[]): Promise<boolean> {
    const row = await this.db.acrossTenants((tx) =>
      tx.first<{ added: boolean }>('SELECT audit_seal_add($1::jsonb, $2::uuid[]) AS added', [JSON.stringify(seal), [...ids]]),
    );
    return row?.added ?? false;
  }

  /** The seals, by number, whose events are in a range of time, and how many events they cover. */
  async findSealRange(
    from: Date | undefined,
    to: Date | undefined,
  ): Promise<{ readonly first: number; readonly last: number; readonly events: number }> {
    const { tenant_id } = requireScope();
    const row = await this.db.read((tx) =>
      tx.first<{ first: number; last: number; events: number }>(sql`
        WITH s AS (SELECT coalesce(min(seal_seq), 1) AS first, coalesce(max(seal_seq), 0) AS last FROM audit_seal
                   WHERE tenant_id = ${tenant_id} AND seal_to >= coalesce(${from ?? null}::timestamptz, '-infinity') AND seal_from <= coalesce(${to ?? null}::timestamptz, 'infinity'))
        SELECT s.first, s.last, (SELECT coalesce(sum(seal_count), 0) FROM audit_seal WHERE tenant_id = ${tenant_id} AND seal_seq BETWEEN s.first AND s.last) AS events FROM s`),
    );
    return row ?? { first: 1, last: 0, events: 0 };
  }

  /** Seals in their order, from a number on, as many as cover some so many events; with those events. */
  readSeals(from: number, to: number, atMost: number): Promise<{ readonly seals: StoredSeal[]; readonly events: StoredEvent[] }> {
    const { tenant_id } = requireScope();
    return this.db.read(async (tx) => {
      const seals = await tx.query<StoredSeal & Record<string, unknown>>(sql`
        SELECT ${SEAL} FROM (SELECT s.*, sum(seal_count) OVER (ORDER BY seal_seq) - seal_count AS before FROM audit_seal s
                             WHERE tenant_id = ${tenant_id} AND seal_seq BETWEEN ${from} AND ${to} ORDER BY seal_seq LIMIT ${atMost}) s WHERE before < ${atMost} ORDER BY seal_seq`);
      const events = await tx.query<StoredEvent>(
        sql`SELECT ${EVENT} FROM audit_event r WHERE r.tenant_id = ${tenant_id} AND r.aud_seal = ANY(${seals.map(({ seal_id }) => seal_id)}::uuid[]) ORDER BY r.aud_seal, r.aud_id`,
      );
      return { seals, events };
    });
  }

  async findSeal(seq: number): Promise<StoredSeal | undefined> {
    return this.db.read((tx) =>
      tx.first<StoredSeal & Record<string, unknown>>(
        sql`SELECT ${SEAL} FROM audit_seal WHERE tenant_id = ${requireScope().tenant_id} AND seal_seq = ${seq}`,
      ),
    );
  }

  /** Whether an event in the range names a seal that is not there. */
  async hasOrphans(from: Date | undefined, to: Date | undefined): Promise<boolean> {
    const row = await this.db.read((tx) =>
      tx.first(sql`
        SELECT 1 FROM audit_event e WHERE e.tenant_id = ${requireScope().tenant_id} AND e.aud_seal IS NOT NULL
          AND e.aud_timestamp >= coalesce(${from ?? null}::timestamptz, '-infinity') AND e.aud_timestamp <= coalesce(${to ?? null}::timestamptz, 'infinity')
          AND NOT EXISTS (SELECT 1 FROM audit_seal s WHERE s.tenant_id = e.tenant_id AND s.seal_id = e.aud_seal) LIMIT 1`),
    );
    return row !== undefined;
  }
}
