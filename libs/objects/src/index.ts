export { ObjectsHttpModule, ObjectsModule, ObjectsWorkerModule } from './objects.module';
export { Objects, type ObjectTable, type TableQuery } from './objects/application/objects';
