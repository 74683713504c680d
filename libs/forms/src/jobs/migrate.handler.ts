import { Injectable } from '@nestjs/common';
import { Handles, WhenGivenUp, type JobRun } from '@atrium/platform/messaging';
import { FormMigrations } from '../application/form-migrations';
import { adoptForm, migrateForm, type MigrateFormPayload } from './migrate.jobs';

/** Background work of changed forms. */
@Injectable()
export class MigrateFormHandler {
  constructor(private readonly migrations: FormMigrations) {}

  @Handles(migrateForm)
  migrate({ form_id, revision }: MigrateFormPayload, run: JobRun): Promise<void> {
    return this.migrations.follow(form_id, revision, run);
  }

  @Handles(adoptForm)
  adopt(payload: MigrateFormPayload, run: JobRun): Promise<void> {
    return this.migrate(payload, run);
  }

  @WhenGivenUp(adoptForm)
  endAdoption(payload: MigrateFormPayload): Promise<void> {
    return this.end(payload);
  }

  @WhenGivenUp(migrateForm)
  end({ form_id, revision }: MigrateFormPayload): Promise<void> {
    return this.migrations.giveUpChange(form_id, revision);
  }
}
