import { Injectable } from '@nestjs/common';
import { PersonDataSources } from '@atrium/governance';

const AUTHOR = 'Knowledge belongs to the workspace. The id of the person who wrote it remains, but no longer identifies anyone.';
const ASKER =
  'Jobs of a knowledge base belong to the workspace. The id of the person who requested one remains, but no longer identifies anyone.';

/** What all areas keep of people: each context registers its columns once. */
@Injectable()
export class KnowledgeOfPeople {
  constructor(sources: PersonDataSources) {
    sources.register({
      context: 'knowledge',
      order: 105,
      tables: [
        {
          table: 'knowledge_base',
          column: 'ds_created_by',
          subject: 'user',
          on_erase: 'keep',
          because: AUTHOR,
          hidden: ['ds_name_key', 'ds_acl'],
        },
        {
          table: 'knowledge_record',
          column: 'rec_created_by',
          subject: 'user',
          on_erase: 'keep',
          because: AUTHOR,
          hidden: ['rec_name_key', 'rec_tsv', 'rec_text', 'rec_hash'],
        },
        { table: 'knowledge_record', column: 'rec_updated_by', subject: 'user', on_erase: 'keep', tells: 'mark', because: AUTHOR },
        { table: 'knowledge_record_version', column: 'rv_written_by', subject: 'user', on_erase: 'keep', because: AUTHOR },
        { table: 'knowledge_job', column: 'job_created_by', subject: 'user', on_erase: 'keep', tells: 'mark', because: ASKER },
        { table: 'knowledge_crawl', column: 'crw_created_by', subject: 'user', on_erase: 'keep', because: ASKER },
        { table: 'ds_file', column: 'linked_by', subject: 'user', on_erase: 'keep', tells: 'mark', because: AUTHOR },
      ],
      open: {
        knowledge_record_version: 'Versions contain what the person wrote; they are shown with the fields that the person can read.',
      },
    });
  }
}
