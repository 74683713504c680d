export { BoundedProcess, type ProcessLimits, type TaskOptions } from './bounded-process';
export { ProcessPool, type PoolTaskOptions, type ProcessPoolOptions } from './process-pool';
export type { Outcome, ProcessEnd } from './process-messages';
export { ProcessTurns, type Turn } from './process-turns';
export { serveTasks } from './serve-tasks';
export { withStarted } from './tools-of';
