import { Module, type Provider } from '@nestjs/common';
import { FilesModule, PicturesWorkerModule } from '@atrium/files';
import { GovernanceModule } from '@atrium/governance';
import { IdentityModule } from '@atrium/identity';
import { JobsModule } from '@atrium/platform/messaging';
import { ConnectionsModule } from '../connections/connections.module';
import { publishVariant, reconcileVariant } from '../posts/jobs/publishing.jobs';
import { PostsModule } from '../posts/posts.module';
import { AssetUploads } from './application/asset-uploads';
import { DuePosts } from './application/due-posts';
import { Reconciliation } from './application/reconciliation';
import { RemoteEdits } from './application/remote-edits.service';
import { SendingOrders } from './application/sending-order';
import { SendingStore } from './application/sending-store';
import { VariantCreation } from './application/variant-creation';
import { VariantSending } from './application/variant-sending';
import { RemoteEditsController } from './http/remote-edits.controller';
import { SendingHandler } from './jobs/sending.handler';

const SENDING: Provider[] = [RemoteEdits, SendingStore];
const ATTEMPTS: Provider[] = [AssetUploads, DuePosts, Reconciliation, SendingHandler, SendingOrders, VariantCreation, VariantSending];

/** What happens to posts at their platforms. */
@Module({ imports: [ConnectionsModule, IdentityModule, PostsModule], providers: SENDING, exports: SENDING })
export class SendingModule {}

/** Its routes. */
@Module({ imports: [SendingModule], controllers: [RemoteEditsController] })
export class SendingHttpModule {}

/** Its background work: posts are sent by workers alone. */
@Module({
  imports: [
    ConnectionsModule,
    FilesModule,
    GovernanceModule,
    IdentityModule,
    PicturesWorkerModule,
    PostsModule,
    SendingModule,
    JobsModule.define([publishVariant, reconcileVariant]),
  ],
  providers: ATTEMPTS,
})
export class SendingWorkerModule {}
