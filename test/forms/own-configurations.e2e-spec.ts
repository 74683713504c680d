import { contentConditions, Forms, FormValues, SeenUses, type AskedForm, type CompiledForm } from '@atrium/forms';
import { systemPrincipal } from '@atrium/platform/access';
import { Database, Id, inWorkspace, Json, listPage, requireScope, Resource, sql, Stamp, TenantRow } from '@atrium/platform/database';
import { newId, type JsonObject } from '@atrium/platform/kernel';
import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { startAtrium } from '../support/api';

/** What a context publishes by configurations that are in rows of its own. */
@Resource({ table: 'leaf', sort: '-leaf_created' })
class Leaf extends TenantRow {
  @Id() readonly leaf_id!: string;
  @Json() leaf_content!: JsonObject;
  @Stamp({ sort: true }) leaf_created!: Date;
}

const TABLE = `
  CREATE TABLE leaf (
    tenant_id uuid NOT NULL REFERENCES workspace, leaf_id uuid NOT NULL, row_version integer NOT NULL DEFAULT 1,
    leaf_content jsonb NOT NULL, leaf_created timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, leaf_id)
  );
  CALL make_tenant_table('leaf');`;

let api: RunningApi;
let ours: TestWorkspace;
let theirs: TestWorkspace;
let db: Database;
let forms: Forms;
let values: FormValues;

beforeAll(async () => {
  api = await startAtrium();
  [ours, theirs] = [await api.workspace(), await api.workspace()];
  await api.sql(TABLE);
  db = api.app.get(Database, { strict: false });
  forms = api.app.get(Forms, { strict: false });
  values = api.app.get(FormValues, { strict: false });
});
afterAll(() => api.close());

const inOurs = <T>(work: () => Promise<T>): Promise<T> => inWorkspace(ours.tenant_id, work);

const article = (): CompiledForm =>
  forms.compileForm(
    {
      fields: [
        { key: 'title', type: 'text', label: 'Title', filterable: true, localized: true },
        { key: 'rank', type: 'integer', label: 'Rank', filterable: true },
        { key: 'topic', type: 'taxonomy', label: 'Topic', taxonomy: newId() },
      ],
    },
    { kind: 'content', at: 'tpl_config' },
  );

const publish = (form: AskedForm, contents: readonly JsonObject[]): Promise<readonly string[]> =>
  inOurs(() =>
    db.write(async (tx) => {
      const rows = contents.map((content) => ({ owner_id: newId(), content }));
      await tx.execute(
        sql`INSERT INTO leaf (tenant_id, leaf_id, leaf_content)
            SELECT ${requireScope().tenant_id}, l.owner_id, l.content FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS l (owner_id uuid, content jsonb)`,
      );
      await values.indexRows({ form_id: form.form_id, compiled: form.compiled }, rows, { fresh: true });
      return rows.map(({ owner_id }) => owner_id);
    }),
  );

const titles = async (form: AskedForm, wish: { readonly filter?: JsonObject; readonly sort?: string }): Promise<unknown[]> => {
  const target = { id: sql`r.leaf_id`, content: sql`r.leaf_content`, name: 'content' };
  const page = await inOurs(() =>
    db.read((tx) => listPage<Leaf>(tx, Leaf, wish.sort ? { sort: wish.sort } : {}, contentConditions(form, target, wish))),
  );
  return page.data.map(({ leaf_content }) => leaf_content.title);
};

describe('rows whose configuration is not a form', () => {
  it('are found and sorted by the values under the id of their configuration', async () => {
    const form: AskedForm = { form_id: newId(), compiled: article(), unready: new Set() };
    const other: AskedForm = { ...form, form_id: newId() };
    await publish(form, [{ title: 'Boats', rank: 2 }, { title: 'Piers', rank: 1 }, { title: 'Sails' }]);
    await publish(other, [{ title: 'Boats of others', rank: 3 }]);
    expect(await titles(form, { sort: 'content_rank' })).toEqual(['Piers', 'Boats', 'Sails']);
    expect(await titles(form, { filter: { rank: { gte: '2' } } })).toEqual(['Boats']);
    expect(await titles(other, { filter: { title: 'BOATS OF OTHERS' } })).toEqual(['Boats of others']);
    await expect(titles({ ...form, unready: new Set(['rank']) }, { sort: 'content_rank' })).rejects.toMatchObject({
      code: 'invalid_state',
    });
  });

  it('are indexed again and removed by their ids alone', async () => {
    const form: AskedForm = { form_id: newId(), compiled: article(), unready: new Set() };
    const [first = '', second = ''] = await publish(form, [
      { title: 'Boats', rank: 1 },
      { title: 'Piers', rank: 2 },
    ]);
    await inOurs(() => db.write(() => values.indexRows(form, [{ owner_id: first, content: { title: 'Boats', rank: 7 } }])));
    expect(await titles(form, { sort: '-content_rank' })).toEqual(['Boats', 'Piers']);
    await inOurs(() => db.write(() => values.removeRows([second])));
    expect(await titles(form, { sort: '-content_rank' })).toEqual(['Boats']);
    const left = await api.sql<{ owner_id: string }>('SELECT DISTINCT owner_id FROM form_value WHERE form_id = $1', [form.form_id]);
    expect(left).toEqual([{ owner_id: first }]);
  });

  it('count as uses of a term for removals, and not for people, who may not be able to read them', async () => {
    const form: AskedForm = { form_id: newId(), compiled: article(), unready: new Set() };
    const term = newId();
    await publish(form, [{ title: 'Boats', topic: term }]);
    const seen = api.app.get(SeenUses, { strict: false });
    const caller = systemPrincipal(ours.tenant_id);
    expect([...(await inOurs(() => values.countUses([term], 10)))]).toEqual([[term, 1]]);
    expect([...(await inOurs(() => seen.countUses(caller, 'taxonomy', [term], 10)))]).toEqual([[term, 0]]);
  });

  it('are not there for another workspace', async () => {
    const form: AskedForm = { form_id: newId(), compiled: article(), unready: new Set() };
    const term = newId();
    await publish(form, [{ title: 'Boats', topic: term }]);
    expect(await inWorkspace(theirs.tenant_id, () => values.findPointers([term], 10))).toEqual([]);
    expect(await inOurs(() => values.findPointers([term], 10))).toMatchObject([{ form_id: form.form_id, field_key: 'topic' }]);
  });
});
