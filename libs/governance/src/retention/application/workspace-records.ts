import { Injectable, type OnModuleInit } from '@nestjs/common';
import { WorkspacePurgers } from '@atrium/identity';

/** Referring tables come before the tables they refer to. */
const USAGE = [
  'usage_reversal',
  'usage_sources',
  'usage_delta',
  'usage_unreported',
  'usage_cells',
  'usage_days',
  'usage_thin',
  'usage_hourly',
  'usage_daily',
  'usage_horizon',
  'usage_entry',
];
const CREDITS = ['credit_ledger', 'credit_hold', 'credit_grant', 'credit_balance', 'budget_counter', 'budget', 'workspace_cost'];
const RETENTION = ['retention_held', 'retention_run', 'retention_check', 'retention_policy', 'legal_hold'];
const STORAGE = ['storage_snapshot', 'storage_delta', 'storage_consumption', 'storage_person', 'storage_quota', 'storage_provider'];
const RECORDS = ['erasure_subject', 'privacy_request', 'rate_override', 'access_log', 'audit_seal', 'audit_event'];

/** Usage, credits and records go with their workspace, after all that may still add to them and before the people they name. */
@Injectable()
export class WorkspaceRecords implements OnModuleInit {
  constructor(private readonly purgers: WorkspacePurgers) {}

  onModuleInit(): void {
    this.purgers.register({ context: 'governance', order: 800, tables: [...USAGE, ...CREDITS, ...RETENTION, ...STORAGE, ...RECORDS] });
  }
}
