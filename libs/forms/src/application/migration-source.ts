import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { sql } from '@atrium/platform/database';
import { invalidState } from '@atrium/platform/kernel';
import { JobDirectory, LostWork, type JobRows } from '@atrium/platform/messaging';
import { adoptForm, migrateForm } from '../jobs/migrate.jobs';
import { FormHolders } from './form-holders';
import { FormMigrations } from './form-migrations';

const KIND = migrateForm.name;
const ENDED = sql`r.mig_status IN ('done', 'failed')`;

/** The work on stored rows after a change of their form, among all jobs: for who may read the form. */
@Injectable()
export class MigrationSource implements OnModuleInit {
  constructor(
    private readonly directory: JobDirectory,
    private readonly holders: FormHolders,
    private readonly migrations: FormMigrations,
    private readonly lost: LostWork,
  ) {}

  onModuleInit(): void {
    this.directory.register({
      mayShow: (kind) => kind === KIND,
      rowsFor: (caller) =>
        this.holders.openTo(caller).flatMap((kind) => {
          const holder = this.holders.findHolder(kind);
          if (!holder || (holder.module && !caller.modules.has(holder.module))) return [];
          return [rowsOf(caller, kind, holder.collection)];
        }),
      cancelJob: () => Promise.reject(invalidState('Stored rows must follow the change of their schema: this job cannot be cancelled.')),
    });
    this.lost.register('form_migration', (form_id, reason) => this.migrations.giveUp(form_id, reason));
  }
}

const rowsOf = ({ tenant_id }: Principal, kind: string, collection: string): JobRows => ({
  from: sql`form_migration r JOIN form f ON f.tenant_id = r.tenant_id AND f.form_id = r.mig_form`,
  where: sql`r.tenant_id = ${tenant_id} AND f.form_kind = ${kind}`,
  requester: null,
  permitted: true,
  subjects: 'all',
  job_kind: sql`${KIND}::text`,
  queue: { name: sql`CASE WHEN r.mig_from IS NULL THEN ${KIND} ELSE ${adoptForm.name} END`, key: sql`r.mig_form::text` },
  subject: { type: sql`${`${kind}_schema`}`, id: sql`r.mig_form` },
  href: sql`${`/api/v1/${collection}/`} || r.mig_form`,
  states: { unfinished: sql`r.mig_status IN ('queued', 'running')`, failing: sql`r.mig_status = 'failed'` },
  columns: {
    job_id: sql`coalesce(r.mig_id, r.mig_form)`,
    status: sql`CASE r.mig_status WHEN 'done' THEN 'completed' ELSE r.mig_status END`,
    done: sql`r.mig_done`,
    failed: sql`0`,
    total: sql`r.mig_total`,
    error: sql`r.mig_error`,
    job_created: sql`coalesce(r.mig_created, r.mig_updated)`,
    job_started: sql`r.mig_started`,
    job_finished: sql`CASE WHEN ${ENDED} THEN r.mig_updated END`,
    job_updated: sql`r.mig_updated`,
  },
});
