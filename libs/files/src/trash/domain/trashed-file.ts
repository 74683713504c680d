import { Ref, Resource, Stamp } from '@atrium/platform/database';
import { File } from '../../core/domain/file';

/** A file as the trash shows it: with when and by whom it was deleted, and when it goes for good. */
@Resource({ table: 'file', sort: '-file_deleted' })
export class TrashedFile extends File {
  @Stamp({ optional: true, about: 'When it was moved to the trash.', filter: 'range', sort: true }) override file_deleted!: Date | null;
  @Ref({ optional: true, about: 'User who deleted it.', filter: 'equals' }) override file_deleted_by!: string | null;
  @Stamp({ optional: true, about: 'When it is permanently deleted.' }) override file_purge_at!: Date | null;
}
