import { Injectable } from '@nestjs/common';
import { FormerMembers } from '@atrium/identity';
import { PersonDataSources } from '../../shared/application/person-data';
import type { PersonSubject } from '../../shared/domain/person-subject';

const AUTHOR = 'The id of the person is kept in the history and no longer refers to a name.';
const OWN = 'It concerns only this person.';
const OTHERS = 'It is the e-mail address of another member; that of the person is removed.';
const HELD_BY_ACCOUNT =
  'Removed with the account if the person belongs to no other workspace. Data of this workspace is removed immediately.';

/** What identity keeps of people: the membership stays as a row without a person, everything that lets somebody in goes. */
@Injectable()
export class MembersData {
  constructor(
    sources: PersonDataSources,
    private readonly members: FormerMembers,
  ) {
    sources.register({
      context: 'identity',
      order: 900,
      tables: [
        {
          table: 'api_key',
          column: 'key_user',
          subject: 'user',
          on_erase: 'delete',
          because: 'An API key gives access to its owner.',
          hidden: ['key_hash', 'key_prev_hash', 'key_name_key', 'key_announced'],
        },
        { table: 'api_key', column: 'key_created_by', subject: 'user', on_erase: 'keep', tells: 'mark', because: AUTHOR },
        { table: 'api_key', column: 'key_revoked_by', subject: 'user', on_erase: 'keep', tells: 'mark', because: AUTHOR },
        {
          table: 'account_link',
          column: 'link_account',
          subject: 'user',
          on_erase: 'delete',
          because: 'It signs in a person of an issuer.',
        },
        { table: 'user_role_link', column: 'user_id', subject: 'user', on_erase: 'delete', because: 'A former member has no role.' },
        {
          table: 'invitation',
          column: 'inv_user',
          subject: 'user',
          on_erase: 'keep',
          because: 'It distinguishes an old link from an unknown one and contains no address.',
          hidden: ['inv_hash'],
        },
        { table: 'invitation', column: 'inv_created_by', subject: 'user', on_erase: 'keep', tells: 'mark', because: AUTHOR },
        {
          table: 'workspace',
          column: 'ws_contact_email',
          subject: 'email',
          on_erase: 'anonymize',
          tells: 'mark',
          because: 'It was the e-mail address of the person.',
        },
        {
          table: 'workspace_user',
          column: 'user_id',
          subject: 'user',
          on_erase: 'anonymize',
          because: 'Content created by the person keeps an author, named Former member.',
          hidden: ['user_name_key', 'user_email_key', 'user_last_seen_at_key', 'user_search'],
        },
        { table: 'workspace_user', column: 'user_invited_by', subject: 'user', on_erase: 'keep', tells: 'mark', because: AUTHOR },
        { table: 'account_session', column: 'acc_id', subject: 'user', on_erase: 'delete', because: HELD_BY_ACCOUNT },
        { table: 'account_token', column: 'acc_id', subject: 'user', on_erase: 'delete', because: HELD_BY_ACCOUNT },
        { table: 'account', column: 'acc_id', subject: 'user', on_erase: 'anonymize', because: HELD_BY_ACCOUNT },
      ],
      stays: {
        'account_link.link_subject': 'It signs in another person of an issuer; that of the person is removed with the link.',
        'licence.lic_module': 'It is the name of a module.',
        'workspace_user.user_email': OTHERS,
      },
      open: {
        api_key: 'An API key belongs to its owner, and its secret is never shown.',
        account_link: OWN,
        invitation: OWN,
        user_role_link: OWN,
        workspace_user: OWN,
      },
      own: {
        workspace_user: { erase: async ({ user_id }) => (user_id !== null && (await this.members.eraseMembership(user_id)) ? 1 : 0) },
        account_session: { rows: (subject) => this.recordsOf('account_session', subject), erase: () => Promise.resolve(0) },
        account_token: { rows: (subject) => this.recordsOf('account_token', subject), erase: () => Promise.resolve(0) },
        account: {
          rows: (subject) => this.recordsOf('account', subject),
          erase: async ({ user_id }) => (user_id !== null && (await this.members.eraseAccount(user_id)) ? 1 : 0),
        },
      },
    });
  }

  private async recordsOf(table: 'account' | 'account_session' | 'account_token', { user_id }: PersonSubject) {
    return user_id === null ? [] : (await this.members.readAccountRecords(user_id))[table];
  }
}
