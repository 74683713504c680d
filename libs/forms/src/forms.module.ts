import { Module, type OnModuleInit } from '@nestjs/common';
import { JobsModule } from '@atrium/platform/messaging';
import { GovernanceModule } from '@atrium/governance';
import { IdentityModule, WorkspacePurgers } from '@atrium/identity';
import { CellNames } from './application/cell-names';
import { FormEvolution } from './application/form-evolution';
import { FormHolders } from './application/form-holders';
import { FormMigrations } from './application/form-migrations';
import { FormRefolding } from './application/form-refolding';
import { FormReferences } from './application/form-references';
import { FormRows } from './application/form-rows';
import { FormValues } from './application/form-values';
import { Forms } from './application/forms';
import { AllOrNothingImports } from './application/all-or-nothing-imports';
import { FormsOfPeople } from './application/forms-of-people';
import { MigrationSource } from './application/migration-source';
import { NumberRanges } from './application/number-ranges';
import { MemberReferences } from './application/member-references';
import { SeenUses } from './application/seen-uses';
import { FormMigrationRows } from './infrastructure/form-migrations.rows';
import { MigrationWorkRows } from './infrastructure/migration-work.rows';
import { FormNumberRows } from './infrastructure/form-numbers.rows';
import { FormValueRows } from './infrastructure/form-values.rows';
import { WorkspaceConventions } from './infrastructure/workspace-habits';
import { StagedRows } from './infrastructure/staged-rows';
import { FormsRepository } from './infrastructure/forms.repository';
import { MigrateFormHandler } from './jobs/migrate.handler';
import { adoptForm, migrateForm } from './jobs/migrate.jobs';
import { RefoldSchedule } from './jobs/refold.schedule';

const FORMS = [
  Forms,
  FormRows,
  FormValues,
  FormHolders,
  FormReferences,
  FormMigrations,
  FormRefolding,
  SeenUses,
  AllOrNothingImports,
  WorkspaceConventions,
  CellNames,
];

/** The form language, forms as rows of a workspace, and the index over what is stored by them. */
@Module({
  imports: [IdentityModule, GovernanceModule],
  providers: [
    ...FORMS,
    NumberRanges,
    StagedRows,
    FormEvolution,
    FormsOfPeople,
    MemberReferences,
    FormMigrationRows,
    MigrationWorkRows,
    FormNumberRows,
    FormValueRows,
    FormsRepository,
    MigrationSource,
  ],
  exports: FORMS,
})
export class FormsModule implements OnModuleInit {
  constructor(private readonly purgers: WorkspacePurgers) {}

  onModuleInit(): void {
    this.purgers.register({
      context: 'forms',
      order: 600,
      tables: [
        'form_value',
        'form_unique',
        'import_batch',
        'form_number_range',
        'form_number',
        'form_migration',
        'form_revision_log',
        'form',
      ],
    });
  }
}

/** Its background work. */
@Module({ imports: [FormsModule, JobsModule.define([migrateForm, adoptForm])], providers: [MigrateFormHandler, RefoldSchedule] })
export class FormsWorkerModule {}
