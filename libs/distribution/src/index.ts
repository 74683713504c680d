export { DistributionHttpModule, DistributionModule, DistributionWorkerModule } from './distribution.module';
export { dispositionOf, shownType } from './publications/http/public-headers';
