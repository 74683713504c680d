export { MediaHttpModule, MediaModule, MediaWorkerModule } from './media.module';
