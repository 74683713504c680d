import { newId } from '@atrium/platform/kernel';
import { eventually, type Client, type Member, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { archiveOf, orderOf, over } from '../governance/asking-for-data';
import { note } from '../media/tagging';
import { makeSchema } from '../objects/objects';
import { sharedAtriumWithWorker } from '../support/shared-atrium';

jest.setTimeout(120_000);

let api: RunningApi;
let ours: TestWorkspace;
let theirs: TestWorkspace;
let admin: Client;
let form_id: string;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
  [ours, theirs] = [await api.workspace(MODULES), await api.workspace(MODULES)];
  admin = ours.owner.client;
  ({ form_id } = await makeSchema(admin));
}, 120_000);
afterAll(() => api.close());

const MODULES = ['module-documents', 'module-objects', 'module-social-post'];

/** Every kind of row that has an access list: how one is made, where it is read, and its list in what is sent and answered. */
const KINDS: Readonly<
  Record<
    string,
    {
      readonly make: (client: Client, acl: object) => Promise<string>;
      readonly path: (id: string) => string;
      readonly table: readonly [table: string, id: string, creator: string, name: string];
    }
  >
> = {
  album: {
    make: async (client, album_acl) =>
      (await client.post('/albums', { album_name: 'Closed', album_acl }).expect(201)).body.album_id as string,
    path: (id) => `/albums/${id}`,
    table: ['album', 'album_id', 'album_created_by', 'album_name'],
  },
  document_folder: {
    make: async (client, album_acl) =>
      (await client.post('/document-folders', { album_name: 'Closed', album_acl }).expect(201)).body.album_id as string,
    path: (id) => `/document-folders/${id}`,
    table: ['album', 'album_id', 'album_created_by', 'album_name'],
  },
  knowledge_base: {
    make: async (client, ds_acl) => {
      const ds_id = (await client.post('/knowledge-bases', { ds_name: `Closed ${newId()}` }).expect(201)).body.ds_id as string;
      await client.put(`/knowledge-bases/${ds_id}/access`, { ds_acl }).expect(200);
      return ds_id;
    },
    path: (id) => `/knowledge-bases/${id}`,
    table: ['knowledge_base', 'ds_id', 'ds_created_by', 'ds_name'],
  },
  object: {
    make: async (client, obj_acl) =>
      (await client.post('/objects', { obj_form: form_id, obj_content: { name: 'Closed' }, obj_acl }).expect(201)).body.obj_id as string,
    path: (id) => `/objects/${id}`,
    table: ['object', 'obj_id', 'obj_created_by', 'obj_name'],
  },
  agent: {
    make: async (client, agent_acl) =>
      (await client.post('/agents', { agent_name: `Closed ${newId()}`, agent_acl }).expect(201)).body.agent_id as string,
    path: (id) => `/agents/${id}`,
    table: ['agent', 'agent_id', 'agent_user', 'agent_name'],
  },
  prompt: {
    make: async (client, prompt_acl) =>
      (await client.post('/prompts', { prompt_name: `Closed ${newId()}`, prompt_text: 'x', prompt_acl }).expect(201)).body
        .prompt_id as string,
    path: (id) => `/prompts/${id}`,
    table: ['prompt', 'prompt_id', 'prompt_user', 'prompt_name'],
  },
  site: {
    make: async (client, site_acl) =>
      (await client.post('/sites', { site_name: `Closed ${newId()}`, site_acl }).expect(201)).body.site_id as string,
    path: (id) => `/sites/${id}`,
    table: ['site', 'site_id', 'site_created_by', 'site_name'],
  },
  social_post: {
    make: async (client, sp_acl) =>
      (await client.post('/social-posts', { sp_title: 'Closed', sp_text: 'Ahoy', sp_acl }).expect(201)).body.sp_id as string,
    path: (id) => `/social-posts/${id}`,
    table: ['social_post', 'sp_id', 'sp_created_by', 'sp_title'],
  },
};
const EACH = Object.entries(KINDS).map(([type, kind]) => ({ type, ...kind }));

/** The column with the list, by table. */
const LISTS: Readonly<Record<string, string>> = {
  album: 'album_acl',
  knowledge_base: 'ds_acl',
  object: 'obj_acl',
  agent: 'agent_acl',
  prompt: 'prompt_acl',
  site: 'site_acl',
  social_post: 'sp_acl',
};
const ownedBy = ({ user_id }: Member): object => ({ users: { [user_id]: 'owner' } });
const status = async ({ client }: Member, path: string): Promise<number> => (await client.get(path)).status;
const audited = async (aud_type: string, id: string): Promise<readonly object[]> =>
  ((await admin.get(`/admin/audit-events?aud_type=${aud_type}&limit=1000`).expect(200)).body.data as { aud_target_id: string }[]).filter(
    ({ aud_target_id }) => aud_target_id === id,
  );
