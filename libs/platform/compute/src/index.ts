export { Compute, type ComputeBounds, type ComputeOptions } from './compute';
export { TableInspection } from './table-looks';
export { ComputeModule } from './compute.module';
export { defineTask, type ComputeTask } from './compute-task';
