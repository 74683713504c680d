import { Database, runInScope, SYSTEM_ACTOR } from '@atrium/platform/database';
import { newId, spendEffort } from '@atrium/platform/kernel';
import type { Client, RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { startAtrium, startWorker } from '../support/api';
import { activeFlow, openTransitions, TRANSITIONS } from './flows';
import { imported } from './importing';
import { field, makeObject, makeSchema, NAME } from './objects';

/** 40,000 steps for a list of 200 elements, with a condition of one line. */
const GREEDY = 'content.j.all(x, content.j.all(y, !(x.a || x.a || x.a || y.a)))';
const LARGE_PATTERN = `(?:${'a?b?c?d?e?f?g?h?i?j?k?'.repeat(10)}){0,1000}`;
const TOO_COMPLEX = [expect.objectContaining({ code: 'too_complex' })];
const elements = Array.from({ length: 200 }, () => ({ a: false }));

let api: RunningApi;
let ours: TestWorkspace;
let owner: Client;

beforeAll(async () => {
  api = await startAtrium();
  await startWorker(api);
  ours = await api.workspace(['module-objects']);
  owner = ours.owner.client;
}, 120_000);
afterAll(() => api.close());

/** Processor time of the service and of this client. */
async function processorMs(work: () => Promise<unknown>): Promise<number> {
  const begun = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1_000;
}

describe('what one request may compute', () => {
  it('is shared by the conditions of all transitions of an object', async () => {
    const schema = await makeSchema(owner, [field('j', 'json')]);
    const greedy = Array.from({ length: 100 }, (_, at) => ({
      key: `t${at}`,
      name: `T ${at}`,
      from: ['draft'],
      to: 'review',
      condition: GREEDY,
    }));
    await activeFlow(owner, [schema.form_id], { olf_transitions: [...TRANSITIONS, ...greedy] });
    const few = await makeObject(owner, schema.form_id, { j: [{ a: false }] });
    expect(await openTransitions(owner, few.obj_id)).toHaveLength(101);
    const many = await makeObject(owner, schema.form_id, { j: elements });
    const editor = (await ours.member('editor')).client;
    const spent = await processorMs(async () => {
      const refused = await editor.get(`/objects/${many.obj_id}/transitions`).expect(422);
      expect(refused.body).toMatchObject({ code: 'unprocessable_content', errors: TOO_COMPLEX });
    });
    expect(spent).toBeLessThan(4_000);
  });

  it('is shared by the conditions of all rows of an object, each of which says the same for every row', async () => {
    const rows = field('rows', 'list', {
      fields: Array.from({ length: 10 }, (_, at) => field(`f${at}`, 'text', { show_if: at < 1 ? GREEDY : `content.name != "x${at}"` })),
    });
    const schema = await makeSchema(owner, [field('j', 'json'), rows]);
    const many = Array.from({ length: 200 }, () => ({ f0: 'a', f1: 'b', f9: 'c' }));
    await makeObject(owner, schema.form_id, { j: elements.slice(0, 100), rows: many });
    const different = field('rows', 'list', {
      fields: Array.from({ length: 20 }, (_, at) => field(`f${at}`, 'text', { show_if: `${GREEDY} && content.name != "x${at}"` })),
    });
    const greedy = await makeSchema(owner, [field('j', 'json'), different]);
    const spent = await processorMs(async () => {
      const body = { obj_form: greedy.form_id, obj_content: { name: 'Thing', j: elements, rows: many } };
      expect((await owner.post('/objects', body).expect(422)).body.errors).toEqual(TOO_COMPLEX);
    });
    expect(spent).toBeLessThan(4_000);
  });

  it('is not used up by a transaction that is repeated, and its refusal is not kept under a key', async () => {
    const database = api.app.get(Database);
    const scope = { tenant_id: ours.tenant_id, actor: SYSTEM_ACTOR, request_id: newId() };
    let attempts = 0;
    const twice = runInScope(scope, () =>
      database.write(async (tx) => {
        spendEffort(150_000);
        if (attempts++ === 0) await tx.execute("DO $$ BEGIN RAISE EXCEPTION 'again' USING ERRCODE = '40001'; END $$");
        return attempts;
      }),
    );
    await expect(twice).resolves.toBe(2);

    const conditions = Array.from({ length: 20 }, (_, at) => field(`f${at}`, 'text', { show_if: `${GREEDY} && content.name != "y${at}"` }));
    const { form_id } = await makeSchema(owner, [field('j', 'json'), ...conditions]);
    const keyed = owner.with({ 'Idempotency-Key': newId() });
    const body = { obj_form: form_id, obj_content: { name: 'Thing', j: elements } };
    for (let time = 0; time < 2; time++) {
      const refused = await keyed.post('/objects', body).expect(422);
      expect(refused.body.errors).toEqual(TOO_COMPLEX);
      expect(refused.headers).not.toHaveProperty('idempotent-replayed');
    }
  });

  it('is no pattern whose repetitions are too many, which is refused before it is compiled', async () => {
    const fields = Array.from({ length: 8 }, (_, at) => field(`code${at}`, 'text', { pattern: LARGE_PATTERN }));
    const spent = await processorMs(async () => {
      const refused = await owner
        .post('/object-schemas', { form_name: 'Patterns', form_config: { title: 'name', fields: [NAME, ...fields] } })
        .expect(400);
      expect(refused.body.errors[0]).toMatchObject({ code: 'too_complex', path: expect.stringContaining('pattern') });
    });
    expect(spent).toBeLessThan(4_000);
  });
});

describe('what one row of a job may compute', () => {
  it('is its own: one that is too complex fails with its reason, and the others are written', async () => {
    const conditions = Array.from({ length: 30 }, (_, at) => field(`f${at}`, 'text', { show_if: `${GREEDY} && content.name != "x${at}"` }));
    const { form_id } = await makeSchema(owner, [field('j', 'json'), ...conditions]);
    const light = [{ a: false }];
    const rows = [light, elements, light].map((j, at) => ({ name: `Row ${at}`, j }));
    const job = await imported(owner, { obj_form: form_id, rows });
    expect(job.result).toMatchObject({ created: 2, failed: 1, errors: [{ row: 2, message: expect.stringContaining('too much work') }] });
  });
});
