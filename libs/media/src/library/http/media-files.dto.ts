import { Choice, Decimal, Flag, Json, Nested, NestedList, Ref, Stamp, Text, TextList, Whole } from '@atrium/platform/database';
import { acceptParameter, Answer, ListQuery, PageOf } from '@atrium/platform/http';
import type { JsonObject } from '@atrium/platform/kernel';
import { FileView } from '@atrium/files';
import { BUCKETS, FACETS, type BucketSize, type FacetName } from '../application/media-overview.service';
import { LibraryQuery } from './media-filters.dto';

const SORTS =
  'One of `file_created`, `file_updated`, `file_name`, `file_size`, `file_type`, `taken`. A leading `-` sorts in descending order. Any other value: newest first. `embedding_search` and `similar_to` sort by similarity.';
const sortSchema = (description: string): object => ({ type: 'string', maxLength: 64, pattern: '^-?[a-z0-9_]+$', description });

@Answer()
export class AlbumOfFileView {
  @Ref({ about: 'The album.' }) album_id!: string;
  @Text({ about: 'Name of the album.', example: 'Harbour at dusk' }) album_name!: string;
}

/** A file as the media library shows it. */
@Answer()
export class MediaFileView extends FileView {
  @NestedList(() => AlbumOfFileView, { about: 'Albums of the file that you may read.' }) file_albums!: AlbumOfFileView[];
  @Json({ about: 'Tags of the file: values by the name of their group.', example: { Subject: ['Harbour'] } }) media_tags!: JsonObject;
  @Text({
    optional: true,
    max: 4_000,
    format: 'uri',
    about: 'Signed URL of the small rendition, valid for 15 minutes. Null if there is none.',
  })
  file_thumb_url!: string | null;
}

@Answer()
class ListedMediaFileView extends MediaFileView {
  @Decimal({
    omittable: true,
    min: 0,
    max: 1,
    about: 'Similarity to the search. Only with `embedding_search` and `similar_to`.',
    example: 0.83,
  })
  similarity?: number;
}

export class MediaFilePage extends PageOf(ListedMediaFileView) {}

@Answer()
export class PersonOnFileView {
  @Ref({ about: 'The person.' }) person_id!: string;
  @Text({ optional: true, about: 'Name of the person. Null if they have none.' }) person_name!: string | null;
  @Ref({ about: 'The face in this file.' }) face_id!: string;
}

@Answer()
export class AnalysisOfFileView {
  @Ref({ about: 'The analysis.' }) fa_id!: string;
  @Ref({ about: 'Schema of the analysis.' }) fa_schema!: string;
  @Text({ optional: true, about: 'Name of the schema. Null if it was deleted.', example: 'product_photo' }) mas_name!: string | null;
  @Text({ about: 'Status of the analysis.', example: 'completed' }) fa_status!: string;
  @Json({ about: 'Values by field.', example: { dominant_color: '#2f4f6f' } }) fa_result!: JsonObject;
  @Stamp({ about: 'When it last changed.' }) fa_updated!: Date;
}

@Answer()
export class NextStatusView {
  @Text({ about: 'Key of the status.' }) file_status!: string;
  @Text({ about: 'Name of the transition.' }) label!: string;
  @Flag({ about: 'Whether the transition requires a comment.' }) requires_comment!: boolean;
  @TextList({ about: 'Tag groups from which the file still needs a tag.' }) missing_tags!: string[];
}

@Answer()
export class PublicationOfFileView {
  @Ref({ about: 'The publication.' }) pub_id!: string;
  @Text({ about: 'State of the publication.', example: 'published' }) pub_state!: string;
  @Whole({ about: 'Published version, or the version that will be published.', example: 3 }) pub_version!: number;
  @Text({ optional: true, max: 600, format: 'uri', about: 'Permanent URL. Null before the first release.' }) pub_url!: string | null;
  @Stamp({ optional: true, about: 'When the publication starts.' }) pub_start!: Date | null;
  @Stamp({ optional: true, about: 'When the publication ends.' }) pub_end!: Date | null;
}

