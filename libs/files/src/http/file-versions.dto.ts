import { Flag, Text } from '@atrium/platform/database';
import { Accepts, Answer, Body, ListQuery, PageOf, View } from '@atrium/platform/http';
import { FileVersion } from '../domain/file-version';
import { Upload } from '../domain/upload';

@Answer()
export class FileVersionView extends View(FileVersion) {}

export class FileVersionPage extends PageOf(FileVersionView) {}

export class ListFileVersions extends ListQuery(FileVersion, { without: ['fv_id'] }) {}

export class ChangeFileVersion extends Body(FileVersion, { optional: ['fv_note', 'fv_pinned'] }) {}

@Accepts()
export class OpenFileVersion extends Body(Upload, { required: ['file_size'], optional: ['file_name', 'file_type', 'file_hash'] }) {
  @Text({ optional: true, computed: true, max: 500, about: 'Note for the new version.' }) fv_note?: string | null;
  @Flag({
    omittable: true,
    computed: true,
    about: 'Whether to upload in parts although the file is smaller than 64 MiB. The minimum is 5 MiB.',
  })
  upl_multipart?: boolean;
}

@Accepts()
export class WriteContent {
  @Text({ computed: true, max: 2 * 1024 * 1024, about: 'The complete text, at most 2 MiB in UTF-8.', example: '# Notes\n' })
  content!: string;
  @Text({ optional: true, computed: true, max: 500, about: 'Note for the new version.' }) fv_note?: string | null;
}
