import { Choice, Id, Ref, Resource, Stamp, TenantRow } from '@atrium/platform/database';

/** That a file came into a smart album's view or left it, and when that was found out. */
@Resource({ table: 'album_change', sort: '-ac_created' })
export class AlbumChange extends TenantRow {
  @Id({ about: 'Id of the change.' }) readonly ac_id!: string;
  @Ref({ about: 'The smart album.' }) readonly ac_album!: string;
  @Ref({ about: 'The file. It may have been deleted since.', filter: 'equals' }) readonly ac_file!: string;
  @Choice(['entered', 'left'], { about: 'Whether the file was added or removed.', filter: 'equals' }) readonly ac_change!:
    'entered' | 'left';
  @Stamp({ about: 'When the change was detected.', sort: true }) readonly ac_created!: Date;
}
