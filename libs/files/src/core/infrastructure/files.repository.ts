import { Injectable } from '@nestjs/common';
import { Database, ResourceRepository } from '@atrium/platform/database';
import { File } from '../domain/file';

/** Files as aggregates, for changing them. Lists and views have statements of their own. */
@Injectable()
export class FilesRepository extends ResourceRepository<File> {
  constructor(db: Database) {
    super(db, File, 'file');
  }
}