@Answer()
export class MediaFileDetailView extends MediaFileView {
  @Whole({ about: 'Number of versions of the file.', example: 3 }) version_count!: number;
  @NestedList(() => PersonOnFileView, { about: 'People shown in the file.' }) people!: PersonOnFileView[];
  @NestedList(() => AnalysisOfFileView, { about: 'Latest analysis with each schema.' }) analyses!: AnalysisOfFileView[];
  @NestedList(() => NextStatusView, { about: 'Statuses to which you may move the file next.' }) next_statuses!: NextStatusView[];
  @Nested(() => PublicationOfFileView, { optional: true, about: 'Publication of the file. Null if it is not published.' })
  publication!: PublicationOfFileView | null;
}

/** Query of GET /media-files. */
export class ListMediaFiles extends LibraryQuery({ likeness: true }) {}
acceptParameter(ListMediaFiles, { name: 'sort', kind: 'text', max: 100_000 }, sortSchema(SORTS));

/** Query of GET /albums/{id}/files. */
export class ListAlbumContents extends LibraryQuery({ album: false, likeness: true }) {}
acceptParameter(
  ListAlbumContents,
  { name: 'sort', kind: 'text', max: 100_000 },
  sortSchema(`${SORTS} For a curated album also \`af_position\`, its manual order.`),
);

/** Query of GET /media-files/facets. */
export class CountFacets extends LibraryQuery() {
  facets?: FacetName[];
}
acceptParameter(
  CountFacets,
  { name: 'facets', kind: 'texts', min: 1, max: FACETS.length, filter: 'equals' },
  {
    type: 'array',
    items: { type: 'string', enum: [...FACETS] },
    description: 'Facets to count. Default: all. `tags` returns one entry for every tag group.',
  },
);

/** Query of GET /media-files/timeline. */
export class CountByTime extends LibraryQuery() {
  by?: BucketSize;
}
acceptParameter(
  CountByTime,
  { name: 'by', kind: 'choice', values: Object.keys(BUCKETS) },
  { type: 'string', enum: Object.keys(BUCKETS), default: 'month', description: 'Length of the buckets.' },
);

@Answer()
export class FacetValueView {
  @Text({ about: 'Value, as used in filters.', example: 'image' }) value!: string;
  @Text({ optional: true, about: 'Display name, if it differs from the value.' }) label!: string | null;
  @Whole({ about: 'Number of files with the value.', example: 42 }) count!: number;
}

@Answer()
export class FacetView {
  @Choice(FACETS, { about: 'Name of the facet.' }) facet!: FacetName;
  @Text({ optional: true, about: 'Tag group, for the facet `tags`.', example: 'Subject' }) group!: string | null;
  @NestedList(() => FacetValueView, { about: 'The 50 most frequent values.' }) values!: FacetValueView[];
}

@Answer()
export class FacetsView {
  @NestedList(() => FacetView, { about: 'One entry for each facet, and for `tags` one for each tag group.' }) data!: FacetView[];
  @Flag({ about: 'True if more than 100,000 files match: only the newest 100,000 are counted.' }) sampled!: boolean;
  @Whole({ about: 'Number of files that were counted.', example: 812 }) counted!: number;
}

@Answer()
export class TimelineBucketView {
  @Text({ about: 'Day, month or year in UTC.', example: '2026-05' }) bucket!: string;
  @Whole({ about: 'Number of files.', example: 120 }) count!: number;
}

@Answer()
export class TimelineView {
  @NestedList(() => TimelineBucketView, { about: 'Latest first. Buckets without files are omitted.' }) data!: TimelineBucketView[];
}

@Answer()
export class FormatView {
  @Text({ sort: true, filter: 'equals', about: 'File extension, as used in `file_format`. Empty for names without one.', example: 'jpg' })
  format!: string;
  @Text({ sort: true, filter: 'equals', about: 'MIME type.', example: 'image/jpeg' }) file_type!: string;
  @Text({ sort: true, filter: 'equals', about: 'Kind of file.', example: 'image' }) kind!: string;
  @Whole({ optional: true, sort: true, about: 'Number of files. Null if they were not counted.', example: 42 }) count!: number | null;
}

@Answer()
export class FormatPage extends PageOf(FormatView) {
  @Flag({ about: 'False if more than 500,000 files match: the formats are listed without counts.' }) counted!: boolean;
}

/** Query of GET /media-files/formats. */
export class CountFormats extends ListQuery(FormatView, { whole: true }) {
  album?: string;
}
acceptParameter(CountFormats, { name: 'album', kind: 'id' }, { type: 'string', format: 'uuid', description: 'Only files in this album.' });
