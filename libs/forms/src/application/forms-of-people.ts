import { PersonDataSources } from '@atrium/governance';
import { sql } from '@atrium/platform/database';
import { Injectable } from '@nestjs/common';
import { FormHolders } from './form-holders';

const AUTHOR = 'Forms belong to the workspace; who created or changed them is kept by id, which no longer refers to a name.';
const KEY = 'It is the key of a field, whose letters cannot form an address or a name of several words.';
const MANAGER = 'It names an extension or the platform, never a person.';

/** What this context keeps of people: who made and changed forms. What rows say of people is registered by their holders. */
@Injectable()
export class FormsOfPeople {
  constructor(sources: PersonDataSources, holders: FormHolders) {
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
        { table: 'form_revision_log', column: 'frl_created_by', subject: 'user', on_erase: 'keep', because: AUTHOR },
      ],
      stays: {
        'form_number.field_key': KEY,
        'form_number_range.field_key': KEY,
        'form_unique.field_key': KEY,
        'form_value.field_key': KEY,
      },
      own: {
        form: { readable: (reader) => sql`r.form_kind = ANY (${[...holders.openTo(reader)]}::text[])` },
        form_revision_log: {
          readable: (reader) =>
            sql`EXISTS (SELECT FROM form f WHERE f.tenant_id = r.tenant_id AND f.form_id = r.frl_form AND f.form_kind = ANY (${[...holders.openTo(reader)]}::text[]))`,
        },
      },
    });
  }
}
