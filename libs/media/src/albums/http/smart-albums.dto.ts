import { Flag, Json, NestedList, Ref, Text } from '@atrium/platform/database';
import { acceptParameter, Accepts, Answer, Body, ListQuery, PageOf, View } from '@atrium/platform/http';
import type { JsonObject } from '@atrium/platform/kernel';
import { Album } from '../domain/album';
import { AlbumChange } from '../application/smart-album-changes';

const QUERY_BYTES = 32 * 1024;
const QUERY_EXAMPLE = {
  where: {
    all: [
      { field: 'kind', op: 'eq', value: 'image' },
      { field: 'taken', op: 'within', value: 'P1Y' },
    ],
  },
};

@Accepts()
class Filter {
  @Json({ max: QUERY_BYTES, about: 'Filter of the album in the search language; at most 32 KB.', example: QUERY_EXAMPLE })
  query_search!: JsonObject;
}

@Accepts()
class ChangedFilter {
  @Json({ omittable: true, max: QUERY_BYTES, about: 'New filter of the album in the search language.', example: QUERY_EXAMPLE })
  query_search?: JsonObject;
}

export class CreateSmartAlbum extends Body(Album, { required: ['album_name'], optional: ['album_description'], with: Filter }) {}

export class ChangeSmartAlbum extends Body(Album, { optional: ['album_name', 'album_description'], with: ChangedFilter }) {}

/** Query of GET /albums/{id}/explain. */
export class ExplainFile {
  file_id!: string;
}
acceptParameter(
  ExplainFile,
  { name: 'file_id', kind: 'id', about: 'File to explain.' },
  { type: 'string', format: 'uuid', description: 'File to explain.' },
  true,
);

@Answer()
export class AlbumLeafView {
  @Text({ about: 'Path of the condition in the filter.', example: 'where.all[0]' }) path!: string;
  @Json({ about: 'The condition.', example: { field: 'kind', op: 'eq', value: 'image' } }) leaf!: JsonObject;
  @Flag({ about: 'Whether the file meets it.' }) matched!: boolean;
}

@Answer()
export class ExplanationView {
  @Ref({ about: 'The file.' }) file_id!: string;
  @Flag({ about: 'Whether you see the file in the album.' }) matched!: boolean;
  @NestedList(() => AlbumLeafView, { about: 'Result of each condition, in the order of the filter.' }) leaves!: AlbumLeafView[];
}

@Answer()
class AlbumChangeView extends View(AlbumChange) {}

export class AlbumChangePage extends PageOf(AlbumChangeView) {}

/** Query of GET /albums/{id}/changes. */
export class ListAlbumChanges extends ListQuery(AlbumChange) {
  since?: Date;
}
acceptParameter(ListAlbumChanges, { name: 'since', kind: 'stamp', about: 'Only changes detected from this time on.' });
