import { Choice, Flag, IdList, Json, NestedList, Ref, Text, TextList, Whole } from '@atrium/platform/database';
import { Accepts, acceptParameter, Answer, ListQuery, PageOf } from '@atrium/platform/http';
import type { JsonObject } from '@atrium/platform/kernel';
import type { StockQuery } from '../application/stock-photos.service';
import { STOCK_COLORS, STOCK_ORIENTATIONS, STOCK_SIZES, type StockSize } from '../domain/stock-provider';

/** Query of GET /stock-photos. */
export class SearchStock {
  q!: string;
  provider?: string;
  orientation?: StockQuery['orientation'];
  color?: StockQuery['color'];
  limit?: number;
  cursor?: string;
}
acceptParameter(SearchStock, { name: 'provider', kind: 'text', min: 1, max: 20, about: 'Only this collection, by its key.' });
acceptParameter(SearchStock, { name: 'orientation', kind: 'choice', values: STOCK_ORIENTATIONS, about: 'Orientation of the photo.' });
acceptParameter(SearchStock, { name: 'color', kind: 'choice', values: STOCK_COLORS, about: 'Color of the photo.' });
acceptParameter(
  SearchStock,
  { name: 'limit', kind: 'whole', min: 1, max: 50 },
  { type: 'integer', minimum: 1, maximum: 50, default: 20, description: 'Photos per page; each collection contributes a share.' },
);
acceptParameter(
  SearchStock,
  { name: 'cursor', kind: 'text', max: 16 },
  { type: 'string', maxLength: 16, description: '`next_cursor` of the previous page.' },
);
acceptParameter(
  SearchStock,
  { name: 'q', kind: 'text', min: 1, max: 200 },
  { type: 'string', minLength: 1, maxLength: 200, description: 'Search text; required.' },
);

@Answer()
export class StockProviderView {
  @Text({ sort: true, about: 'Key of the collection.', example: 'unsplash' }) key!: string;
  @Flag({ sort: true, filter: 'equals', about: 'Whether the collection is configured and can be searched.' }) configured!: boolean;
  @Flag({ about: 'Whether its photos must be shown with the name of their author.' }) attribution_required!: boolean;
  @TextList({ about: 'Sizes in which photos can be imported.', example: [...STOCK_SIZES] }) sizes!: string[];
}

export class StockProviderPage extends PageOf(StockProviderView) {}
export class ListStockProviders extends ListQuery(StockProviderView, { whole: true }) {}

@Answer()
export class StockPhotoView {
  @Text({ about: 'Id of the photo: the key of its collection, a colon, and its id there.', example: 'unsplash:LBI7cgq3pbM' })
  stock_id!: string;
  @Text({ optional: true, about: 'Title of the photo.', example: 'Boats in a harbour' }) title!: string | null;
  @Text({ about: 'Photographer.', example: 'Ada Lovelace' }) author!: string;
  @Text({ max: 2_000, about: 'Page of the author.' }) author_url!: string;
  @Text({ max: 2_000, about: 'Page of the photo.' }) page_url!: string;
  @Text({ max: 4_000, about: 'URL of a small preview at the collection.' }) preview_url!: string;
  @Whole({ about: 'Width in pixels.', example: 4_000 }) width!: number;
  @Whole({ about: 'Height in pixels.', example: 3_000 }) height!: number;
  @Text({ optional: true, about: 'Main color of the photo.', example: '#26408c' }) color!: string | null;
  @Text({ about: 'Name of the license.', example: 'Unsplash License' }) license!: string;
  @Text({ about: 'URL of the license text.', example: 'https://unsplash.com/license' }) license_url!: string;
  @Ref({ optional: true, about: 'Library file of an earlier import. Null if the photo was not imported.' }) already_imported!:
    string | null;
}

@Answer()
export class StockWarningView {
  @Text({ about: 'Collection that could not be searched.', example: 'pexels' }) provider!: string;
  @Text({ about: 'Problem code.', example: 'upstream_failed' }) code!: string;
  @Text({ about: 'Explanation of the problem.' }) detail!: string;
}

@Answer()
export class StockPageView {
  @NestedList(() => StockPhotoView, { about: 'The photos. Photos of the collections alternate.' }) data!: StockPhotoView[];
  @Flag({ about: 'Whether there are more photos.' }) has_more!: boolean;
  @Text({ optional: true, about: 'Pass as `cursor` for the next page. Null on the last page.' }) next_cursor!: string | null;
  @NestedList(() => StockWarningView, { about: 'Collections that could not be searched.' }) warnings!: StockWarningView[];
}

/** Body of POST /stock-photos/{stock_id}/import. */
@Accepts()
export class ImportStock {
  @Choice(STOCK_SIZES, { omittable: true, about: 'Size to import. Default: `original`.' }) size?: StockSize;
  @IdList({ omittable: true, max: 100, about: 'Albums to add the files to.' }) album_ids?: string[];
  @Json({ omittable: true, about: 'Tags: lists of values by the name of their group.', example: { Subject: ['Harbour'] } })
  media_tags?: JsonObject;
  @Text({ optional: true, min: 1, max: 255, about: 'Name of the file. Default: derived from the title.', example: 'harbour.jpg' })
  file_name?: string | null;
  @Flag({ omittable: true, about: 'Whether to import the photo again if it was imported before.' }) duplicate?: boolean;
}
