import { NestedList, Ref, Text } from '@atrium/platform/database';
import { Answer, View } from '@atrium/platform/http';
import { FileJob } from '../domain/file-job';

@Answer()
export class FileJobErrorView {
  @Ref({ about: 'The file.' }) file_id!: string;
  @Text({ about: 'Why nothing was done with it: not_found, permission_denied, in_use, …', example: 'not_found' }) code!: string;
}

/** A file job as whoever asked for it sees it. */
@Answer()
export class FileJobView extends View(FileJob) {
  @NestedList(() => FileJobErrorView, { about: 'The first 100 files that could not be dealt with.' }) override errors!: FileJobErrorView[];
}
