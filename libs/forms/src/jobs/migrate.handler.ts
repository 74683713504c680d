import { Injectable } from '@nestjs/common';
import { Handles, WhenGivenUp, type JobRun } from '@atrium/platform/messaging';
import { FormMigrations } from '../application/form-migrations';
import { adoptForm, migrateForm, type MigrateFormPayload } from './migrate.jobs';

/** Background work of changed forms. */
@Injectable()
export class MigrateFormHandler {
  constructor(private readonly migrations: FormMigrations) {}

  @Handles(migrateForm)
  async migrate({ form_id, revision }: MigrateFormPayload, run: JobRun): Promise<void> {
    try {
      await this.migrations.run(form_id, revision, run);
    } catch (error) {
      if (await run.givesUpOn(error)) await this.migrations.giveUp(form_id, revision);
      throw error;
    }
  }

  @Handles(adoptForm)
  adopt(payload: MigrateFormPayload, run: JobRun): Promise<void> {
    return this.migrate(payload, run);
  }

  @WhenGivenUp(adoptForm)
  endAdoption(payload: MigrateFormPayload): Promise<unknown> {
    return this.end(payload);
  }

  @WhenGivenUp(migrateForm)
  end({ form_id, revision }: MigrateFormPayload): Promise<unknown> {
    return this.migrations.giveUp(form_id, revision);
  }
}
