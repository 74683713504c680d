import { PersonDataSources } from '@atrium/governance';
import { Injectable } from '@nestjs/common';

const CODE = 'It is a code of the service, and holds nothing that somebody wrote.';
const ADDRESS = 'It is the public address of what was released, which stands in the pages of others; it ends with the publication.';
const RELEASED = 'What was released belongs to the workspace; who released it stays known by their id, which names nobody any more.';
const RULES = 'Rules belong to the workspace; who made one stays known by their id, which names nobody any more.';

/** What publications and rules keep of people: who released a file, who made a rule. */
@Injectable()
export class PublicationsOfPeople {
  constructor(sources: PersonDataSources) {
    sources.register({
      context: 'publications',
      order: 60,
      tables: [
        {
          table: 'publication',
          column: 'pub_created_by',
          subject: 'user',
          on_erase: 'keep',
          because: RELEASED,
          hidden: ['pub_object', 'pub_copy_object', 'pub_search'],
        },
        { table: 'publication_history', column: 'ph_actor', subject: 'user', on_erase: 'keep', because: RELEASED },
        {
          table: 'distribution_restriction',
          column: 'dr_created_by',
          subject: 'user',
          on_erase: 'keep',
          because: RULES,
          hidden: ['dr_name_key'],
        },
      ],
      stays: {
        'publication_stat.ps_country': CODE,
        'publication_stat.ps_outcome': CODE,
        'publication.pub_key': ADDRESS,
        'publication.pub_name': ADDRESS,
        'publication.pub_url': ADDRESS,
        'publication.pub_object': ADDRESS,
        'publication.pub_copy_object': ADDRESS,
      },
    });
  }
}
