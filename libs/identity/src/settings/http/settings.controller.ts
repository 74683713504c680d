import { Body as FromBody, Controller, Get, Patch, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal, self } from '@atrium/platform/access';
import { pageOfRows, type Page, type Precondition } from '@atrium/platform/database';
import { HonoursIfMatch, IfMatch, Problems, Returns, ReturnsResource } from '@atrium/platform/http';
import { BrandService, type BrandAnswer } from '../application/brand.service';
import { SettingsService, type Licence, type WorkspaceSettings } from '../application/settings.service';
import type { OptionLine } from '../application/workspace-options';
import { BrandAnswerView, BrandBody } from './brand.dto';
import {
  ChangeSettings,
  LicencePage,
  LicenceView,
  ListLicences,
  ListOptions,
  OptionPage,
  OptionView,
  SettingsView,
  WorkspaceView,
} from './settings.dto';

/** What every member may know of the workspace. */
@ApiTags('Workspace settings')
@Controller('workspace')
export class WorkspaceController {
  constructor(
    private readonly settings: SettingsService,
    private readonly brands: BrandService,
  ) {}

  /**
   * Reads the workspace.
   *
   * Access rules, seat limit and external id are not included; administrators read them with `GET /admin/settings`.
   */
  @Get()
  @Policy(self)
  @ReturnsResource(WorkspaceView)
  workspace(): Promise<Omit<WorkspaceSettings, 'ws_security' | 'ws_seat_limit' | 'ws_external_id'>> {
    return this.settings.getWorkspace();
  }

  /**
   * Reads the base brand with its warnings.
   *
   * The ETag is `ws_brand_version`. Cache what you render with the brand until it changes.
   */
  @Get('brand')
  @Policy(self)
  @ReturnsResource(BrandAnswerView)
  brand(): Promise<BrandAnswer> {
    return this.brands.get();
  }
}

@ApiTags('Workspace settings')
@Controller('admin/settings')
export class SettingsController {
  constructor(
    private readonly settings: SettingsService,
    private readonly brands: BrandService,
  ) {}

  /** Reads the complete workspace with its rules and options. */
  @Get()
  @Named('getSettings')
  @Policy({ any: ['admin:settings'] })
  @ReturnsResource(SettingsView)
  read(): Promise<WorkspaceSettings> {
    return this.settings.get();
  }

  /**
   * Changes the workspace.
   *
   * Only fields in the request are changed, also within `ws_security` and `ws_options`, where null restores the default. A rule that
   * would end your own access (a second factor that your session lacks, addresses without yours, no sign-in with a password if you
   * used one) returns 409 `invalid_state`. Rules apply from the next request on.
   */
  @Patch()
  @Policy({ any: ['admin:settings'], log: 'full' })
  @ReturnsResource(SettingsView)
  @HonoursIfMatch()
  @Problems('invalid_state', 'precondition_failed')
  change(
    @Caller() caller: Principal,
    @FromBody() body: ChangeSettings,
    @IfMatch() precondition?: Precondition,
  ): Promise<WorkspaceSettings> {
    return this.settings.change(caller, body, precondition);
  }

  /**
   * Lists every option of the workspace with its value, default and schema.
   *
   * Sorted by key; without `limit`, one page contains all of them. Change options with `ws_options` of `PATCH /admin/settings`.
   */
  @Get('options')
  @Policy({ any: ['admin:settings'] })
  @Returns(OptionPage, 'The options.')
  async options(@Query() query: ListOptions): Promise<Page<OptionLine>> {
    return pageOfRows(OptionView, await this.settings.optionLines(), query, ({ key }) => key);
  }

  /**
   * Lists all modules with their licences.
   *
   * A module that was never granted has `lic_active` false and null in its other fields. Without `limit`, one page contains all
   * modules.
   */
  @Get('modules')
  @Named('listModules')
  @Policy({ any: ['admin:settings'] })
  @Returns(LicencePage, 'All modules.')
  async modules(@Query() query: ListLicences): Promise<Page<Licence>> {
    return pageOfRows(LicenceView, await this.settings.listModules(), query, ({ lic_module }) => lic_module);
  }

  /**
   * Replaces the base brand.
   *
   * Omitted fields are cleared. The response lists color contrasts that are too low, fonts that are missing a required weight and
   * logos that are too small; none of these is refused. Files must be fonts or images of this workspace.
   */
  @Put('brand')
  @Named('replaceBrand')
  @Policy({ any: ['admin:settings'] })
  @ReturnsResource(BrandAnswerView)
  @HonoursIfMatch()
  @Problems('precondition_failed')
  replaceBrand(@FromBody() body: BrandBody, @IfMatch() precondition?: Precondition): Promise<BrandAnswer> {
    return this.brands.replace(body, precondition);
  }

  /**
   * Changes the base brand.
   *
   * Each member in the request is replaced as a whole, and null clears it; other members are not changed.
   */
  @Patch('brand')
  @Named('updateBrand')
  @Policy({ any: ['admin:settings'] })
  @ReturnsResource(BrandAnswerView)
  @HonoursIfMatch()
  @Problems('precondition_failed')
  changeBrand(@FromBody() body: BrandBody, @IfMatch() precondition?: Precondition): Promise<BrandAnswer> {
    return this.brands.change(body, precondition);
  }
}
