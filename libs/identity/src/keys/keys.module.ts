import { Module, type Provider } from '@nestjs/common';
import { JobsModule } from '@atrium/platform/messaging';
import { MailModule } from '../mail/mail.module';
import { RolesModule } from '../roles/roles.module';
import { KeyExpiryNotice } from './application/key-expiry-notice';
import { KeyCreationService } from './application/key-creation.service';
import { KeysService } from './application/keys.service';
import { LeakReportsService } from './application/leak-reports.service';
import { KeysController, LeakReportsController, OwnKeysController } from './http/keys.controller';
import { KeysRepository, LeakedKeys } from './infrastructure/keys.repository';
import { KeyExpiryHandler } from './jobs/key-expiry.handler';
import { keyExpiry } from './jobs/key-expiry.jobs';

const KEYS: Provider[] = [KeyCreationService, KeysRepository, KeysService, LeakedKeys, LeakReportsService];

/** API keys: made, narrowed, rotated, revoked, and reported when they leak. */
@Module({ imports: [MailModule, RolesModule], providers: KEYS, exports: KEYS })
export class KeysModule {}

/** Its routes. */
@Module({ imports: [KeysModule], controllers: [KeysController, OwnKeysController, LeakReportsController] })
export class KeysHttpModule {}

/** Its background work. */
@Module({ imports: [KeysModule, MailModule, JobsModule.define([keyExpiry])], providers: [KeyExpiryHandler, KeyExpiryNotice] })
export class KeysWorkerModule {}
