export { AccessLogWriter } from './application/access-log.writer';
export { BudgetsService, type BudgetRow } from './application/budgets.service';
export { BudgetTargets, type ForeignScope, type TargetSource } from './application/budget-targets';
export { CreditLedger, type Estimate, type Hold } from './application/credit-ledger';
export { CreditOperations, type NewGrant } from './application/credit-operations';
export { PriceList } from './application/price-list';
export { UsageMeter, type Charge } from './application/usage-meter';
export { USAGE_PARAMS, USAGE_PARAM_NAMES, type UsageParam, type UsageParamName } from './domain/usage-params';
export { GovernanceHttpModule, GovernanceModule, GovernanceWorkerModule } from './governance.module';
export { UsageLabels, type LabelledKind, type LabelSource } from './application/usage-labels';
export { UsageRanges } from './application/usage-ranges';
export { UsageReports, type Pivot } from './application/usage-reports.service';
export { UsageRollup } from './application/usage-rollup';
export { UsageTelling } from './application/usage-telling';
export { UsageSumsRows } from './infrastructure/usage-sums.rows';
export { HoldTargets, type HoldOfFile, type HoldTargetSource, type LiveHolds } from './application/hold-targets';
export { LegalHolds } from './application/legal-holds';
export { LegalHoldsService, type LegalHoldRow } from './application/legal-holds.service';
export { LegalHoldView } from './http/retention.dto';
export {
  PersonDataSources,
  type PersonColumn,
  type PersonData,
  type PersonObject,
  type PersonRun,
  type PersonSubject,
  type PersonTable,
} from './application/person-data';
export { PartitionKeeping } from './application/partition-keeping';
export { RetentionPolicies } from './application/retention-policies';
export { RetentionTargets, type DueRows, type KeptRow, type RemovedBatch, type RetentionTarget } from './application/retention-targets';
export { type HoldTargetType } from './domain/legal-hold';
export { RETENTION, type RetentionKey } from './domain/retention';
export { StorageMeter } from './application/storage-meter';
export { WorkspaceStores } from './application/workspace-stores';
export { StorageRollup } from './application/storage-rollup';
export { archived, taken, type StorageClass, type StorageFamily, type StorageLine } from './domain/storage';
export { RetentionRuns } from './application/retention-runs';
