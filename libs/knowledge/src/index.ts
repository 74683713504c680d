export { BaseUpkeep } from './bases/application/base-upkeep';
export { NamedBases } from './bases/infrastructure/named-bases';
export { KnowledgeHttpModule, KnowledgeModule, KnowledgeWorkerModule } from './knowledge.module';
