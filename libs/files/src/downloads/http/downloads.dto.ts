import { Choice, IdList, NestedList, Ref, Text } from '@atrium/platform/database';
import { acceptParameter, Accepts, Answer, ListQuery, PageOf, View } from '@atrium/platform/http';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { DOWNLOAD_SIZES, DownloadJob, type DownloadSize, type SkippedFile } from '../domain/download-job';
import { RENDITIONS, type RenditionName } from '../../blobs/domain/renditions';

/** Query of the download-url operations. */
export class DownloadUrlQuery {
  size?: RenditionName;
}
acceptParameter(
  DownloadUrlQuery,
  { name: 'size', kind: 'choice', values: RENDITIONS },
  { type: 'string', enum: [...RENDITIONS], description: 'Rendition to download instead of the original.' },
);

/** `thumbnail` is another word for `small`. */
export const REPLICAS = ['thumbnail', ...RENDITIONS, 'original'] as const;

/** Query of GET /files/{id}/image-data. */
export class ImageQuery {
  replica?: (typeof REPLICAS)[number];
}
acceptParameter(
  ImageQuery,
  { name: 'replica', kind: 'choice', values: REPLICAS, max: 256 },
  { type: 'string', enum: [...REPLICAS], default: 'large', description: 'Size of the picture; `thumbnail` is the same as `small`.' },
);

/** Body of POST /files/actions/download. */
@Accepts()
export class DownloadFiles {
  @IdList({ min: 1, max: 100, about: 'The files.' }) file_ids!: string[];
  @Choice(DOWNLOAD_SIZES, { optional: true, about: 'Size of pictures. The original is used if a rendition is not available.' })
  size?: DownloadSize | null;
}

/** Body of POST /download-jobs. */
@Accepts()
export class OrderDownload {
  @IdList({ min: 1, max: 10_000, about: 'The files.' }) file_ids!: string[];
  @Choice(DOWNLOAD_SIZES, { optional: true, about: 'Size of pictures. The original is used if a rendition is not available.' })
  size?: DownloadSize | null;
}

@Answer()
export class SkippedFileView {
  @Ref({ about: 'The file.' }) file_id!: string;
  @Choice(['not_found', 'unavailable', 'lost'], {
    about: 'Reason: the file does not exist any more, is in quarantine, is blocked by its status, or its content could not be read.',
  })
  reason!: SkippedFile['reason'];
}

@Answer()
export class DownloadJobView extends View(DownloadJob) {
  @NestedList(() => SkippedFileView, { about: 'Files that the archive does not contain; empty if you may not download files.' })
  override skipped!: SkippedFileView[];
  @ApiPropertyOptional({
    type: 'string',
    format: 'uri',
    description:
      'Signed URL of the archive, valid for an hour. Present once the job is completed, renewed on every read; for an API key only if it started the job.',
  })
  download_url?: string;
}

export class DownloadJobPage extends PageOf(DownloadJobView) {}

/** Query of GET /download-jobs. */
export class ListDownloadJobs extends ListQuery(DownloadJob) {}

@Answer()
export class DownloadJobStateView {
  @Ref({ about: 'The job.' }) job_id!: string;
  @Text({ about: 'Current status.', example: 'cancelled' }) status!: string;
}