const becomes = (who: Member, path: string, wanted: number): Promise<number> =>
  eventually(
    () => status(who, path),
    (answered) => answered === wanted,
    60_000,
  );
const handOver = async (from: Member, to: Member): Promise<void> => {
  const { job_id } = (await admin.post(`/admin/users/${from.user_id}/transfer`, { to_user: to.user_id }).expect(202)).body as {
    job_id: string;
  };
  await eventually(
    async () => (await admin.get(`/jobs/${job_id}`)).body as { status: string },
    (job) => job.status === 'completed',
    60_000,
  );
};

describe.each(EACH)('the access list of a closed $type', ({ type, make, path, table: [table, id_column, creator, name] }) => {
  it('is seen and replaced by an administrator who does not read the row, and the change is audited', async () => {
    const [editor, administrator] = [await ours.member('editor'), await ours.member('admin')];
    const id = await make(editor.client, ownedBy(editor));
    expect(await status(administrator, path(id))).toBe(404);
    const answer = await administrator.client.get(`/admin/access-lists?type=${type}&user_id=${editor.user_id}&limit=1000`).expect(200);
    expect(answer.body.data).toEqual([{ type, id, acl: ownedBy(editor), created_by: editor.user_id }]);
    expect(answer.text).not.toContain('Closed');
    expect(await status(administrator, path(id))).toBe(404);

    const acl = { users: { [administrator.user_id]: 'owner', [editor.user_id]: 'edit' } };
    const replaced = await administrator.client.put(`/admin/access-lists/${type}/${id}`, { acl }).expect(200);
    expect(replaced.body).toEqual({ type, id, acl, created_by: editor.user_id });
    expect(await status(administrator, path(id))).toBe(200);
    const trail = await eventually(
      async () =>
        (await admin.get(`/admin/audit-events?aud_type=access_list.replaced&limit=1000`).expect(200)).body.data as {
          aud_target_id: string;
        }[],
      (events) => events.some(({ aud_target_id }) => aud_target_id === id),
    );
    expect(trail.find(({ aud_target_id }) => aud_target_id === id)).toMatchObject({
      aud_target_type: type,
      aud_before: { acl: ownedBy(editor) },
      aud_after: { acl },
    });
  });

  it('names the new member in the place of the one whose content is handed over', async () => {
    const [leaver, taker] = [await ours.member('editor'), await ours.member('editor')];
    const made = await make(leaver.client, ownedBy(leaver));
    const shared = await make(admin, { users: { [ours.owner.user_id]: 'owner', [leaver.user_id]: 'edit', [taker.user_id]: 'view' } });
    expect(await status(taker, path(made))).toBe(404);
    await handOver(leaver, taker);
    expect(await status(taker, path(made))).toBe(200);
    const lists = (await admin.get(`/admin/access-lists?type=${type}&user_id=${taker.user_id}`).expect(200)).body.data as {
      id: string;
      acl: object;
    }[];
    expect(lists.map(({ id, acl }) => [id, acl])).toEqual([
      [made, ownedBy(taker)],
      [shared, { users: { [ours.owner.user_id]: 'owner', [taker.user_id]: 'edit' } }],
    ]);
    // Agents and prompts keep a version of each list instead.
    if (type !== 'agent' && type !== 'prompt')
      expect(await audited('access_list.handed_over', made)).toMatchObject([
        { aud_target_type: type, aud_before: { acl: ownedBy(leaver) }, aud_after: { acl: ownedBy(taker) } },
      ]);
  });

  it('opens to the creator once it names nobody any more, and to administrators without a creator', async () => {
    const [maker, named, stranger] = [await ours.member('admin'), await ours.member('editor'), await ours.member('editor')];
    const [ofMaker, ofNobody, held] = [
      await make(maker.client, { users: { [named.user_id]: 'owner', [maker.user_id]: 'view' } }),
      await make(named.client, ownedBy(named)),
      await make(named.client, { users: { [named.user_id]: 'owner', [stranger.user_id]: 'view' } }),
    ];
    await maker.client.put(`/admin/access-lists/${type}/${ofMaker}`, { acl: ownedBy(named) }).expect(200);
    expect(await status(maker, path(ofMaker))).toBe(404);
    await admin.delete(`/admin/users/${named.user_id}`).expect(204);
    await becomes(maker, path(ofMaker), 200);
    await becomes(ours.owner, path(ofNobody), 200);
    expect(await status(maker, path(ofNobody))).toBe(200);
    expect(await audited('access_list.opened', ofMaker)).toMatchObject([
      {
        aud_target_type: type,
        aud_before: { acl: ownedBy(named) },
        aud_after: { acl: { users: { [named.user_id]: 'owner', [maker.user_id]: 'owner' } } },
      },
    ]);
    expect(await audited('access_list.opened', held)).toEqual([]);
    expect(await status(stranger, path(ofMaker))).toBe(404);
    expect(await status(stranger, path(ofNobody))).toBe(404);
    expect(await status(ours.owner, path(ofMaker))).toBe(404);
    expect(await status(ours.owner, path(held))).toBe(404);
    expect(await api.sql(`SELECT ${creator} AS by FROM ${table} WHERE ${id_column} = $1`, [ofMaker])).toEqual([{ by: maker.user_id }]);
  });

  it('is answered as it was written to who leaves themselves out', async () => {
    const [editor, other] = [await ours.member('editor'), await ours.member('editor')];
    const id = await make(editor.client, ownedBy(other));
    expect(await status(editor, path(id))).toBe(404);
    expect(await status(other, path(id))).toBe(200);
  });

  it('closes the row in the archive of who made it, too: of what others wrote there only ids are theirs', async () => {
    const [editor, other] = [await ours.member('editor'), await ours.member('editor')];
    const [closed, open] = [await make(editor.client, ownedBy(editor)), await make(editor.client, ownedBy(editor))];
    await admin.put(`/admin/access-lists/${type}/${closed}`, { acl: ownedBy(other) }).expect(200);
    for (const [id, word] of [
      [closed, 'WRITTENBYOTHERS'],
      [open, 'STILLTHEIRS'],
    ])
      await api.sql(`UPDATE ${table} SET ${name} = $2 WHERE ${id_column} = $1`, [id, word]);
    const { dsr_id } = await orderOf(admin, { dsr_kind: 'export', dsr_subject_type: 'user', dsr_subject: editor.user_id });
    expect(await over(admin, dsr_id)).toMatchObject({ dsr_status: 'completed' });
    const archive = await archiveOf(admin, dsr_id);
    const text = [...archive].find(([entry]) => entry.endsWith(`/${table}.json`))?.[1].toString() ?? '[]';
    const rows = JSON.parse(text) as Record<string, unknown>[];
    expect(rows.find((row) => row[id_column] === closed)).toEqual({
      [id_column]: closed,
      [creator]: editor.user_id,
      ...(type === 'object' ? { obj_updated_by: editor.user_id } : {}),
      ...(type === 'social_post' ? { sp_updated_by: editor.user_id } : {}),
      withheld: expect.stringContaining('cannot read'),
    });
    expect(rows.find((row) => row[id_column] === open)).toMatchObject({ [name]: 'STILLTHEIRS' });
    expect(text).not.toContain('WRITTENBYOTHERS');
  });

  it('is for administrators alone, of this workspace, and keeps an owner', async () => {
    const editor = await ours.member('editor');
    const id = await make(editor.client, ownedBy(editor));
    await editor.client.put(`/admin/access-lists/${type}/${id}`, { acl: {} }).expect(403);
    await theirs.owner.client.put(`/admin/access-lists/${type}/${id}`, { acl: {} }).expect(404);
    expect((await theirs.owner.client.get(`/admin/access-lists?type=${type}`).expect(200)).body.data).toEqual([]);
    for (const acl of [{ users: { [editor.user_id]: 'view' } }, { users: { [newId()]: 'owner' } }, { roles: { [newId()]: 'owner' } }])
      await admin.put(`/admin/access-lists/${type}/${id}`, { acl }).expect(400);
    const { headers } = await admin.put(`/admin/access-lists/${type}/${id}`, { acl: ownedBy(ours.owner) }).expect(200);
    await admin.put(`/admin/access-lists/${type}/${id}`, { acl: {} }).set('If-Match', '"1"').expect(412);
    await admin.put(`/admin/access-lists/${type}/${id}`, { acl: {} }).set('If-Match', String(headers.etag)).expect(200);
    expect(await status(await ours.member('viewer'), path(id))).toBe(200);
  });
});

