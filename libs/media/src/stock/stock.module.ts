import { Module, type Provider } from '@nestjs/common';
import { FilesModule } from '@atrium/files';
import { ModelsModule } from '@atrium/models';
import { JobsModule } from '@atrium/platform/messaging';
import { StockImports } from './application/stock-imports';
import { STOCK_PROVIDERS, StockPhotos } from './application/stock-photos.service';
import { StockPings } from './application/stock-pings';
import type { StockProvider } from './domain/stock-provider';
import { StockPhotosController } from './http/stock-photos.controller';
import { PexelsProvider } from './infrastructure/pexels-provider';
import { StockHttp } from './infrastructure/stock-http';
import { StockImportsRepository } from './infrastructure/stock-imports.repository';
import { UnsplashProvider } from './infrastructure/unsplash-provider';
import { StockHandler } from './jobs/stock.handler';
import { stockPing } from './jobs/stock.jobs';

const STOCK: Provider[] = [
  PexelsProvider,
  StockHttp,
  StockImports,
  StockImportsRepository,
  StockPhotos,
  StockPings,
  UnsplashProvider,
  { provide: STOCK_PROVIDERS, useFactory: (...providers: StockProvider[]) => providers, inject: [UnsplashProvider, PexelsProvider] },
];

/** Photos of stock collections, and how they come into the library. */
@Module({ imports: [FilesModule, ModelsModule], providers: STOCK, exports: STOCK })
export class StockModule {}

/** Its routes. */
@Module({ imports: [StockModule], controllers: [StockPhotosController] })
export class StockHttpModule {}

/** Its background work. */
@Module({ imports: [StockModule, JobsModule.define([stockPing])], providers: [StockHandler] })
export class StockWorkerModule {}
