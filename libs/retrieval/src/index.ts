export { RetrievalModule } from './retrieval.module';
