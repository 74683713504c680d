export { SocialHttpModule, SocialModule, SocialWorkerModule } from './social.module';
