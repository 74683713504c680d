import { Injectable } from '@nestjs/common';
import { PersonDataSources } from '@atrium/governance';

const AUTHOR =
  'Documents and their links belong to the workspace; who deprecated or linked them stays known by an id that names nobody any more.';
const WITHOUT_ADDRESS = 'The address is taken out of what was written about documents.';

/** What all areas keep of people: each context registers its columns once. */
@Injectable()
export class DocumentsOfPeople {
  constructor(sources: PersonDataSources) {
    sources.register({
      context: 'documents',
      order: 110,
      tables: [
        { table: 'document', column: 'file_deprecated_by', subject: 'user', on_erase: 'keep', tells: 'mark', because: AUTHOR },
        { table: 'document', column: 'file_deprecated_reason', subject: 'mention', on_erase: 'anonymize', because: WITHOUT_ADDRESS },
        { table: 'document_relation', column: 'rel_created_by', subject: 'user', on_erase: 'keep', tells: 'mark', because: AUTHOR },
        { table: 'document_relation', column: 'rel_metadata', subject: 'mention', on_erase: 'anonymize', because: WITHOUT_ADDRESS },
      ],
    });
  }
}
