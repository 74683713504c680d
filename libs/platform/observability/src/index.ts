export * from './exit-in-time';
export * from './logger';
export * from './metrics';
export * from './observability.module';
export * from './probe-listener';
export * from './probe-listener';
export * from './start-failure';
export { LoopWatch, type WatchdogOptions } from './watchdog/loop-watch';
export type { WorkAtHand } from './watchdog/work-at-hand';
