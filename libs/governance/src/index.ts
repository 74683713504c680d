export { AccessLogWriter } from './access-log/application/access-log.writer';
export { BudgetsService, type BudgetRow } from './credits/application/budgets.service';
export { BudgetTargets, type ForeignScope, type TargetSource } from './credits/application/budget-targets';
export { ChargedCredits } from './credits/infrastructure/charged-credits';
export { CreditLedger, type Estimate, type Hold } from './credits/application/credit-ledger';
export { CreditOperations, type NewGrant } from './credits/application/credit-operations';
export { PriceList } from './credits/application/price-list';
export { UsageMeter, type Charge } from './credits/application/usage-meter';
export { USAGE_PARAMS, USAGE_PARAM_NAMES, type UsageParam, type UsageParamName } from './credits/domain/usage-params';
export { GovernanceHttpModule, GovernanceModule, GovernanceWorkerModule } from './governance.module';
export { UsageLabels, type LabelledKind, type LabelSource } from './usage/application/usage-labels';
export { UsageRanges } from './usage/application/usage-ranges';
export { UsageReports, type Pivot } from './usage/application/usage-reports.service';
export { UsageRollup } from './usage/application/usage-rollup';
export { UsageReporting } from './usage/application/usage-reporting';
export { UsageSumsRows } from './usage/infrastructure/usage-sums.rows';
export { HoldTargets, type HoldOfFile, type HoldTargetSource, type LiveHolds } from './retention/application/hold-targets';
export { LegalHolds } from './retention/application/legal-holds';
export { LegalHoldsService, type LegalHoldRow } from './retention/application/legal-holds.service';
export { LegalHoldView } from './retention/http/retention.dto';
export {
  PersonDataSources,
  type PersonColumn,
  type PersonData,
  type PersonObject,
  type PersonReader,
  type PersonRun,
  type PersonTable,
} from './shared/application/person-data';
export { type PersonSubject } from './shared/domain/person-subject';
export { PartitionMaintenance } from './retention/application/partition-maintenance';
export { RetentionPolicies } from './retention/application/retention-policies';
export {
  RetentionTargets,
  type DueRows,
  type HeldRecord,
  type RemovedBatch,
  type RetentionTarget,
} from './retention/application/retention-targets';
export { type HoldTargetType } from './retention/domain/legal-hold';
export { liveHold, type HoldThrough } from './retention/infrastructure/live-holds';
export { RETENTION, type RetentionKey } from './retention/domain/retention';
export { StorageMeter } from './storage/application/storage-meter';
export { WorkspaceStores } from './storage/application/workspace-stores';
export { StorageRollup } from './storage/application/storage-rollup';
export { archiveLine, negatedLine, type StorageClass, type StorageFamily, type StorageLine } from './storage/domain/storage';
export { RetentionRuns } from './retention/application/retention-runs';
