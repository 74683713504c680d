import { NestedList, Ref, Text } from '@atrium/platform/database';
import { Answer, View } from '@atrium/platform/http';
import { FileJob } from '../domain/file-job';

@Answer()
export class FileJobErrorView {
  @Ref({ optional: true, about: 'The file; null where there is none yet, as of an import that failed.' }) file_id!: string | null;
  @Text({ about: 'Why nothing was done with it: not_found, permission_denied, in_use, unprocessable_content, …', example: 'not_found' })
  code!: string;
}

/** A file job as its creator sees it. */
@Answer()
export class FileJobView extends View(FileJob) {
  @NestedList(() => FileJobErrorView, { about: 'The first 100 files that could not be processed.' }) override errors!: FileJobErrorView[];
}
