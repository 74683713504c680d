import { PersonDataSources } from '@atrium/governance';
import { Injectable } from '@nestjs/common';

const AUTHOR = 'Forms belong to the workspace; who made or changed them stays known by an id that names nobody any more.';
const MANAGER = 'It names an extension or the platform, never a person.';
const WITHOUT_ADDRESS = 'The address is taken out of what was written about forms.';

/** What this context keeps of people: who made and changed forms. What rows say of people is registered by their holders. */
@Injectable()
export class FormsOfPeople {
  constructor(sources: PersonDataSources) {
    sources.register({
      context: 'forms',
      order: 600,
      tables: [
        {
          table: 'form',
          column: 'form_created_by',
          subject: 'user',
          on_erase: 'keep',
          because: AUTHOR,
          hidden: ['form_name_key', 'form_retired'],
        },
        { table: 'form', column: 'form_managed_by', subject: 'user', on_erase: 'keep', tells: 'mark', because: MANAGER },
        { table: 'form', column: 'form_description', subject: 'mention', on_erase: 'anonymize', because: WITHOUT_ADDRESS },
        { table: 'form', column: 'form_metadata', subject: 'mention', on_erase: 'anonymize', because: WITHOUT_ADDRESS },
        { table: 'form_revision_log', column: 'frl_created_by', subject: 'user', on_erase: 'keep', tells: 'mark', because: AUTHOR },
      ],
    });
  }
}
