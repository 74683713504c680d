import { ReadableFiles } from '@atrium/files';
import { PersonDataSources } from '@atrium/governance';
import { AclSources } from '@atrium/identity';
import { sql } from '@atrium/platform/database';
import { Injectable } from '@nestjs/common';

const CODE = 'It is a code of the service and contains no text that a person wrote.';
const AUTHOR = 'Albums belong to the workspace; who created and filled them is kept by id, which no longer refers to a name.';
const DECIDED = 'Decisions about duplicates are kept with ids that no longer refer to a name.';
const ANALYSED = 'Analysis results belong to the workspace; who requested them is kept by id, which no longer refers to a name.';
const SHOWN = 'Faces and people belong to the workspace; who marked or decided is kept by id, which no longer refers to a name.';
const OWN_LIKING = 'Personal favorites are removed with the person.';

/** What all areas keep of people: each context registers its columns once. */
@Injectable()
export class MediaOfPeople {
  constructor(sources: PersonDataSources, acls: AclSources, files: ReadableFiles) {
    sources.register({
      context: 'media',
      order: 100,
      tables: [
        { table: 'file_analysis', column: 'fa_created_by', subject: 'user', on_erase: 'keep', tells: 'mark', because: ANALYSED },
        { table: 'file_analysis', column: 'fa_joined_by', subject: 'user', on_erase: 'keep', tells: 'mark', because: ANALYSED },
        {
          table: 'album',
          column: 'album_created_by',
          subject: 'user',
          on_erase: 'keep',
          because: AUTHOR,
          hidden: ['album_name_key', 'album_fts', 'album_acl'],
        },
        { table: 'album_file', column: 'af_added_by', subject: 'user', on_erase: 'keep', because: AUTHOR },
        { table: 'file_tag', column: 'ft_created_by', subject: 'user', on_erase: 'keep', tells: 'mark', because: AUTHOR },
        {
          table: 'face',
          column: 'face_decided_by',
          subject: 'user',
          on_erase: 'keep',
          tells: 'mark',
          because: SHOWN,
          hidden: ['face_embedding', 'face_crop'],
        },
        { table: 'face_rejection', column: 'fr_created_by', subject: 'user', on_erase: 'keep', tells: 'mark', because: SHOWN },
        { table: 'person', column: 'person_created_by', subject: 'user', on_erase: 'keep', because: SHOWN, hidden: ['person_name_key'] },
        { table: 'person_merge', column: 'pm_created_by', subject: 'user', on_erase: 'keep', tells: 'mark', because: SHOWN },
        { table: 'person_pref', column: 'user_id', subject: 'user', on_erase: 'delete', because: OWN_LIKING },
        { table: 'stock_import', column: 'si_created_by', subject: 'user', on_erase: 'keep', tells: 'mark', because: SHOWN },
        { table: 'duplicate_group', column: 'dup_closed_by', subject: 'user', on_erase: 'keep', tells: 'mark', because: DECIDED },
        { table: 'duplicate_dismissal', column: 'dd_created_by', subject: 'user', on_erase: 'keep', tells: 'mark', because: DECIDED },
      ],
      stays: {
        'consent_expiry_position.cl_source': CODE,
        'media_tag_word.mtw_word': 'It is computed from the tag and updated with it.',
        'stock_import.si_ping': 'It is the usage report to the stock photo collection and names only the asset.',
        'stock_import.si_stock': CODE,
      },
      open: { person_pref: 'Favorites are visible only to the person.' },
      own: {
        album_file: {
          readable: (reader) =>
            sql`(${acls.readableByCondition('album', sql`r.af_album`, reader)} AND ${files.openBy(sql`r.af_file`, reader)})`,
        },
        person: { readable: (reader) => (reader === null || reader.permissions.has('media:view') ? sql`true` : sql`false`) },
      },
    });
  }
}
