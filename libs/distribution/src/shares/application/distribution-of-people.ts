import { PersonDataSources, type PersonColumn } from '@atrium/governance';
import { Injectable } from '@nestjs/common';

const OWNED =
  'Links belong to the workspace; who made one stays known by their id, which names nobody any more. Their links answer 410 from then on.';
const WITHOUT_ADDRESS = 'The address is taken out of what was written on share links.';
const GUEST = 'What was done by a link stays told; the guest is not named any more.';

const SHARE_COLUMNS: readonly PersonColumn[] = [
  {
    table: 'share_link',
    column: 'share_created_by',
    subject: 'user',
    on_erase: 'keep',
    because: OWNED,
    hidden: ['share_name_key', 'share_token_hash', 'share_token_enc', 'share_password_hash', 'share_password_rev'],
  },
  { table: 'share_link', column: 'share_options', subject: 'mention', on_erase: 'anonymize', because: WITHOUT_ADDRESS },
  { table: 'share_event', column: 'se_email', subject: 'email', on_erase: 'anonymize', because: GUEST },
  { table: 'share_upload', column: 'su_email', subject: 'email', on_erase: 'anonymize', because: GUEST, hidden: ['su_visit'] },
  { table: 'share_verdict', column: 'sv_email', subject: 'email', on_erase: 'anonymize', because: GUEST },
  { table: 'share_verdict', column: 'sv_comment', subject: 'mention', on_erase: 'anonymize', because: WITHOUT_ADDRESS },
];

/** What this context keeps of people: who made links, and the addresses that guests left with what they did. */
@Injectable()
export class DistributionOfPeople {
  constructor(sources: PersonDataSources) {
    sources.register({ context: 'distribution', order: 50, tables: SHARE_COLUMNS });
  }
}
