import { ReadableFiles } from '@atrium/files';
import { PersonDataSources } from '@atrium/governance';
import { AclSources } from '@atrium/identity';
import { sql } from '@atrium/platform/database';
import { Injectable } from '@nestjs/common';

const CODE = 'It is a code of the service, and holds nothing that somebody wrote.';
const AUTHOR = 'Albums belong to the workspace; who made and filled them stays known by their id, which names nobody any more.';
const DECIDED = 'What was decided about duplicates stays, by ids that name nobody any more.';
const ANALYSED = 'What was found out about files belongs to the workspace; who asked stays known by an id that names nobody any more.';
const SHOWN = 'Faces and people belong to the workspace; who marked or decided stays known by an id that names nobody any more.';
const OWN_LIKING = 'What somebody marked for themselves alone goes with them.';

/** What all areas keep of people: each context registers its columns once. */
@Injectable()
export class MediaOfPeople {
  constructor(sources: PersonDataSources, acls: AclSources, files: ReadableFiles) {
    sources.register({
      context: 'media',
      order: 100,
      tables: [
        { table: 'file_analysis', column: 'fa_created_by', subject: 'user', on_erase: 'keep', tells: 'mark', because: ANALYSED },
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
        'consent_look.cl_source': CODE,
        'media_tag_word.mtw_word': 'It is computed from the tag, and follows it.',
        'stock_import.si_ping': 'It is what the stock is told of a use, and names the asset alone.',
        'stock_import.si_stock': CODE,
      },
      open: { person_pref: 'Marks are seen by the person alone.' },
      own: {
        album_file: {
          readable: (reader) => sql`(${acls.readableBy('album', sql`r.af_album`, reader)} AND ${files.openBy(sql`r.af_file`, reader)})`,
        },
        person: { readable: (reader) => (reader === null || reader.permissions.has('media:view') ? sql`true` : sql`false`) },
      },
    });
  }
}
