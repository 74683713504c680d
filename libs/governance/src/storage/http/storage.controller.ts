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
   * Reads the storage use, quota and limits of the workspace.
   *
   * All sizes are in bytes. Identical content is stored once but counts for each file that contains it. Renditions are listed but do
   * not count towards the quota. The ETag is the version of the limits, not of the stored data.
   */
  @Get()
  @Policy({ any: ['admin:storage'], rate: 'admin-report' })
  @ReturnsState(StorageView, 'The storage of the workspace.')
  overview(): Promise<StorageOverview> {
    return this.storage.getOverview();
  }

  /**
   * Changes the quota warning and the storage limit of each member.
   *
   * A member above a new limit keeps the stored files and cannot upload more.
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
   * Sums the storage use by class, repository, provider, family or member, or over time.
   *
   * Sums are always current. With `group_by=date`, each period shows the use at its end, from a daily snapshot in the time zone of the
   * workspace; `total` is the current use.
   */
  @Get('consumption')
  @Policy({ any: ['admin:storage'], rate: 'admin-report' })
  @Returns(ConsumptionView, 'The sums.')
  consumption(@Query() query: AskConsumption): Promise<Consumption> {
    return this.storage.getConsumption(query);
  }
}

/** How much a workspace may store, for operators. */
@ApiTags('Operator')
@Controller(`${OPERATOR_PREFIX}/workspaces/:id/quota`)
export class OperatorQuotaController {
  constructor(private readonly storage: StorageService) {}

  /**
   * Sets the storage quota.
   *
   * If more is already stored, it remains, and new uploads are refused.
   */
  @Patch()
  @Operator()
  @Returns(QuotaView)
  set(@PathId() id: string, @FromBody() { quota_bytes }: SetQuota): Promise<StorageQuota> {
    return this.storage.setQuota(id, quota_bytes ?? null);
  }
}
