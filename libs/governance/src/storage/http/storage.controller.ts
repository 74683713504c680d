import { Body as FromBody, Controller, Get, Patch, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Operator, OPERATOR_PREFIX, Policy } from '@atrium/platform/access';
import type { Precondition } from '@atrium/platform/database';
import { HonoursIfMatch, IfMatch, PathId, Problems, Returns, ReturnsState } from '@atrium/platform/http';
import { StorageService, type Consumption, type StorageOverview } from '../application/storage.service';
import type { StorageQuota } from '../domain/storage';
import { AskConsumption, ChangeStorage, ConsumptionView, QuotaView, SetQuota, StorageView } from './storage.dto';

@ApiTags('Storage')
@Controller('admin/storage')
export class StorageController {
  constructor(private readonly storage: StorageService) {}

  /**
   * Shows what is stored, where, and how much more may be.
   *
   * All sizes are bytes. Equal bytes count each time a file holds them, although they lie there once; renditions are shown
   * and do not count for the quota. The ETag is the version of the bounds, not of what is stored.
   */
  @Get()
  @Policy({ any: ['admin:storage'], rate: 'admin-report' })
  @ReturnsState(StorageView, 'The storage of the workspace.')
  overview(): Promise<StorageOverview> {
    return this.storage.overview();
  }

  /**
   * Changes when the quota is told of, and what each member may store.
   *
   * A member above a new bound keeps what there is and uploads nothing more.
   */
  @Patch()
  @Policy({ any: ['admin:storage'] })
  @ReturnsState(StorageView, 'The storage of the workspace.')
  @HonoursIfMatch()
  @Problems('precondition_failed')
  change(@FromBody() body: ChangeStorage, @IfMatch() precondition?: Precondition): Promise<StorageOverview> {
    return this.storage.change(body, precondition);
  }

  /**
   * Sums what is stored by class, repository, provider, family or member, or over time.
   *
   * Exact at every moment. With `group_by=date` each period shows what there was at its end, from a picture taken once a day
   * of the workspace's time zone; `total` is what there is now.
   */
  @Get('consumption')
  @Policy({ any: ['admin:storage'], rate: 'admin-report' })
  @Returns(ConsumptionView, 'The sums.')
  consumption(@Query() query: AskConsumption): Promise<Consumption> {
    return this.storage.consumption(query);
  }
}

/** How much a workspace may store, for operators. */
@ApiTags('Operator')
@Controller(`${OPERATOR_PREFIX}/workspaces/:id/quota`)
export class OperatorQuotaController {
  constructor(private readonly storage: StorageService) {}

  /** Sets the storage quota; what is stored beyond it stays, and nothing more comes. */
  @Patch()
  @Operator()
  @Returns(QuotaView)
  set(@PathId() id: string, @FromBody() { quota_bytes }: SetQuota): Promise<StorageQuota> {
    return this.storage.setQuota(id, quota_bytes ?? null);
  }
}
