import { Module, type Provider } from '@nestjs/common';
import { BrandService } from './application/brand.service';
import { SettingsService } from './application/settings.service';
import { WorkspaceBrand } from './infrastructure/workspace-brand';
import { WorkspaceFiles } from './application/workspace-files';
import { WorkspaceOptions } from './application/workspace-options';
import { SettingsController, WorkspaceController } from './http/settings.controller';
import { WorkspaceRepository } from './infrastructure/workspace.repository';

const SETTINGS: Provider[] = [BrandService, SettingsService, WorkspaceBrand, WorkspaceFiles, WorkspaceOptions, WorkspaceRepository];

/** How a workspace is set up: its rules, options, brand and modules. */
@Module({ providers: SETTINGS, exports: SETTINGS })
export class SettingsModule {}

/** Its routes. */
@Module({ imports: [SettingsModule], controllers: [WorkspaceController, SettingsController] })
export class SettingsHttpModule {}
