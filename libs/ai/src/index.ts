export { AiHttpModule, AiModule, AiWorkerModule } from './ai.module';
export { ThreadEvents, type RunFence } from './events/thread-events';
export type { ThreadEvent } from './events/thread-event';
