export { ObjectsHttpModule, ObjectsModule, ObjectsWorkerModule } from './objects.module';
