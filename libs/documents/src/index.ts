export { DocumentsHttpModule, DocumentsModule, DocumentsWorkerModule } from './documents.module';
export { FolderFiles } from './folders/folder-files.service';
