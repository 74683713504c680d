import { TrackedState, type WorkStatus } from '@atrium/platform/database';

/** The work on the stored rows of a form, as the engine moves it. A later change of the form takes the place of the one before. */
export class MigrationWork extends TrackedState {
  /** The form. */
  readonly job_id!: string;
  status!: WorkStatus;
  readonly done!: number;
  readonly failed = 0;
  error!: string | null;
  job_started!: Date | null;
  job_finished!: Date | null;
  /** The revision of the form that the work is for: what runs for another one counts no more. */
  readonly job_attempt!: number;

  protected override get noun(): string {
    return 'schema change';
  }

  protected override nextAttempt(): void {
    // A batch locks the row and goes on at its cursor, whichever run of the change begins it.
  }
}
