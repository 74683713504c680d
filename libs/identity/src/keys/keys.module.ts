import { Module } from '@nestjs/common';
import { KeyMakerService } from './application/key-maker.service';
import { KeysService } from './application/keys.service';
import { LeakReportsService } from './application/leak-reports.service';
import { KeysController, LeakReportsController, OwnKeysController } from './http/keys.controller';
import { KeysRepository, LeakedKeys } from './infrastructure/keys.repository';

/** API keys: made, narrowed, rotated, revoked, and reported when they leak. */
@Module({
  controllers: [KeysController, OwnKeysController, LeakReportsController],
  providers: [KeysRepository, LeakedKeys, KeysService, KeyMakerService, LeakReportsService],
  exports: [KeysRepository],
})
export class KeysHttpModule {}
