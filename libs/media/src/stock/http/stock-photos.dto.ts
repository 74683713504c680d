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
acceptParameter(SearchStock, { name: 'provider', kind: 'text', min: 1, max: 20, about: 'One collection alone, by its key.' });
acceptParameter(SearchStock, { name: 'orientation', kind: 'choice', values: STOCK_ORIENTATIONS, about: 'Orientation of the photo.' });
acceptParameter(SearchStock, { name: 'color', kind: 'choice', values: STOCK_COLORS, about: 'Its color.' });
acceptParameter(
  SearchStock,
  { name: 'limit', kind: 'whole', min: 1, max: 50 },
  { type: 'integer', minimum: 1, maximum: 50, default: 20, description: 'Photos on a page; each collection brings its share.' },
);
acceptParameter(
  SearchStock,
  { name: 'cursor', kind: 'text', max: 16 },
  { type: 'string', maxLength: 16, description: '`next_cursor` of the page before.' },
);
acceptParameter(
  SearchStock,
  { name: 'q', kind: 'text', min: 1, max: 200 },
  { type: 'string', minLength: 1, maxLength: 200, description: 'What is to be seen; required.' },
);

@Answer()
export class StockProviderView {
  @Text({ sort: true, about: 'Key of the collection.', example: 'unsplash' }) key!: string;
  @Flag({ sort: true, filter: 'equals', about: 'Whether it can be searched here.' }) configured!: boolean;
  @Flag({ about: 'Whether its photos are shown with the name of their author.' }) attribution_required!: boolean;
  @TextList({ about: 'Sizes that photos are imported in.', example: [...STOCK_SIZES] }) sizes!: string[];
}

export class StockProviderPage extends PageOf(StockProviderView) {}
export class ListStockProviders extends ListQuery(StockProviderView, { whole: true }) {}

@Answer()
export class StockPhotoView {
  @Text({ about: 'Names the photo: the key of its collection, a colon, its id there.', example: 'unsplash:LBI7cgq3pbM' }) stock_id!: string;
  @Text({ optional: true, about: 'What it shows.', example: 'Boats in a harbour' }) title!: string | null;
  @Text({ about: 'Photographer.', example: 'Ada Lovelace' }) author!: string;
  @Text({ max: 2_000, about: 'Page of the author.' }) author_url!: string;
  @Text({ max: 2_000, about: 'Page of the photo.' }) page_url!: string;
  @Text({ max: 4_000, about: 'Address of a small picture at the collection.' }) preview_url!: string;
  @Whole({ about: 'Width in pixels.', example: 4_000 }) width!: number;
  @Whole({ about: 'Height in pixels.', example: 3_000 }) height!: number;
  @Text({ optional: true, about: 'Its main color.', example: '#26408c' }) color!: string | null;
  @Text({ about: 'The license it is used under.', example: 'Unsplash License' }) license!: string;
  @Text({ about: 'Where that license is written.', example: 'https://unsplash.com/license' }) license_url!: string;
  @Ref({ optional: true, about: 'The file of the library that it became; null when it was not imported.' }) already_imported!:
    string | null;
}

@Answer()
export class StockWarningView {
  @Text({ about: 'Collection that could not be searched.', example: 'pexels' }) provider!: string;
  @Text({ about: 'Code of the problem.', example: 'upstream_failed' }) code!: string;
  @Text({ about: 'What happened.' }) detail!: string;
}

@Answer()
export class StockPageView {
  @NestedList(() => StockPhotoView, { about: 'The photos, those of each collection in turn.' }) data!: StockPhotoView[];
  @Flag({ about: 'True when there are more.' }) has_more!: boolean;
  @Text({ optional: true, about: 'Pass back as `cursor` for the next page; null on the last one.' }) next_cursor!: string | null;
  @NestedList(() => StockWarningView, { about: 'Collections that could not be searched.' }) warnings!: StockWarningView[];
}

/** Body of POST /stock-photos/{stock_id}/import. */
@Accepts()
export class ImportStock {
  @Choice(STOCK_SIZES, { omittable: true, about: 'Size to be imported; `original` when absent.' }) size?: StockSize;
  @IdList({ omittable: true, max: 100, about: 'Albums to add the files to.' }) album_ids?: string[];
  @Json({ omittable: true, about: 'Tags: lists of values by the names of their groups.', example: { Subject: ['Harbour'] } })
  media_tags?: JsonObject;
  @Text({ optional: true, min: 1, max: 255, about: 'Name of the file; else made of the title.', example: 'harbour.jpg' }) file_name?:
    string | null;
  @Flag({ omittable: true, about: 'Import it again where it was imported before.' }) duplicate?: boolean;
}
