import { Injectable, type OnModuleInit } from '@nestjs/common';
import { FormRows, FormValues, PLATFORM_ID, type FormRow, type FormWish, type VersionedFormRow } from '@atrium/forms';
import { WorkspaceStarts } from '@atrium/identity';
import type { Principal } from '@atrium/platform/access';
import { Database, requireScope, sql, type ListParameters, type Page, type Precondition, type WorkSize } from '@atrium/platform/database';
import { Clock, invalidState } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import { BaseAccess } from '../../bases/application/base-access';
import { BasesRepository } from '../../bases/infrastructure/bases.repository';
import { sightOf } from '../../records/application/record-list';
import { RecordsRepository } from '../../records/infrastructure/records.repository';
import { STANDARD_TEMPLATES } from '../domain/standard-templates';

const KIND = 'record';
/** Records that get another schema within a request. */
const AT_ONCE = 1_000;
const ALL_CLAIMS: WorkSize = { mayBeLong: 'unique values of a base that leaves its template move at once, so that none is taken twice' };

export interface SchemaFilters extends ListParameters {
  /** The standard templates alone, or everything else. */
  readonly template?: boolean;
  readonly form_active?: boolean;
}

/** Record schemas of a workspace: its own ones, and the standard templates that every workspace has. */
@Injectable()
export class SchemasService implements OnModuleInit {
  constructor(
    private readonly db: Database,
    private readonly starts: WorkspaceStarts,
    private readonly forms: FormRows,
    private readonly values: FormValues,
    private readonly access: BaseAccess,
    private readonly bases: BasesRepository,
    private readonly records: RecordsRepository,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.starts.register({
      context: 'knowledge',
      setUpWorkspace: async () => void (await this.forms.insertManagedForms(KIND, STANDARD_TEMPLATES, PLATFORM_ID)),
    });
  }

  list({ template, form_active = true, ...query }: SchemaFilters): Promise<Page<FormRow>> {
    const standard = template === undefined ? sql`true` : sql`(r.form_managed_by IS NOT DISTINCT FROM ${PLATFORM_ID}) = ${template}`;
    return this.forms.list(KIND, query, sql`r.form_active = ${form_active} AND ${standard}`);
  }

  get(form_id: string): Promise<VersionedFormRow> {
    return this.forms.get(KIND, form_id);
  }

  create(wish: FormWish & { readonly form_name: string }): Promise<VersionedFormRow> {
    return this.forms.create(KIND, wish);
  }

  change(caller: Principal, form_id: string, wish: FormWish, precondition?: Precondition): Promise<VersionedFormRow> {
    return this.forms.change(KIND, form_id, wish, { precondition, sight: { ...sightOf(caller), hidden: true } });
  }

  deactivate(form_id: string, precondition?: Precondition): Promise<void> {
    return this.forms.deactivate(KIND, form_id, precondition);
  }

  /**
   * A copy of a managed schema that the workspace owns. The base points at it in the same transaction, and its records do; those of a large
   * base follow in batches, because those who write into it wait for the transaction.
   */
  forkSchema(caller: Principal, ds_id: string, form_name: string): Promise<VersionedFormRow> {
    return this.db.write(async () => {
      const stored = await this.records.countStored(ds_id);
      const base = await this.access.lockBase(caller, ds_id, 'edit');
      if (base.form_id === null) throw invalidState('A text base has no schema that could be forked.');
      const { form_id } = base;
      const schema = await this.forms.get(KIND, form_id);
      if (schema.form_managed_by === null) throw invalidState('The schema already belongs to the workspace. Change it instead.');
      if (schema.form_metadata.fixed === true)
        throw invalidState(`The template ${schema.form_name} is used by a screen of the product and cannot be forked.`);
      const copy = await this.forms.copy(KIND, form_id, form_name);
      base.pointAt(copy.form_id);
      base.touch(this.clock);
      await this.bases.save(base);
      const owners = sql`SELECT o.rec_id FROM knowledge_record o WHERE o.tenant_id = ${requireScope().tenant_id} AND o.rec_base = ${ds_id}`;
      if (stored <= AT_ONCE) {
        await this.records.changeFormOfRecords({ from: form_id, to: copy.form_id, within: ds_id });
        await this.values.moveRows(form_id, copy.form_id, owners);
      } else {
        await this.values.moveUniqueValues(form_id, copy.form_id, owners);
        await this.forms.adoptCopy(KIND, copy, { from: form_id, within: ds_id, total: stored });
      }
      this.outbox.emitEvent({ name: 'knowledge.updated', subject_id: ds_id, payload: { changed: ['ds_config'] } });
      return this.forms.get(KIND, copy.form_id);
    }, ALL_CLAIMS);
  }
}
