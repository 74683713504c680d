import { Injectable } from '@nestjs/common';
import { PersonDataSources } from '@atrium/governance';
import { AclSources } from '@atrium/identity';
import { raw, sql } from '@atrium/platform/database';

const AUTHOR = 'Posts belong to the workspace. The id of the author remains, but no longer identifies anyone.';
const CONNECTED =
  'Connections belong to the workspace. The id of the person who connected the account remains, but no longer identifies anyone.';
const STARTED = 'An authorization that a person started; it expires after 10 minutes.';
const CODE = 'It is a code of the service or of the platform and contains no text that a person wrote.';
const ADDRESS = 'It is the id or the address of a published post or of an account at its platform, by which the service reaches it.';

/** What social posts and connections keep of people. */
@Injectable()
export class PostsOfPeople {
  constructor(sources: PersonDataSources, acls: AclSources) {
    const ofPost = (id: string) => (reader: Parameters<AclSources['readableByCondition']>[2]) =>
      acls.readableByCondition('social_post', raw(`r.${id}`), reader);
    const ofVariant = (id: string) => (reader: Parameters<AclSources['readableByCondition']>[2]) =>
      sql`EXISTS (SELECT FROM social_variant v WHERE v.tenant_id = r.tenant_id AND v.spv_id = ${raw(`r.${id}`)} AND ${acls.readableByCondition('social_post', sql`v.spv_post`, reader)})`;
    sources.register({
      context: 'social',
      order: 104,
      tables: [
        {
          table: 'social_post',
          column: 'sp_created_by',
          subject: 'user',
          on_erase: 'keep',
          because: AUTHOR,
          hidden: ['sp_acl', 'sp_schedule_key'],
        },
        { table: 'social_post', column: 'sp_updated_by', subject: 'user', on_erase: 'keep', tells: 'mark', because: AUTHOR },
        { table: 'social_post', column: 'sp_scheduled_by', subject: 'user', on_erase: 'keep', tells: 'mark', because: AUTHOR },
        {
          table: 'social_connection',
          column: 'con_connected_by',
          subject: 'user',
          on_erase: 'keep',
          because: CONNECTED,
          hidden: ['con_access', 'con_refresh'],
        },
        { table: 'social_auth', column: 'auth_user', subject: 'user', on_erase: 'delete', because: STARTED, hidden: ['auth_state_hash'] },
      ],
      stays: {
        'social_connection.con_account_id': ADDRESS,
        'social_target.tgt_external_id': ADDRESS,
        'social_variant.spv_external_id': ADDRESS,
        'social_variant.spv_url': ADDRESS,
        'social_variant.spv_body_hash': CODE,
        'social_variant.spv_assets': CODE,
        'social_attempt.spa_request_id': CODE,
      },
      open: { social_auth: 'Authorizations show what the person started.' },
      own: {
        social_connection: {
          readable: (reader) => (reader?.permissions.has('admin:social') ? sql`r.con_removed IS NULL` : sql`false`),
        },
        social_target: { readable: (reader) => (reader === null || reader.permissions.has('social:view') ? sql`true` : sql`false`) },
        social_slot: { readable: (reader) => (reader === null || reader.permissions.has('social:view') ? sql`true` : sql`false`) },
        social_variant: { readable: ofPost('spv_post') },
        social_post_file: { readable: ofPost('spf_post') },
        social_attempt: { readable: ofVariant('spa_variant') },
        social_metric: { readable: ofVariant('spm_variant') },
      },
    });
  }
}
