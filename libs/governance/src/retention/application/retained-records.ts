import { Injectable, type OnModuleInit } from '@nestjs/common';
import { raw, requireScope, sql } from '@atrium/platform/database';
import { RETENTION, type RetentionKey } from '../domain/retention';
import { RetainedRows, type RetainedTable } from '../infrastructure/retained.rows';
import { RetentionRows } from '../infrastructure/retention.rows';
import { LegalHolds } from './legal-holds';
import { PartitionMaintenance } from './partition-maintenance';
import { RetentionTargets } from './retention-targets';

/** Tables whose months go as a whole when no workspace keeps them any longer. */
const BY_MONTH: readonly (readonly [table: string, key: RetentionKey])[] = [
  ['access_log', 'access_logs'],
  ['audit_event', 'audit_events'],
  ['usage_entry', 'usage_entries'],
];

/** What this context and the platform below it keep for a time: logs, events, and the records of finished work. */
@Injectable()
export class RetainedRecords implements OnModuleInit {
  constructor(
    private readonly targets: RetentionTargets,
    private readonly rows: RetainedRows,
    private readonly holds: LegalHolds,
    private readonly policies: RetentionRows,
    private readonly partitions: PartitionMaintenance,
  ) {}

  onModuleInit(): void {
    for (const [key, table] of this.tables()) this.register(key, table);
    for (const [table, key] of BY_MONTH)
      this.partitions.setRetention(table, () => this.policies.readLongestRetention(key, RETENTION[key].default));
  }

  private register(key: RetentionKey, table: RetainedTable): void {
    this.targets.register({
      key,
      countDue: async (before) => ({ ...(await this.rows.countDue(table, before)), bytes: 0 }),
      findHeldRows: (before, most) => this.rows.findHeldRows(table, before, most),
      purgeBatch: async (before, batch) => {
        const removed = await this.rows.purgeBatch(table, before, batch);
        return { removed, bytes: 0, left: removed >= batch };
      },
    });
  }

  private tables(): [RetentionKey, RetainedTable][] {
    return [
      [
        'access_logs',
        {
          table: 'access_log',
          id: 'log_id',
          at: 'log_timestamp',
          dueCondition: (before) => sql`r.log_timestamp < ${before}`,
          holdExpression: () => this.holds.userHeldCondition(sql`r.log_user`),
          purgeStatement: (before, batch) => sql`SELECT access_log_purge(${before}, ${batch}) AS removed`,
        },
      ],
      ['audit_events', this.auditEvents()],
      [
        'usage_entries',
        {
          table: 'usage_entry',
          id: 'usage_id',
          at: 'usage_timestamp',
          dueCondition: (before) => sql`r.usage_timestamp < ${before}`,
          holdExpression: () => this.holds.userHeldCondition(sql`r.usage_user`),
          purgeStatement: (before, batch) => sql`SELECT usage_entries_purge(${before}, ${batch}) AS removed`,
        },
      ],
      [
        'events',
        {
          table: 'outbox',
          id: 'ev_id',
          at: 'ev_created',
          dueCondition: (before) => sql`r.ev_kind = 'event' AND r.ev_sent IS NOT NULL AND r.ev_created < ${before}`,
          holdExpression: () => this.holds.userHeldCondition(sql`(r.ev_actor ->> 'user_id')::uuid`),
          purgeStatement: (before, batch) => sql`SELECT outbox_events_purge(${before}, ${batch}) AS removed`,
        },
      ],
      [
        'job_rows',
        {
          table: 'background_job',
          id: 'job_id',
          at: 'job_updated',
          dueCondition: (before) => sql`r.job_status IN ('completed', 'partial', 'failed', 'cancelled') AND r.job_updated < ${before}`,
          holdExpression: () => this.holds.userHeldCondition(sql`r.job_created_by`),
          purgeStatement: (before, batch) => sql`SELECT background_jobs_purge(${before}, ${batch}) AS removed`,
        },
      ],
      ['job_rows', this.retentionRuns()],
    ];
  }

  /** Held through who did it and through what was changed. Seals go whole. */
  private auditEvents(): RetainedTable {
    const tenant = () => requireScope().tenant_id;
    return {
      table: 'audit_event',
      id: 'aud_id',
      at: 'aud_timestamp',
      dueCondition: (before) => sql`r.aud_seal IS NOT NULL AND r.aud_timestamp < audit_horizon(${tenant()}::uuid, ${before})`,
      holdExpression: () => sql`(SELECT h.lh_id FROM legal_hold h WHERE h.tenant_id = ${tenant()} AND h.lh_released_at IS NULL
        AND ((h.lh_target_type = 'user' AND h.lh_target_id = r.aud_actor) OR (h.lh_target_type = r.aud_target_type AND h.lh_target_id::text = r.aud_target_id)) LIMIT 1)`,
      purgeStatement: (before, batch) => sql`SELECT audit_purge(${tenant()}::uuid, ${before}, ${batch}) AS removed`,
    };
  }

  /** No hold keeps records that only report a removal. */
  private retentionRuns(): RetainedTable {
    const over = (before: Date) => sql`r.run_status <> 'running' AND r.run_started < ${before}`;
    return {
      table: 'retention_run',
      id: 'run_id',
      at: 'run_started',
      dueCondition: over,
      holdExpression: () => raw('NULL::uuid'),
      purgeStatement: (before, batch) => sql`
        WITH due AS (SELECT r.run_id FROM retention_run r WHERE r.tenant_id = ${requireScope().tenant_id} AND ${over(before)} ORDER BY r.run_started LIMIT ${batch}),
             gone AS (DELETE FROM retention_run g USING due WHERE g.tenant_id = ${requireScope().tenant_id} AND g.run_id = due.run_id RETURNING 1)
        SELECT count(*) AS removed FROM gone`,
    };
  }
}
