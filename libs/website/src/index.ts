export { WebsiteHttpModule, WebsiteModule, WebsiteWorkerModule } from './website.module';
