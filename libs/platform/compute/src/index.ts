export { Compute, type ComputeBounds, type ComputeOptions } from './compute';
export { TableLooks } from './table-looks';
export { ComputeModule } from './compute.module';
export { defineTask, type ComputeTask } from './compute-task';
