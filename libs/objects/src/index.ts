export { ObjectsHttpModule, ObjectsModule, ObjectsWorkerModule } from './objects.module';
export { Objects, type ObjectTable, type TableQuery } from './objects/application/objects';
export { ObjectWrites } from './objects/application/object-writes';
