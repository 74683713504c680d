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
   * Without its rules of access, its seat limit and its external id, which administrators read at `/admin/settings`.
   */
  @Get()
  @Policy(self)
  @ReturnsResource(WorkspaceView)
  workspace(): Promise<Omit<WorkspaceSettings, 'ws_security' | 'ws_seat_limit' | 'ws_external_id'>> {
    return this.settings.workspace();
  }

  /**
   * Reads the base brand with its warnings.
   *
   * The ETag is `ws_brand_version`: keep what you draw with it until it changes.
   */
  @Get('brand')
  @Policy(self)
  @ReturnsResource(BrandAnswerView)
  brand(): Promise<BrandAnswer> {
    return this.brands.brand();
  }
}

@ApiTags('Workspace settings')
@Controller('admin/settings')
export class SettingsController {
  constructor(
    private readonly settings: SettingsService,
    private readonly brands: BrandService,
  ) {}

  /**
   * Reads the whole workspace, with its rules and every option.
   */
  @Get()
  @Named('getSettings')
  @Policy({ any: ['admin:settings'] })
  @ReturnsResource(SettingsView)
  read(): Promise<WorkspaceSettings> {
    return this.settings.settings();
  }

  /**
   * Changes the workspace.
   *
   * Only the fields present; of `ws_security` and `ws_options` only the members present, where null goes back to the
   * default. A rule that would shut you out yourself (a second factor your session lacks, addresses without yours, no
   * sign-in by password while yours was) answers 409 `invalid_state`. Rules hold from the next request on.
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
   * Lists every option of the workspace with its value, default and form.
   *
   * By key; without `limit` one page holds all of them. Change them by `ws_options` of `PATCH /admin/settings`.
   */
  @Get('options')
  @Policy({ any: ['admin:settings'] })
  @Returns(OptionPage, 'Every option.')
  async options(@Query() query: ListOptions): Promise<Page<OptionLine>> {
    return pageOfRows(OptionView, await this.settings.optionLines(), query, ({ key }) => key);
  }

  /**
   * Lists all modules with what the workspace was granted of them.
   *
   * One that was never granted has `lic_active` false and nothing else. Without `limit` one page holds all modules.
   */
  @Get('modules')
  @Named('listModules')
  @Policy({ any: ['admin:settings'] })
  @Returns(LicencePage, 'All modules.')
  async modules(@Query() query: ListLicences): Promise<Page<Licence>> {
    return pageOfRows(LicenceView, await this.settings.modules(), query, ({ lic_module }) => lic_module);
  }

  /**
   * Replaces the base brand.
   *
   * Fields that are absent become empty. The answer lists color contrasts that are too low, fonts without a required weight and
   * logos that are too small; none of these is refused. A file must be a font or an image of this workspace.
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
   * Replaces members of the base brand.
   *
   * Each member present is replaced as a whole, null empties it; the others stay.
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
