import { Objects } from '@atrium/objects';
import { systemPrincipal } from '@atrium/platform/access';
import { inWorkspace } from '@atrium/platform/database';
import { newId, type Problem } from '@atrium/platform/kernel';
import type { RunningApi } from '@atrium/platform/testing';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { field, makeObject, makeSchema } from './objects';

let api: RunningApi;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
}, 120_000);
afterAll(() => api.close());

describe('objects for other contexts', () => {
  it('come as a table of the fields and rows that the asker may see, and one by one while they are not deleted', async () => {
    const ours = await api.workspace(['module-objects']);
    const { client } = ours.owner;
    const { form_id } = await makeSchema(client, [field('price', 'number', { filterable: true }), field('note', 'text', { hidden: true })]);
    for (const price of [1, 2, 3]) await makeObject(client, form_id, { name: `No ${price}`, price });
    const closed = { obj_acl: { users: { [ours.owner.user_id]: 'owner' } } };
    const { obj_id } = await makeObject(client, form_id, { name: 'Closed', price: 4 }, closed);
    const objects = api.app.get(Objects, { strict: false });
    const actor = systemPrincipal(ours.tenant_id);
    const asked = { filter: { price: { gte: '2' } }, sort: '-obj_content_price' };
    const table = await inWorkspace(ours.tenant_id, () => objects.queryTable(form_id, asked, actor));
    expect(table).toEqual({
      columns: [
        { key: 'name', label: 'name', type: 'text' },
        { key: 'price', label: 'price', type: 'number' },
      ],
      rows: [
        ['No 3', 3],
        ['No 2', 2],
      ],
    });
    const prices = await inWorkspace(ours.tenant_id, () => objects.queryTable(form_id, { ...asked, fields: ['price'], limit: 1 }, actor));
    expect(prices.rows).toEqual([[3]]);
    const refusal = async (work: Promise<unknown>): Promise<string | undefined> =>
      work.then(
        () => undefined,
        (error: Problem) => error.code,
      );
    expect(await refusal(inWorkspace(ours.tenant_id, () => objects.readObject(actor, obj_id)))).toBe('not_found');
    const { obj_id: gone } = await makeObject(client, form_id, { name: 'Gone', price: 5 });
    const readGone = () => inWorkspace(ours.tenant_id, () => objects.readObject(actor, gone));
    expect((await readGone()).obj_id).toBe(gone);
    await client.delete(`/objects/${gone}`).expect(204);
    expect(await refusal(readGone())).toBe('not_found');
    expect(await refusal(inWorkspace(ours.tenant_id, () => objects.queryTable(newId(), {}, actor)))).toBe('not_found');
    const theirs = await api.workspace(['module-objects']);
    expect(await refusal(inWorkspace(theirs.tenant_id, () => objects.queryTable(form_id, {}, systemPrincipal(theirs.tenant_id))))).toBe(
      'not_found',
    );
  });
});
