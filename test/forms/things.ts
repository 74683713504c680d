import {
  contentConditions,
  assertWritable,
  FormHolders,
  FormRows,
  Forms,
  FormValues,
  HeldTable,
  type ContentFilter,
  type OpenForm,
  type ReturnedRow,
} from '@atrium/forms';
import {
  Database,
  Id,
  Json,
  listPage,
  Ref,
  requireScope,
  Resource,
  sql,
  Stamp,
  TenantRow,
  type Page,
  type UnitOfWork,
} from '@atrium/platform/database';
import { newId, type JsonObject } from '@atrium/platform/kernel';
import type { RunningApi } from '@atrium/platform/testing';
import type { INestApplicationContext } from '@nestjs/common';

/** Rows of a kind of forms, as a context keeps them. */
@Resource({ table: 'thing', sort: '-thing_created' })
export class Thing extends TenantRow {
  @Id() readonly thing_id!: string;
  @Ref() thing_form!: string;
  @Json() thing_content!: JsonObject;
  @Json() thing_issues!: readonly JsonObject[];
  @Stamp({ sort: true }) thing_created!: Date;
}

export type ThingRow = Pick<Thing, 'thing_id' | 'thing_form' | 'thing_content' | 'thing_issues'>;

const TABLE = `
  CREATE TABLE thing (
    tenant_id uuid NOT NULL REFERENCES workspace, thing_id uuid NOT NULL, row_version integer NOT NULL DEFAULT 1, thing_form uuid NOT NULL,
    thing_content jsonb NOT NULL, thing_issues jsonb NOT NULL DEFAULT '[]', thing_created timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, thing_id), FOREIGN KEY (tenant_id, thing_form) REFERENCES form
  );
  CREATE INDEX thing_of_form ON thing (tenant_id, thing_form, thing_id);
  CREATE INDEX thing_newest ON thing (tenant_id, thing_form, thing_created, thing_id);
  CALL make_tenant_table('thing');`;

export const makeThingTable = (api: RunningApi): Promise<object[]> => api.sql(TABLE);

/** A page of things and the statement behind it. */
export interface ListWish {
  readonly filter?: ContentFilter;
  readonly sort?: string;
  readonly limit?: number;
  readonly cursor?: string;
}

/** What a context does with rows of forms, without the context: the way every one of them goes. */
export class Things {
  /** Rows that were handed out and taken back, for tests that count. */
  takenBack: ReturnedRow[] = [];
  /** Stops a run in the middle of what it does. */
  interrupt: (() => void) | undefined;
  readonly forms: Forms;
  readonly rows: FormRows;
  readonly values: FormValues;
  readonly db: Database;
  private readonly table: HeldTable;

  constructor(app: INestApplicationContext) {
    [this.forms, this.rows, this.values, this.db] = [Forms, FormRows, FormValues, Database].map((type) =>
      app.get(type as never, { strict: false }),
    ) as unknown as [Forms, FormRows, FormValues, Database];
    this.table = new HeldTable(this.db, {
      table: 'thing',
      id: 'thing_id',
      form: 'thing_form',
      content: 'thing_content',
      issues: 'thing_issues',
    });
    app.get(FormHolders, { strict: false }).register('task', {
      view: 'task:view',
      collection: 'tasks',
      countRows: (form_id, path) => this.table.countRows(form_id, path),
      findDuplicates: (form_id, path, most) => this.table.findDuplicates(form_id, path, most),
      handOut: (form_id, after, limit) => this.table.handOut(form_id, after, limit),
      lockRows: (form_id, ids) => this.table.lockRows(form_id, ids),
      storeRows: async (_form, rows) => {
        await this.table.storeRows(rows);
        this.interrupt?.();
        this.takenBack.push(...rows);
      },
    });
  }

  create(form_id: string, content: JsonObject): Promise<string> {
    return this.db.write(async () => {
      const form = await this.rows.openForm('task', form_id, 'share');
      assertWritable(form);
      const valid = await this.forms.validateContent(form.compiled, content, { mode: 'create', at: 'obj_content' });
      const [stored = valid] = await this.values.assignNumbers(form, [valid]);
      const thing_id = newId();
      await this.insert(form, [{ thing_id, content: stored }]);
      await this.values.indexRows(form, [{ owner_id: thing_id, content: stored }], { fresh: true, at: 'obj_content' });
      return thing_id;
    });
  }