describe.each(EACH)('who is named on the access list of a $type', ({ type, make, path }) => {
  it('is of the workspace, and no deleted space, on every way', async () => {
    const spaceOf = async ({ client }: Member): Promise<string> =>
      (await client.post('/spaces', { space_name: `Space ${newId()}` }).expect(201)).body.space_id as string;
    const gone = await spaceOf(ours.owner);
    await admin.delete(`/spaces/${gone}`).expect(204);
    const strangers = [
      { users: { [newId()]: 'view' } },
      { users: { [theirs.owner.user_id]: 'view' } },
      { roles: { [newId()]: 'view' } },
      { spaces: { [newId()]: 'view' } },
      { spaces: { [gone]: 'view' } },
      { spaces: { [await spaceOf(theirs.owner)]: 'view' } },
    ];
    const owned = ownedBy(ours.owner) as { users: object };
    const id = await make(admin, owned);
    for (const stranger of strangers) {
      const acl = { ...owned, ...stranger, users: { ...owned.users, ...stranger.users } };
      await expect(make(admin, acl)).rejects.toThrow(/400/);
      const refused = await admin.put(`/admin/access-lists/${type}/${id}`, { acl }).expect(400);
      expect(refused.body.errors[0].path).toMatch(/^acl\.(users|roles|spaces)\./);
    }
    await admin
      .put(`/admin/access-lists/${type}/${id}`, { acl: { ...owned, spaces: { [await spaceOf(ours.owner)]: 'view' } } })
      .expect(200);
    expect(await status(ours.owner, path(id))).toBe(200);
  });
});

