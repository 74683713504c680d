import { Injectable } from '@nestjs/common';
import { PersonDataSources } from '@atrium/governance';

const AUTHOR = 'Knowledge belongs to the workspace; who wrote it stays known by an id that names nobody any more.';
const ASKER = 'Work on a base belongs to the workspace; who asked for it stays known by an id that names nobody any more.';

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
        knowledge_record_version:
          'Versions are the words of the person who wrote them; they are shown with the fields that the person may read.',
      },
    });
  }
}
