export { KnowledgeHttpModule, KnowledgeModule, KnowledgeWorkerModule } from './knowledge.module';
