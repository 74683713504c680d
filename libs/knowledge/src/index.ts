export { NamedBases } from './bases/application/named-bases';
export { KnowledgeHttpModule, KnowledgeModule, KnowledgeWorkerModule } from './knowledge.module';
