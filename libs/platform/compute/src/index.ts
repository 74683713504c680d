export { Compute, type ComputeBounds, type ComputeOptions } from './compute';
export { TableInspection } from './table-inspection';
export { ComputeModule } from './compute.module';
export { defineTask, type ComputeTask } from './compute-task';
