import { PersonDataSources, type PersonColumn } from '@atrium/governance';
import { Injectable } from '@nestjs/common';

const OWNED =
  'Links belong to the workspace; who created one is kept by id, which no longer refers to a name. From then on, their links return 410.';
const GUEST = 'Actions of guests remain on record without the name of the guest.';

const SHARE_COLUMNS: readonly PersonColumn[] = [
  {
    table: 'share_link',
    column: 'share_created_by',
    subject: 'user',
    on_erase: 'keep',
    because: OWNED,
    hidden: ['share_name_key', 'share_token_hash', 'share_token_enc', 'share_password_hash', 'share_password_rev'],
  },
  { table: 'share_event', column: 'se_email', subject: 'email', on_erase: 'anonymize', along: ['se_name'], because: GUEST },
  {
    table: 'share_upload',
    column: 'su_email',
    subject: 'email',
    on_erase: 'anonymize',
    along: ['su_name'],
    because: GUEST,
    hidden: ['su_visit'],
  },
  { table: 'share_verdict', column: 'sv_email', subject: 'email', on_erase: 'anonymize', along: ['sv_name'], because: GUEST },
];

const AS_GUEST = 'It records what the person did as a guest of a link, as stated by themselves.';
const OPEN = {
  share_link: 'A link is visible to its creator, regardless of other permissions.',
  share_event: AS_GUEST,
  share_upload: AS_GUEST,
  share_verdict: AS_GUEST,
};

const CODE = 'It is a code of the service and contains no text that a person wrote.';
const SHARE_CODES = { 'share_device.kd_device': CODE, 'share_token.st_hash': CODE, 'share_visit.vi_visitor': CODE };

/** What this context keeps of people: who made links, and the addresses that guests left with what they did. */
@Injectable()
export class DistributionOfPeople {
  constructor(sources: PersonDataSources) {
    sources.register({ context: 'distribution', order: 50, tables: SHARE_COLUMNS, stays: SHARE_CODES, open: OPEN });
  }
}
