import { Text } from '@atrium/platform/database';
import { Accepts, Answer, Body, ListQuery, PageOf, View } from '@atrium/platform/http';
import { File } from '../../core/domain/file';
import { FileVersion } from '../domain/file-version';

@Answer()
export class FileVersionView extends View(FileVersion) {}

export class FileVersionPage extends PageOf(FileVersionView) {}

export class ListFileVersions extends ListQuery(FileVersion, { without: ['fv_id'] }) {}

export class ChangeFileVersion extends Body(FileVersion, { optional: ['fv_note', 'fv_pinned'] }) {}

@Accepts()
export class WriteContent {
  @Text({ computed: true, max: 2 * 1024 * 1024, about: 'The complete text, at most 2 MiB in UTF-8.', example: '# Notes\n' })
  content!: string;
  @Text({ optional: true, computed: true, max: 500, about: 'Note for the new version.' }) fv_note?: string | null;
}

/** Body of POST /files. */
export class CreateFile extends Body(File, { required: ['file_repo', 'file_name'] }) {}
