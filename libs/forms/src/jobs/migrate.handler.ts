import { Injectable } from '@nestjs/common';
import { Handles, WhenGivenUp, type JobRun } from '@atrium/platform/messaging';
import { FormMigrations } from '../application/form-migrations';
import { adoptForm, migrateForm, type MigrateFormPayload } from './migrate.jobs';

/** Background work of changed forms. */
@Injectable()
export class MigrateFormHandler {
  constructor(private readonly migrations: FormMigrations) {}

  @Handles(migrateForm)
  migrateForm({ form_id, revision }: MigrateFormPayload, run: JobRun): Promise<void> {
    return this.migrations.followChange(form_id, revision, run);
  }

  @Handles(adoptForm)
  adoptForm(payload: MigrateFormPayload, run: JobRun): Promise<void> {
    return this.migrateForm(payload, run);
  }

  @WhenGivenUp(adoptForm)
  endAdoption(payload: MigrateFormPayload): Promise<void> {
    return this.giveUpMigration(payload);
  }

  @WhenGivenUp(migrateForm)
  giveUpMigration({ form_id, revision }: MigrateFormPayload): Promise<void> {
    return this.migrations.giveUpChange(form_id, revision);
  }
}
