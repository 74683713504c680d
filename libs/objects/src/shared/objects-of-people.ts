import { Injectable } from '@nestjs/common';
import { PersonDataSources } from '@atrium/governance';
import { AclSources } from '@atrium/identity';
import { sql } from '@atrium/platform/database';

const SOURCE_KEY = 'The key of a row of the source, by which a run identifies rows; deleted with the run.';
const AUTHOR = 'Objects belong to the workspace. The id of the author remains, but no longer identifies anyone.';
const MANAGER = 'The name of an extension, never of a person.';
const ASKER = 'Work on objects belongs to the workspace. The id of the person who requested it remains, but no longer identifies anyone.';

/** What all areas keep of people: each context registers its columns once. */
@Injectable()
export class ObjectsOfPeople {
  constructor(sources: PersonDataSources, acls: AclSources) {
    sources.register({
      context: 'objects',
      order: 106,
      tables: [
        {
          table: 'object',
          column: 'obj_created_by',
          subject: 'user',
          on_erase: 'keep',
          because: AUTHOR,
          hidden: ['obj_name_key', 'obj_tsv', 'obj_text', 'obj_hash', 'obj_acl'],
        },
        { table: 'object', column: 'obj_updated_by', subject: 'user', on_erase: 'keep', tells: 'mark', because: AUTHOR },
        { table: 'object_transition', column: 'otr_by', subject: 'user', on_erase: 'keep', because: AUTHOR },
        { table: 'object_revision', column: 'rev_created_by', subject: 'user', on_erase: 'keep', because: AUTHOR },
        { table: 'taxonomy', column: 'tax_managed_by', subject: 'user', on_erase: 'keep', tells: 'mark', because: MANAGER },
        {
          table: 'object_source',
          column: 'osr_created_by',
          subject: 'user',
          on_erase: 'keep',
          because: ASKER,
          hidden: ['osr_credentials'],
        },
        { table: 'object_sync_run', column: 'job_created_by', subject: 'user', on_erase: 'keep', tells: 'mark', because: ASKER },
      ],
      stays: {
        'object_source_removal.external_id': SOURCE_KEY,
        'object_sync_seen.external_id': SOURCE_KEY,
      },
      open: {
        object_revision: 'Revisions contain what the person wrote; they are shown with the fields that the person can read.',
      },
      own: {
        object_transition: { readable: (reader) => acls.readableByCondition('object', sql`r.otr_object`, reader) },
        object_source: {
          readable: (reader) => (reader === null || reader.permissions.has('object:view') ? sql`r.osr_removed IS NULL` : sql`false`),
        },
      },
    });
  }
}
