import { Inject, Module, type OnModuleInit, type Provider } from '@nestjs/common';
import { WorkspaceStores } from '@atrium/governance';
import { Settings } from '@atrium/platform/config';
import { Edge } from '@atrium/platform/http';
import { SECOND } from '@atrium/platform/kernel';
import { JobsModule } from '@atrium/platform/messaging';
import { DiskStoreEndpoint, StoreRoutes } from '@atrium/platform/storage';
import { BlobCleanup } from './application/blob-cleanup';
import { BlobObjects } from './application/blob-objects';
import { BlobStore } from './application/blobs.service';
import { ByteCopies } from './application/byte-copies';
import { PictureAccount } from './application/picture-account';
import { StorageVerification } from './application/storage-verification';
import { MalwareScanner, NoScanner } from './domain/malware-scanner';
import { BlobReader } from './infrastructure/blobs-reader';
import { BlobsRepository } from './infrastructure/blobs.repository';
import { clamdAt, ClamdScanner } from './infrastructure/clamd-scanner';
import { DiscardedHandler } from './jobs/discarded.handler';
import { discarded } from './jobs/discarded.jobs';
import { VerifyHandler } from './jobs/verify.handler';
import { verify } from './jobs/verify.jobs';

/** Bytes are scanned when a scanner is named. */
const SCANNER: Provider = {
  provide: MalwareScanner,
  inject: [Settings],
  useFactory: ({ CLAMD_ADDRESS, CLAMD_TIMEOUT_SECONDS }: Settings): MalwareScanner =>
    CLAMD_ADDRESS ? new ClamdScanner(clamdAt(CLAMD_ADDRESS, CLAMD_TIMEOUT_SECONDS * SECOND)) : new NoScanner(),
};

const BLOBS: Provider[] = [BlobObjects, BlobsRepository, BlobStore, ByteCopies, PictureAccount, SCANNER];

/** Stored bytes: each kept once in a workspace, scanned and verified. */
@Module({ providers: BLOBS, exports: BLOBS })
export class BlobsModule implements OnModuleInit {
  constructor(
    private readonly stores: WorkspaceStores,
    private readonly routes: StoreRoutes,
  ) {}

  onModuleInit(): void {
    this.routes.register((provider) => this.stores.openStore(provider));
  }
}

/** The signed addresses of the disk store, if bytes are stored on disk. */
@Module({})
export class BlobsHttpModule implements OnModuleInit {
  constructor(
    private readonly edge: Edge,
    @Inject(DiskStoreEndpoint) private readonly storage: DiskStoreEndpoint | null,
  ) {}

  onModuleInit(): void {
    if (this.storage) this.edge.mountEndpoint(this.storage);
  }
}

const WORK: Provider[] = [BlobCleanup, BlobReader, DiscardedHandler, StorageVerification, VerifyHandler];

/** Its background work. */
@Module({ imports: [BlobsModule, JobsModule.define([discarded, verify])], providers: WORK, exports: WORK })
export class BlobsWorkerModule {}
