export { DistributionHttpModule, DistributionModule, DistributionWorkerModule } from './distribution.module';
