export { AccessLogWriter } from './application/access-log.writer';
export { GovernanceHttpModule, GovernanceModule, GovernanceWorkerModule } from './governance.module';