describe.each(EACH.filter(({ type }) => !['album', 'document_folder'].includes(type)))('the access list of a deleted $type', (kind) => {
  const { type, make, path } = kind;

  it('is listed and explained as long as the row can be restored, and is changed by nobody', async () => {
    const id = await make(admin, ownedBy(ours.owner));
    await admin.delete(path(id)).expect(204);
    await admin.get(path(id)).expect(200);
    const listed = (await admin.get(`/admin/access-lists?type=${type}&user_id=${ours.owner.user_id}&limit=1000`).expect(200)).body.data as {
      id: string;
    }[];
    expect(listed.filter((list) => list.id === id)).toHaveLength(1);
    await admin
      .post('/admin/access/explain', { user_id: ours.owner.user_id, permission: 'agent:view', resource: { type, id } })
      .expect(200);
    const { etag } = (await admin.get(path(id)).expect(200)).headers as { etag: string };
    const refused = await admin.put(`/admin/access-lists/${type}/${id}`, { acl: {} }).expect(409);
    expect(refused.body).toMatchObject({ code: 'invalid_state', detail: expect.stringContaining('was deleted') as string });
    expect((await admin.get(path(id)).expect(200)).headers).toMatchObject({ etag });
  });
});

describe('who was on an access list and left', () => {
  const gone = { users: { [newId()]: 'view' } };
  const withGone = (acl: { readonly users: object }): object => ({ users: { ...acl.users, ...gone.users } });

  it.each(EACH)('stays on that of a $type when an administrator enters it again', async ({ type, make, table: [table, id_column] }) => {
    const acl = ownedBy(ours.owner) as { users: object };
    const id = await make(admin, acl);
    await api.sql(`UPDATE ${table} SET ${LISTS[table]} = $2 WHERE ${id_column} = $1`, [id, JSON.stringify(withGone(acl))]);
    const again = await admin.put(`/admin/access-lists/${type}/${id}`, { acl: withGone(acl) }).expect(200);
    expect(again.body.acl).toEqual(withGone(acl));
    const another = { users: { ...acl.users, [newId()]: 'view' } };
    await admin.put(`/admin/access-lists/${type}/${id}`, { acl: another }).expect(400);
  });

  it('stays on those of agents, prompts and schemas when they are changed', async () => {
    const acl = ownedBy(ours.owner) as { users: object };
    const listed = withGone(acl);
    for (const type of ['agent', 'prompt'] as const) {
      const { make, path, table } = KINDS[type]!;
      const id = await make(admin, acl);
      await api.sql(`UPDATE ${table[0]} SET ${LISTS[table[0]]} = $2 WHERE ${table[1]} = $1`, [id, JSON.stringify(listed)]);
      await admin.patch(path(id), { [`${type}_acl`]: listed }).expect(200);
    }
    const schema = await makeSchema(admin, [], { form_metadata: { acl } });
    await api.sql('UPDATE form SET form_metadata = $2 WHERE form_id = $1', [schema.form_id, JSON.stringify({ acl: listed })]);
    await admin.patch(`/object-schemas/${schema.form_id}`, { form_metadata: { acl: listed, note: 'x' } }).expect(200);
    const another = { users: { ...acl.users, [newId()]: 'view' } };
    await admin.patch(`/object-schemas/${schema.form_id}`, { form_metadata: { acl: another } }).expect(400);
  });
});

