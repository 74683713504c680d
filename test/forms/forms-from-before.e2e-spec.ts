import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrateDatabase, readSteps } from '@atrium/platform/database';
import { newId } from '@atrium/platform/kernel';
import { createEmptyDatabase, dropTestDatabase, type TestDatabase } from '@atrium/platform/testing';
import { ask, asAdmin } from '../architecture/asking';

const MIGRATIONS = join(__dirname, '../../migrations');
/** The first of the steps that make flags of groups bind what is inside them, and unique values hold within a base. */
const STEP = '0105';

let folder: string;
let database: TestDatabase;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atrium-steps-'));
  for (const { name } of readSteps(MIGRATIONS)) if (name.slice(0, 4) < STEP) await copyFile(join(MIGRATIONS, name), join(folder, name));
  database = await createEmptyDatabase();
}, 60_000);
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await dropTestDatabase(database);
});

const [tenant, base, object, record, gone] = [newId(), newId(), newId(), newId(), newId()];
const text = (key: string, more: object = {}) => ({ key, type: 'text', label: key, ...more });
const FORMS: readonly (readonly [form_id: string, kind: string, config: object])[] = [
  [newId(), 'object', { title: 'ssn', fields: [text('ssn', { sensitive: true })] }],
  [
    newId(),
    'record',
    { fields: [text('sku', { unique: true }), { key: 'g', type: 'group', label: 'G', hidden: true, fields: [text('x')] }] },
  ],
  [newId(), 'object', { title: 'name', fields: [text('name'), text('ssn', { sensitive: true })] }],
];

it('have their rows made again where a group protects more than it did, and keep unique values of records within bases', async () => {
  await migrateDatabase(database.ownerUrl, folder);
  const admin = asAdmin(database);
  const insert = (statement: string, ...values: unknown[]) => ask(admin, statement, { values });
  await insert("INSERT INTO workspace (tenant_id, ws_name, ws_slug) VALUES ($1, 'Old', 'old-one')", tenant);
  for (const [form_id, kind, config] of FORMS)
    await insert(
      'INSERT INTO form (tenant_id, form_id, form_kind, form_name, form_config, form_revision) VALUES ($1, $2, $3, $4, $5, 3)',
      ...[tenant, form_id, kind, form_id, JSON.stringify(config)],
    );
  const [named, kept, open] = FORMS.map(([form_id]) => form_id);
  for (const [obj_id, form_id] of [
    [object, named],
    [newId(), open],
  ])
    await insert(
      "INSERT INTO object (tenant_id, obj_id, obj_form, obj_name, obj_text) VALUES ($1, $2, $3, 'x', 't')",
      tenant,
      obj_id,
      form_id,
    );
  await insert(
    "INSERT INTO knowledge_base (tenant_id, ds_id, ds_name, ds_type, form_id) VALUES ($1, $2, 'B', 'form', $3)",
    tenant,
    base,
    kept,
  );
  await insert(
    "INSERT INTO knowledge_record (tenant_id, rec_id, rec_base, rec_form, rec_name, rec_content, rec_hash, rec_text) VALUES ($1, $2, $3, $4, 'x', '{}', 'h', 't')",
    ...[tenant, record, base, kept],
  );
  for (const [owner, hash] of [
    [record, 'aa'],
    [gone, 'bb'],
  ] as const)
    await insert(
      "INSERT INTO form_unique (tenant_id, form_id, field_key, value_hash, owner_id) VALUES ($1, $2, 'sku', decode($3, 'hex'), $4)",
      ...[tenant, kept, hash, owner],
    );
  await insert(
    "INSERT INTO form_value (tenant_id, form_id, owner_id, field_key, position, value_text) VALUES ($1, $2, $3, 'sku', 0, 'left behind')",
    ...[tenant, kept, gone],
  );

  await migrateDatabase(database.ownerUrl, MIGRATIONS);
  expect(await ask(admin, 'SELECT owner_id, scope_id FROM form_unique')).toEqual([{ owner_id: record, scope_id: base }]);
  expect(await ask(admin, 'SELECT owner_id FROM form_value')).toEqual([]);
  const queued = await ask<{ mig_form: string }>(
    admin,
    "SELECT mig_form FROM form_migration WHERE mig_status = 'queued' AND mig_reworded AND mig_revision = 3 AND mig_total = 1",
  );
  expect(queued.map(({ mig_form }) => mig_form).sort()).toEqual([named, kept].sort());
  const jobs = await ask<{ ev_key: string; ev_payload: object }>(
    admin,
    "SELECT ev_key, ev_payload FROM outbox WHERE ev_name = 'forms.migrate'",
  );
  expect(jobs.map(({ ev_payload }) => ev_payload)).toEqual(jobs.map(({ ev_key }) => ({ form_id: ev_key, revision: 3 })));
  expect(jobs).toHaveLength(2);
}, 120_000);
