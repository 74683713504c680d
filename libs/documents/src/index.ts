export { DocumentsHttpModule, DocumentsModule, DocumentsWorkerModule } from './documents.module';
export { DocumentAccess } from './library/document-access';
export { DocumentsService } from './library/documents.service';
export { FolderFiles } from './folders/folder-files.service';
export { RetrievalResult } from './retrieval/retrieval.dto';
