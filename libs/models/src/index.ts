export { ModelsModule } from './models.module';
