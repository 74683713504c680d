import { Body as FromBody, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Named, Policy } from '@atrium/platform/access';
import { pageOfRows, type Page, type Precondition } from '@atrium/platform/database';
import { Creates, Deletes, HasId, HonoursIfMatch, IfMatch, PathId, Problems, Returns, ReturnsResource } from '@atrium/platform/http';
import { StorageProviders, type ProviderDetail, type ProviderRow } from '../application/storage-providers.service';
import {
  BucketPage,
  BucketView,
  ChangeProvider,
  CreateProvider,
  ListBuckets,
  ListProviders,
  ProviderPage,
  ProviderView,
  VerifiedView,
} from './storage.dto';

@ApiTags('Storage')
@Controller('admin/storage/providers')
export class StorageProvidersController {
  constructor(private readonly providers: StorageProviders) {}

  /**
   * Lists the storage providers with the number and size of their objects.
   *
   * The list includes the built-in provider of the installation, which cannot be changed here.
   */
  @Get()
  @Policy({ any: ['admin:storage'] })
  @Returns(ProviderPage, 'A page of providers.')
  list(@Query() query: ListProviders): Promise<Page<ProviderRow>> {
    return this.providers.list(query);
  }

  /**
   * Adds an S3 bucket as a storage provider.
   *
   * It is tested first with probe objects that are deleted again; 422 names the failed step: connect, auth, bucket, put, get,
   * presigned_put, presigned_get, list, delete or clock. The endpoint must be public and must not redirect. The secret is encrypted
   * and never returned.
   */
  @Post()
  @Policy({ any: ['admin:storage'], log: 'shape' })
  @Creates(ProviderView, 'admin/storage/providers/{sto_id}')
  @Problems('already_exists', 'limit_reached', 'unprocessable_content')
  create(@FromBody() body: CreateProvider): Promise<ProviderDetail> {
    return this.providers.create(body);
  }

  /**
   * Reads a storage provider.
   */
  @Get(':id')
  @Policy({ any: ['admin:storage'] })
  @HasId('id', 'Id of the provider.')
  @ReturnsResource(ProviderView)
  get(@PathId() id: string): Promise<ProviderDetail> {
    return this.providers.get(id);
  }

  /**
   * Changes a storage provider.
   *
   * Credentials and locations are tested before they are saved (422). While the provider holds objects, its endpoint, bucket and
   * prefix cannot be changed (409 `in_use`).
   */
  @Patch(':id')
  @Policy({ any: ['admin:storage'], log: 'shape' })
  @HasId('id', 'Id of the provider.')
  @HonoursIfMatch()
  @ReturnsResource(ProviderView)
  @Problems('already_exists', 'in_use', 'invalid_state', 'precondition_failed', 'unprocessable_content')
  change(@PathId() id: string, @FromBody() body: ChangeProvider, @IfMatch() precondition?: Precondition): Promise<ProviderDetail> {
    return this.providers.change(id, body, precondition);
  }

  /** Removes a storage provider that stores no objects and is not the default. */
  @Delete(':id')
  @Policy({ any: ['admin:storage'] })
  @HasId('id', 'Id of the provider.')
  @HonoursIfMatch()
  @Deletes()
  @Problems('in_use', 'invalid_state', 'precondition_failed')
  remove(@PathId() id: string, @IfMatch() precondition?: Precondition): Promise<void> {
    return this.providers.remove(id, precondition);
  }

  /**
   * Tests a storage provider again and stores the result.
   *
   * Returns 200 also if a step fails; then `sto_status` is `failing`.
   */
  @Post(':id/verify')
  @Policy({ any: ['admin:storage'] })
  @HasId('id', 'Id of the provider.')
  @Returns(VerifiedView, 'Result of the test.')
  verify(@PathId() id: string): Promise<{ sto_status: string; steps: readonly object[] }> {
    return this.providers.verify(id);
  }

  /**
   * Makes a provider the default.
   *
   * New files are stored with this provider from now on. Existing files remain where they are. The provider must be active and
   * verified.
   */
  @Post(':id/default')
  @Named('setDefaultStorageProvider')
  @Policy({ any: ['admin:storage'] })
  @HasId('id', 'Id of the provider.')
  @ReturnsResource(ProviderView)
  @Problems('invalid_state')
  makeDefault(@PathId() id: string): Promise<ProviderDetail> {
    return this.providers.makeDefault(id);
  }

  /**
   * Lists the buckets that the credentials of a provider can access.
   *
   * Without `limit`, one page contains up to 1,000.
   */
  @Get(':id/buckets')
  @Policy({ any: ['admin:storage'] })
  @HasId('id', 'Id of the provider.')
  @Returns(BucketPage, 'The buckets.')
  @Problems('unprocessable_content')
  async buckets(@PathId() id: string, @Query() query: ListBuckets): Promise<Page<BucketView>> {
    return pageOfRows(BucketView, await this.providers.listBuckets(id), query, ({ bucket }) => bucket);
  }
}
