import { Injectable } from '@nestjs/common';
import { PersonDataSources } from '@atrium/governance';

const AUTHOR = 'Objects belong to the workspace; the author remains known by an id that names nobody any more.';
const MANAGER = 'It names an extension, never a person.';
const WITHOUT_ADDRESS = 'The address is taken out of what was written.';
const ASKER = 'Work on objects belongs to the workspace; who asked for it remains known by an id that names nobody any more.';

/** What all areas keep of people: each context registers its columns once. */
@Injectable()
export class ObjectsOfPeople {
  constructor(sources: PersonDataSources) {
    sources.register({
      context: 'objects',
      order: 106,
      tables: [
        { table: 'object', column: 'obj_created_by', subject: 'user', on_erase: 'keep', tells: 'mark', because: AUTHOR },
        { table: 'object', column: 'obj_updated_by', subject: 'user', on_erase: 'keep', tells: 'mark', because: AUTHOR },
        { table: 'object_transition', column: 'otr_by', subject: 'user', on_erase: 'keep', tells: 'mark', because: AUTHOR },
        { table: 'object_revision', column: 'rev_created_by', subject: 'user', on_erase: 'keep', tells: 'mark', because: AUTHOR },
        { table: 'taxonomy', column: 'tax_managed_by', subject: 'user', on_erase: 'keep', tells: 'mark', because: MANAGER },
        { table: 'taxonomy', column: 'tax_description', subject: 'mention', on_erase: 'anonymize', because: WITHOUT_ADDRESS },
        { table: 'term', column: 'term_description', subject: 'mention', on_erase: 'anonymize', because: WITHOUT_ADDRESS },
        { table: 'object_source', column: 'osr_created_by', subject: 'user', on_erase: 'keep', tells: 'mark', because: ASKER },
        { table: 'object_sync_run', column: 'job_created_by', subject: 'user', on_erase: 'keep', tells: 'mark', because: ASKER },
      ],
    });
  }
}