  /** Many at once, as an import writes them. */
  async createAll(form_id: string, contents: readonly JsonObject[]): Promise<readonly string[]> {
    return this.db.write(async () => {
      const form = await this.rows.openForm('task', form_id, 'share');
      const valid = await this.forms.validateAll(
        form.compiled,
        contents.map((content) => ({ mode: 'create' as const, content })),
        null,
      );
      const things = valid.map(({ content }) => ({ thing_id: newId(), content: content ?? {} }));
      await this.insert(form, things);
      await this.values.indexRows(
        form,
        things.map(({ thing_id, content }) => ({ owner_id: thing_id, content })),
        { fresh: true },
      );
      return things.map(({ thing_id }) => thing_id);
    });
  }

  change(thing_id: string, content: JsonObject): Promise<void> {
    return this.db.write(async () => {
      const { thing_form, thing_content } = await this.stored(thing_id);
      const form = await this.rows.openForm('task', thing_form, 'share');
      const valid = await this.forms.validateContent(form.compiled, content, {
        mode: 'update',
        previous: thing_content,
        owner_id: thing_id,
        at: 'obj_content',
      });
      await this.db
        .current()
        .execute(
          sql`UPDATE thing SET thing_content = ${JSON.stringify(valid)} WHERE tenant_id = ${requireScope().tenant_id} AND thing_id = ${thing_id}`,
        );
      await this.values.indexRows(form, [{ owner_id: thing_id, content: valid }], { at: 'obj_content' });
    });
  }

  async shown(thing_id: string): Promise<JsonObject> {
    return this.db.read(async () => {
      const { thing_form, thing_content } = await this.stored(thing_id);
      return this.forms.projectContent((await this.rows.openForm('task', thing_form)).compiled, thing_content).content;
    });
  }

  stored(thing_id: string): Promise<ThingRow> {
    return this.db.read(async (tx) => {
      const row = await tx.first<ThingRow>(
        sql`SELECT * FROM thing WHERE tenant_id = ${requireScope().tenant_id} AND thing_id = ${thing_id}`,
      );
      if (!row) throw new Error('No such thing.');
      return row;
    });
  }

  list(form_id: string, wish: ListWish): Promise<Page<ThingRow>> {
    return this.db.read((tx) => this.page(tx, form_id, wish));
  }

  /** All pages one after the other. */
  async all(form_id: string, wish: ListWish, between: () => Promise<unknown> = () => Promise.resolve()): Promise<ThingRow[]> {
    const rows: ThingRow[] = [];
    for (let cursor: string | undefined, more = true; more;) {
      const page = await this.list(form_id, { ...wish, cursor });
      rows.push(...page.data);
      cursor = page.next_cursor ?? undefined;
      more = page.has_more;
      if (more) await between();
    }
    return rows;
  }

  async page(tx: UnitOfWork, form_id: string, { filter, sort, ...paging }: ListWish): Promise<Page<ThingRow>> {
    const form: OpenForm = await this.rows.openForm('task', form_id);
    const { where, ...order } = contentConditions(
      form,
      { id: sql`r.thing_id`, content: sql`r.thing_content`, name: 'obj_content' },
      { filter, sort, cursor: paging.cursor },
    );
    return listPage<ThingRow>(tx, Thing, { sort, ...paging }, { where: sql`r.thing_form = ${form_id} AND ${where}`, ...order });
  }

  private insert(form: OpenForm, things: readonly { readonly thing_id: string; readonly content: JsonObject }[]): Promise<number> {
    return this.db.current().execute(sql`
      INSERT INTO thing (tenant_id, thing_id, thing_form, thing_content)
      SELECT ${requireScope().tenant_id}, t.thing_id, ${form.form_id}, t.content FROM jsonb_to_recordset(${JSON.stringify(things)}::jsonb) AS t (thing_id uuid, content jsonb)`);
  }
}
