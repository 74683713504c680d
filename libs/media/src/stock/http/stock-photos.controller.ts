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
import { accepted, MayStart } from '../../shared/file-job-answers';
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
  description: 'Key of the collection, a colon, and the id there.',
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
   * Lists the collections that stock photos come from.
   *
   * Without `limit` one page holds all of them.
   */
  @Get('providers')
  @Policy({ any: ['media:view'] })
  @Returns(StockProviderPage, 'The collections.')
  providers(@Query() query: ListStockProviders): Page<StockProviderLine> {
    return pageOfRows(StockProviderView, this.photos.providers(), query, ({ key }) => key);
  }

  /**
   * Searches stock photos.
   *
   * In all configured collections, whose photos come in turn. A collection that fails is named in `warnings`; 429 with
   * `Retry-After` when none answers because of its limits, 501 when none is configured.
   */
  @Get()
  @Named('searchStockPhotos')
  @Policy({ any: ['media:view'] }, { rate: 'search' })
  @Returns(StockPageView, 'A page of photos.')
  @Problems('not_configured', 'rate_limited', 'upstream_failed', 'upstream_timeout')
  search(@Query() query: SearchStock): Promise<StockPage> {
    if (query.q === undefined) throw invalidField('q', 'is required', 'required');
    return this.photos.search(query);
  }

  /**
   * Reads one stock photo.
   */
  @Get(':stock_id')
  @STOCK_ID
  @Policy({ any: ['media:view'] })
  @Returns(StockPhotoView, 'The photo.')
  @Problems('not_found', 'not_configured', 'rate_limited', 'upstream_failed', 'upstream_timeout')
  one(@Param('stock_id') stock_id: string): Promise<ListedPhoto> {
    return this.photos.one(stock_id);
  }

  /**
   * Imports a stock photo into the library.
   *
   * In the background; once the job is completed, `result.file_id` names the file. License, author and attribution stand
   * in its `file_metadata.rights`, and the collection is told of the download. A photo that was imported before is
   * answered with 200 and its file, unless `duplicate` is true.
   */
  @Post(':stock_id/import')
  @STOCK_ID
  @Policy({ all: ['media:upload'] }, { rate: 'upload' })
  @Returns(FileView, 'The file it became before.')
  @MayStart()
  @Problems('not_found', 'not_configured', 'rate_limited', 'upstream_failed', 'upstream_timeout', 'invalid_state')
  async import(
    @Caller() caller: Principal,
    @Param('stock_id') stock_id: string,
    @FromBody() body: ImportStock,
    @Res({ passthrough: true }) response: Response,
  ): Promise<FileRow | FileJobRow> {
    const outcome = await this.imports.start(caller, stock_id, body);
    if ('job' in outcome) return accepted(response, outcome.job);
    const { file_kind: _, row_version: __, ...file } = outcome.file;
    return file;
  }
}
