import { Choice, Decimal, Flag, Json, Nested, NestedList, Ref, Stamp, Text, TextList, Whole } from '@atrium/platform/database';
import { acceptParameter, Answer, ListQuery, PageOf } from '@atrium/platform/http';
import type { JsonObject } from '@atrium/platform/kernel';
import { FileView } from '@atrium/files';
import { BUCKETS, FACETS, type BucketSize, type FacetName } from '../application/media-overview.service';
import { LibraryQuery } from './media-filters.dto';

const SORTS =
  'One of `file_created`, `file_updated`, `file_name`, `file_size`, `file_type`, `taken`; `-` in front for descending. Anything else: the newest first. With `embedding_search` and `similar_to` the order is that of similarity.';
const sortSchema = (description: string): object => ({ type: 'string', maxLength: 64, pattern: '^-?[a-z0-9_]+$', description });

@Answer()
export class AlbumOfFileView {
  @Ref({ about: 'The album.' }) album_id!: string;
  @Text({ about: 'Its name.', example: 'Harbour at dusk' }) album_name!: string;
}

/** A file as the media library shows it. */
@Answer()
export class MediaFileView extends FileView {
  @NestedList(() => AlbumOfFileView, { about: 'Albums that hold it and that the caller may read.' }) file_albums!: AlbumOfFileView[];
  @Json({ about: 'Its tags: values by the name of their group.', example: { Subject: ['Harbour'] } }) media_tags!: JsonObject;
  @Text({
    optional: true,
    max: 4_000,
    format: 'uri',
    about: 'Signed address of the small rendition, good for 15 minutes; null without one.',
  })
  file_thumb_url!: string | null;
}

@Answer()
class ListedMediaFileView extends MediaFileView {
  @Decimal({
    omittable: true,
    min: 0,
    max: 1,
    about: 'How much it resembles what was asked for; with `embedding_search` and `similar_to` only.',
    example: 0.83,
  })
  similarity?: number;
}

export class MediaFilePage extends PageOf(ListedMediaFileView) {}

@Answer()
export class PersonOnFileView {
  @Ref({ about: 'The person.' }) person_id!: string;
  @Text({ optional: true, about: 'Name; null for people without one.' }) person_name!: string | null;
  @Ref({ about: 'The face on this file.' }) face_id!: string;
}

@Answer()
export class AnalysisOfFileView {
  @Ref({ about: 'The analysis.' }) fa_id!: string;
  @Ref({ about: 'Its schema.' }) fa_schema!: string;
  @Text({ optional: true, about: 'Name of the schema; null when it was deleted.', example: 'product_photo' }) mas_name!: string | null;
  @Text({ about: 'Its status.', example: 'completed' }) fa_status!: string;
  @Json({ about: 'Values that were found, by field.', example: { dominant_color: '#2f4f6f' } }) fa_result!: JsonObject;
  @Stamp({ about: 'When it last changed.' }) fa_updated!: Date;
}

@Answer()
export class NextStatusView {
  @Text({ about: 'The state.' }) file_status!: string;
  @Text({ about: 'Name of the transition.' }) label!: string;
  @Flag({ about: 'Whether the transition requires a comment.' }) requires_comment!: boolean;
  @TextList({ about: 'Groups of which the file still needs a tag.' }) missing_tags!: string[];
}

@Answer()
export class PublicationOfFileView {
  @Ref({ about: 'The publication.' }) pub_id!: string;
  @Text({ about: 'Its state.', example: 'published' }) pub_state!: string;
  @Whole({ about: 'Version that is live, or will be.', example: 3 }) pub_version!: number;
  @Text({ optional: true, max: 600, format: 'uri', about: 'Its permanent address; null before it is first released.' }) pub_url!:
    string | null;
  @Stamp({ optional: true, about: 'From when on it is there.' }) pub_start!: Date | null;
  @Stamp({ optional: true, about: 'Until when.' }) pub_end!: Date | null;
}

@Answer()
export class MediaFileDetailView extends MediaFileView {
  @Whole({ about: 'Versions of the file.', example: 3 }) version_count!: number;
  @NestedList(() => PersonOnFileView, { about: 'The people on it.' }) people!: PersonOnFileView[];
  @NestedList(() => AnalysisOfFileView, { about: 'The latest analysis of each schema.' }) analyses!: AnalysisOfFileView[];
  @NestedList(() => NextStatusView, { about: 'The statuses that the caller may give it next.' }) next_statuses!: NextStatusView[];
  @Nested(() => PublicationOfFileView, { optional: true, about: 'Publication of the file; null when it is not published.' })
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
  sortSchema(`${SORTS} Of a curated album also \`af_position\`, its manual order.`),
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
    description: 'Which facets; all when absent. `tags` brings one for every group of tags.',
  },
);

/** Query of GET /media-files/timeline. */
export class CountByTime extends LibraryQuery() {
  by?: BucketSize;
}
acceptParameter(
  CountByTime,
  { name: 'by', kind: 'choice', values: Object.keys(BUCKETS) },
  { type: 'string', enum: Object.keys(BUCKETS), default: 'month', description: 'Length of a bucket.' },
);

@Answer()
export class FacetValueView {
  @Text({ about: 'The value, as filters take it.', example: 'image' }) value!: string;
  @Text({ optional: true, about: 'What people call it, where that is something else.' }) label!: string | null;
  @Whole({ about: 'Files that have it.', example: 42 }) count!: number;
}

@Answer()
export class FacetView {
  @Choice(FACETS, { about: 'The property.' }) facet!: FacetName;
  @Text({ optional: true, about: 'Of tags: the group.', example: 'Subject' }) group!: string | null;
  @NestedList(() => FacetValueView, { about: 'Its 50 most frequent values.' }) values!: FacetValueView[];
}

@Answer()
export class FacetsView {
  @NestedList(() => FacetView, { about: 'One entry a facet, one for every group of tags.' }) data!: FacetView[];
  @Flag({ about: 'True where more than 100,000 files match: the counts are those of the newest 100,000.' }) sampled!: boolean;
  @Whole({ about: 'Files that were counted over.', example: 812 }) counted!: number;
}

@Answer()
export class TimelineBucketView {
  @Text({ about: 'The day, month or year in UTC.', example: '2026-05' }) bucket!: string;
  @Whole({ about: 'Files taken in it.', example: 120 }) count!: number;
}

@Answer()
export class TimelineView {
  @NestedList(() => TimelineBucketView, { about: 'The latest first; buckets without a file are left out.' }) data!: TimelineBucketView[];
}

@Answer()
export class FormatView {
  @Text({ sort: true, filter: 'equals', about: 'Extension, as `file_format` takes it; empty for names without one.', example: 'jpg' })
  format!: string;
  @Text({ sort: true, filter: 'equals', about: 'MIME type.', example: 'image/jpeg' }) file_type!: string;
  @Text({ sort: true, filter: 'equals', about: 'Kind of file.', example: 'image' }) kind!: string;
  @Whole({ optional: true, sort: true, about: 'Files; null where they were not counted.', example: 42 }) count!: number | null;
}

@Answer()
export class FormatPage extends PageOf(FormatView) {
  @Flag({ about: 'False when more than 500,000 files match: the formats are then listed without counts.' }) counted!: boolean;
}

/** Query of GET /media-files/formats. */
export class CountFormats extends ListQuery(FormatView, { whole: true }) {
  album?: string;
}
acceptParameter(
  CountFormats,
  { name: 'album', kind: 'id' },
  { type: 'string', format: 'uuid', description: 'Of the files in this album only.' },
);