describe('access lists of all kinds', () => {
  it('come in pages of bounded size, however long the lists are', async () => {
    const workspace = await api.workspace(MODULES);
    const { client, user_id } = workspace.owner;
    await api.sql(
      `INSERT INTO album (tenant_id, album_id, album_name, album_acl)
       SELECT $1, n.id, 'Pier', (SELECT jsonb_build_object('users', jsonb_object_agg(gen_random_uuid(), 'view') || jsonb_build_object($3::text, 'owner')) FROM generate_series(1, 20000))
       FROM unnest($2::uuid[]) n (id)`,
      [workspace.tenant_id, Array.from({ length: 16 }, () => newId()), user_id],
    );
    const met = new Set<string>();
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: { text: string; body: { data: { id: string }[]; next_cursor: string | null } } = await client
        .get(`/admin/access-lists?limit=1000${cursor === '' ? '' : `&cursor=${cursor}`}`)
        .expect(200);
      expect(page.text.length).toBeLessThan(10 * 1024 * 1024);
      for (const { id } of page.body.data) met.add(id);
      cursor = page.body.next_cursor;
    }
    expect(met.size).toBe(16);
  });

  it('come in pages by id, whatever their kind', async () => {
    const workspace = await api.workspace(MODULES);
    const { client, user_id } = workspace.owner;
    const made: string[] = [];
    for (const [type, { make }] of Object.entries(KINDS))
      if (type !== 'object') made.push(await make(client, { users: { [user_id]: 'owner' } }));
    const met: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: { body: { data: { id: string }[]; next_cursor: string | null } } = await client
        .get(`/admin/access-lists?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`)
        .expect(200);
      met.push(...page.body.data.map(({ id }) => id));
      cursor = page.body.next_cursor;
    }
    expect(met).toEqual([...made].sort());
    await client.get('/admin/access-lists?type=thread').expect(400);
    await (await workspace.member('editor')).client.get('/admin/access-lists').expect(403);
  });

  it('are registered for every table that has such a column, threads left out', async () => {
    const { body } = await admin.get('/admin/access-lists?type=thread').expect(400);
    const rows = await api.sql<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND column_name ~ '_acl$' AND table_name <> 'thread' ORDER BY 1`,
    );
    const kinds = new Set(Object.values(KINDS).map(({ table: [name] }) => name));
    expect(rows.map(({ name }) => name)).toEqual([...kinds].sort());
    expect((body as { detail: string }).detail).toContain(`must be one of ${Object.keys(KINDS).sort().join(', ')}`);
  });

  it('of a schema that leave its creators out still name them', async () => {
    const [editor, keeper] = [await ours.member('editor'), await ours.member('editor')];
    const closed = await makeSchema(admin, [], { form_metadata: { acl: ownedBy(keeper) } });
    const { obj_id, obj_acl } = (
      await editor.client.post('/objects', { obj_form: closed.form_id, obj_content: { name: 'Mine' } }).expect(201)
    ).body as {
      obj_id: string;
      obj_acl: object;
    };
    expect(obj_acl).toEqual({ users: { [keeper.user_id]: 'owner', [editor.user_id]: 'owner' } });
    expect(await status(editor, `/objects/${obj_id}`)).toBe(200);
    expect(await status(ours.owner, `/objects/${obj_id}`)).toBe(404);
  });

  it('of a folder are not undone by deleting it: 409 while it closes documents', async () => {
    const editor = await ours.member('admin');
    const file_id = await note(editor.client, 'docs');
    const album_id = await KINDS.document_folder?.make(editor.client, ownedBy(editor));
    await editor.client.post(`/document-folders/${album_id}/files`, { file_ids: [file_id] }).expect(200);
    await admin.get(`/files/${file_id}`).expect(404);
    const refused = await editor.client.delete(`/document-folders/${album_id}`).expect(409);
    expect(refused.body).toMatchObject({ code: 'invalid_state' });
    await admin.get(`/files/${file_id}`).expect(404);
    await editor.client.delete(`/document-folders/${album_id}/files`, { file_ids: [file_id] }).expect(200);
    await editor.client.delete(`/document-folders/${album_id}`).expect(204);
  });
});
