export { AiHttpModule, AiModule, AiWorkerModule } from './ai.module';
