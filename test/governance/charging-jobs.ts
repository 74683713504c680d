import { GovernanceModule, UsageMeter } from '@atrium/governance';
import { IdentityModule } from '@atrium/identity';
import { ClockModule } from '@atrium/platform/access';
import { ConfigModule } from '@atrium/platform/config';
import { Database, DatabaseModule } from '@atrium/platform/database';
import { defineJob, Handles, JobsModule, MessagingModule, type JobRun } from '@atrium/platform/messaging';
import { ObservabilityModule } from '@atrium/platform/observability';
import { OutboundModule } from '@atrium/platform/outbound';
import { Injectable, Module } from '@nestjs/common';
import { IsString, Length } from 'class-validator';

/** What a film is asked for by. */
export class Film {
  @IsString() @Length(1, 80) film!: string;
}

export const shoot = defineJob('test.shoot', { payload: Film, attempts: 5, backoffMs: 50 });

/** Makes films: each is charged in the transaction that finishes it. What follows is decided by the test. */
@Injectable()
export class FilmStudio {
  readonly runs: number[] = [];
  afterwards: (run: JobRun) => Promise<void> = () => Promise.resolve();

  constructor(
    private readonly db: Database,
    private readonly meter: UsageMeter,
  ) {}

  @Handles(shoot)
  async shoot({ film }: Film, run: JobRun): Promise<void> {
    this.runs.push(run.attempt);
    await this.db.write(() => {
      this.meter.chargeUsage({
        param: 'studio_video',
        details: 'test/film',
        units: 6,
        user: null,
        ref: { job_id: run.job_id },
        at: new Date(),
        source: `film:${film}`,
      });
      return Promise.resolve();
    });
    await this.afterwards(run);
  }
}

/** A worker of the contexts below files, with a job that charges. */
@Module({
  imports: [
    ConfigModule,
    ClockModule,
    ObservabilityModule.forApplication('atrium-charging'),
    DatabaseModule.forApplication('atrium-charging'),
    MessagingModule.forWorker(),
    OutboundModule,
    IdentityModule,
    GovernanceModule,
    JobsModule.define([shoot]),
  ],
  providers: [FilmStudio],
  exports: [FilmStudio],
})
export class ChargingWorker {}
