import { Body as FromBody, Controller, Get, Param, Post, Query, Res } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { FileView, type FileJobRow, type FileRow } from '@atrium/files';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import { pageOfRows, type Page } from '@atrium/platform/database';
import { Problems, Returns } from '@atrium/platform/http';
import { invalidField } from '@atrium/platform/kernel';
import type { Response } from 'express';
import { StockImports } from '../application/stock-imports';
import { StockPhotos, type ListedPhoto, type StockPage, type StockProviderLine } from '../application/stock-photos.service';
import { acceptedJob, MayStart } from '../../shared/file-job-answers';
import {
  ImportStock,
  ListStockProviders,
  SearchStock,
  StockPageView,
  StockPhotoView,
  StockProviderPage,
  StockProviderView,
} from './stock-photos.dto';

const STOCK_ID = ApiParam({
  name: 'stock_id',
  description: 'Key of the collection, a colon, and the id of the photo in it.',
  schema: { type: 'string', maxLength: 85 },
  example: 'unsplash:LBI7cgq3pbM',
});

/** Photos of stock collections. */
@ApiTags('Stock photos')
@Controller('stock-photos')
export class StockPhotosController {
  constructor(
    private readonly photos: StockPhotos,
    private readonly imports: StockImports,
  ) {}

  /**
   * Lists the stock photo collections.
   *
   * Without `limit`, one page contains all of them.
   */
  @Get('providers')
  @Policy({ any: ['media:view'] })
  @Returns(StockProviderPage, 'The collections.')
  providers(@Query() query: ListStockProviders): Page<StockProviderLine> {
    return pageOfRows(StockProviderView, this.photos.listProviders(), query, ({ key }) => key);
  }

  /**
   * Searches stock photos in all configured collections.
   *
   * Photos of the collections alternate. A collection that fails is listed in `warnings`; 429 with `Retry-After` if all of them are at
   * their limits, 501 if none is configured.
   */
  @Get()
  @Named('searchStockPhotos')
  @Policy({ any: ['media:view'] }, { rate: 'search' })
  @Returns(StockPageView, 'A page of photos.')
  @Problems('not_configured', 'rate_limited', 'upstream_failed', 'upstream_timeout')
  search(@Query() query: SearchStock): Promise<StockPage> {
    if (query.q === undefined) throw invalidField('q', 'is required', 'required');
    return this.photos.searchPhotos(query);
  }

  /**
   * Reads one stock photo.
   */
  @Get(':stock_id')
  @STOCK_ID
  @Policy({ any: ['media:view'] })
  @Returns(StockPhotoView, 'The photo.')
  @Problems('not_found', 'not_configured', 'rate_limited', 'upstream_failed', 'upstream_timeout')
  get(@Param('stock_id') stock_id: string): Promise<ListedPhoto> {
    return this.photos.get(stock_id);
  }

  /**
   * Imports a stock photo into the library.
   *
   * The import runs in the background; once the job is completed, `result.file_id` is the id of the file. License, author and
   * attribution are stored in its `file_metadata.rights`, and the download is reported to the provider of the photo. If the photo was
   * imported before, the response is 200 with the existing file, unless `duplicate` is true.
   */
  @Post(':stock_id/import')
  @STOCK_ID
  @Policy({ all: ['media:upload'] }, { rate: 'upload' })
  @Returns(FileView, 'The file of an earlier import.')
  @MayStart()
  @Problems('not_found', 'not_configured', 'rate_limited', 'upstream_failed', 'upstream_timeout', 'invalid_state')
  async import(
    @Caller() caller: Principal,
    @Param('stock_id') stock_id: string,
    @FromBody() body: ImportStock,
    @Res({ passthrough: true }) response: Response,
  ): Promise<FileRow | FileJobRow> {
    const outcome = await this.imports.startImport(caller, stock_id, body);
    if ('job' in outcome) return acceptedJob(response, outcome.job);
    const { file_kind: _, row_version: __, ...file } = outcome.file;
    return file;
  }
}
