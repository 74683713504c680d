import { PersonDataSources, type PersonColumn } from '@atrium/governance';
import { newId } from '@atrium/platform/kernel';
import type { Member, RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { asAdmin } from '../architecture/asking';
import { storeFile } from '../files/stored-files';
import { makeUpRow } from '../architecture/made-up-rows';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { archiveOf, orderOf, over } from './asking-for-data';

jest.setTimeout(180_000);

/**
 * Whether somebody is a member with the role of an editor, one whose role has no permission for any of it, or can act no more, in which
 * case rows are whole that every member reads.
 */
const STANDINGS = ['member', 'bare', 'gone'] as const;
type Standing = (typeof STANDINGS)[number];

/** A row that the person made, and when their archive has it whole; at all other times it has its ids. */
interface Placed {
  readonly row: Readonly<Record<string, unknown>>;
  readonly whole: readonly Standing[];
}

const EVER: readonly Standing[] = STANDINGS;
const BY_RIGHT: readonly Standing[] = ['member', 'gone'];
const AS_MEMBER: readonly Standing[] = ['member'];
const NEVER: readonly Standing[] = [];

let api: RunningApi;
let ours: TestWorkspace;
let editor: Member;
let rowsOf: Readonly<Record<string, readonly Placed[]>>;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
  ours = await api.workspace(['module-documents', 'module-objects', 'module-social-post']);
  editor = await ours.member('editor');
  rowsOf = await placed();
}, 120_000);
afterAll(() => api.close());

/** Rows that are there for others to name: none of them is the person's. */
async function there(table: string, key: string, row: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const id = newId();
  await makeUpRow(asAdmin(api.database), table, { tenant_id: ours.tenant_id, [key]: id, ...row });
  return id;
}

/** For each table whose rows the person may read or not: one that everybody reads, and one for each reason to be closed. */
async function placed(): Promise<Record<string, Placed[]>> {
  const acl = { users: { [ours.owner.user_id]: 'owner' } };
  const mine = { users: { [editor.user_id]: 'view' } };
  const stored = async (repo: 'media' | 'docs'): Promise<string> => (await storeFile(api, ours, { repo })).file_id;
  const picture = await stored('media');
  const [document, beside, shut, released] = [await stored('docs'), await stored('docs'), await stored('docs'), await stored('docs')];
  const folder = (
    (await ours.owner.client.post('/document-folders', { album_name: 'Shut', album_acl: acl }).expect(201)).body as { album_id: string }
  ).album_id;
  await ours.owner.client.post(`/document-folders/${folder}/files`, { file_ids: [shut, released] }).expect(200);
  const [album, shutAlbum] = [await there('album', 'album_id'), await there('album', 'album_id', { album_acl: acl })];
  const [object, shutObject] = [await there('object', 'obj_id'), await there('object', 'obj_id', { obj_acl: acl })];
  const [base, shutBase] = [await there('knowledge_base', 'ds_id'), await there('knowledge_base', 'ds_id', { ds_acl: acl })];
  const form = await there('form', 'form_id', { form_kind: 'object' });
  const thread = await there('thread', 'thread_id', { thread_user: editor.user_id });
  const [space, leftSpace] = [newId(), newId()];
  const member = { sm_space: space, sm_principal_type: 'user', sm_principal: editor.user_id, sm_role: 'viewer', sm_created_by: null };
  await makeUpRow(asAdmin(api.database), 'space_member', { tenant_id: ours.tenant_id, ...member });
  const publication = (pub_file: string, pub_repo_type: string): Placed['row'] => ({ pub_file, pub_repo_type });
  const [shown, shownDocument, hidden] = [
    await there('publication', 'pub_id', publication(await stored('media'), 'media')),
    await there('publication', 'pub_id', publication(await stored('docs'), 'docs')),
    await there('publication', 'pub_id', publication(released, 'docs')),
  ];
  const [site, shutSite] = [await there('site', 'site_id'), await there('site', 'site_id', { site_acl: acl })];
  const [page, shutPage] = [await there('node', 'node_id', { node_site: site }), await there('node', 'node_id', { node_site: shutSite })];
  const asked = (car_subject_id: string): Placed['row'] => ({ car_subject_type: 'node', car_subject_id });
  const decided = (node_id: string): Promise<string> => there('approval_request', 'car_id', { ...asked(node_id), car_status: 'approved' });
  const [request, shutRequest] = [await decided(page), await decided(shutPage)];
  const one = (row: object, whole: readonly Standing[]): Placed => ({ row: { ...row }, whole });
  const listed = (column: string): Placed[] => [
    one({ [column]: {} }, BY_RIGHT),
    one({ [column]: mine }, AS_MEMBER),
    one({ [column]: acl }, NEVER),
  ];
  const ofSite = (column: string): Placed[] => [
    one({ [column]: site }, BY_RIGHT),
    one({ [column]: shutSite }, NEVER),
    one({ [column]: newId() }, NEVER),
  ];
  return {
    agent: listed('agent_acl'),
    album: listed('album_acl'),
    knowledge_base: listed('ds_acl'),
    object: listed('obj_acl'),
    prompt: listed('prompt_acl'),
    album_file: [
      one({ af_album: album, af_file: picture }, BY_RIGHT),
      one({ af_album: shutAlbum, af_file: picture }, NEVER),
      one({ af_album: album, af_file: shut }, NEVER),
      one({ af_album: album, af_file: newId() }, NEVER),
    ],
    approval_decision: [
      one({ cad_request: request }, AS_MEMBER),
      one({ cad_request: shutRequest }, NEVER),
      one({ cad_request: newId() }, NEVER),
    ],
    approval_request: [one(asked(page), AS_MEMBER), one(asked(shutPage), NEVER), one(asked(newId()), NEVER)],
    cms_connection: ofSite('cms_site'),
    distribution_restriction: [one({}, BY_RIGHT)],
    document: [one({ file_id: document }, AS_MEMBER), one({ file_id: shut }, NEVER)],
    document_relation: [
      one({ rel_from: document, rel_to: beside }, AS_MEMBER),
      one({ rel_from: shut, rel_to: document }, NEVER),
      one({ rel_from: document, rel_to: shut }, NEVER),
    ],
    file: [
      one({ repo_type: 'media' }, BY_RIGHT),
      one({ repo_type: 'docs' }, AS_MEMBER),
      one({ repo_type: 'ds', repo_id: shutBase }, NEVER),
    ],
    file_version: [
      one({ fv_file: picture, fv_number: 7 }, BY_RIGHT),
      one({ fv_file: document, fv_number: 7 }, AS_MEMBER),
      one({ fv_file: shut, fv_number: 7 }, NEVER),
      one({ fv_file: newId() }, NEVER),
    ],
    form: [one({ form_kind: 'object' }, BY_RIGHT)],
    form_revision_log: [one({ frl_form: form }, BY_RIGHT), one({ frl_form: newId() }, NEVER)],
    knowledge_crawl: [one({ crw_base: base }, BY_RIGHT), one({ crw_base: shutBase }, NEVER), one({ crw_base: newId() }, NEVER)],
    knowledge_record: [one({ rec_base: base }, BY_RIGHT), one({ rec_base: shutBase }, NEVER), one({ rec_base: newId() }, NEVER)],
    message: [
      one({ msg_thread: newId(), msg_role: 'user' }, EVER),
      one({ msg_thread: thread, msg_role: 'assistant' }, AS_MEMBER),
      one({ msg_thread: newId(), msg_role: 'assistant' }, NEVER),
    ],
    node: ofSite('node_site'),
    object_source: [one({ osr_removed: null }, BY_RIGHT), one({ osr_removed: new Date() }, NEVER)],
    object_transition: [one({ otr_object: object }, BY_RIGHT), one({ otr_object: shutObject }, NEVER), one({ otr_object: newId() }, NEVER)],
    person: [one({}, BY_RIGHT)],
    preview_link: ofSite('prv_site'),
    publication: [
      one(publication(picture, 'media'), BY_RIGHT),
      one(publication(document, 'docs'), AS_MEMBER),
      one(publication(shut, 'docs'), NEVER),
    ],
    publication_history: [
      one({ ph_publication: shown }, BY_RIGHT),
      one({ ph_publication: shownDocument }, AS_MEMBER),
      one({ ph_publication: hidden }, NEVER),
      one({ ph_publication: newId() }, NEVER),
    ],
    publish_schedule: ofSite('sch_site'),
    run: [
      one({ run_thread: null }, EVER),
      one({ run_thread: thread, run_status: 'completed' }, AS_MEMBER),
      one({ run_thread: newId(), run_status: 'completed' }, NEVER),
    ],
    saved_search: [one({ sq_scope: 'media' }, BY_RIGHT), one({ sq_scope: 'docs' }, BY_RIGHT)],
    site: listed('site_acl'),
    site_redirect: ofSite('red_site'),
    // Administrators alone read connections.
    social_connection: [one({ con_removed: null }, NEVER), one({ con_removed: new Date() }, NEVER)],
    social_post: listed('sp_acl'),
    space: [one({ space_id: space }, AS_MEMBER), one({ space_id: leftSpace }, NEVER)],
  };
}

/** The columns that hold the person and show the whole row, of the tables whose rows are not shown whatever the person may read. */
function guarded(): ReadonlyMap<string, readonly PersonColumn[]> {
  const sources = api.app.get(PersonDataSources, { strict: false });
  const open = new Set(sources.listOpenTables());
  const tables = sources.listWholeTables().filter((table) => !open.has(table) && sources.getOwnTable(table).rows === undefined);
  return new Map(tables.map((table) => [table, sources.listColumns().filter((one) => one.table === table && one.tells !== 'mark')]));
}

/** The primary key of a table without the workspace. */
const keyOf = async (table: string): Promise<string[]> =>
  (
    await api.sql<{ name: string }>(
      `SELECT a.attname AS name FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey) WHERE i.indrelid = $1::regclass AND i.indisprimary AND a.attname <> 'tenant_id'`,
      [table],
    )
  ).map(({ name }) => name);

const BECOMES: Readonly<Record<Standing, () => Promise<unknown>>> = {
  member: () => Promise.resolve(),
  bare: () => api.sql(`UPDATE role SET role_permissions = '{task:view}' WHERE tenant_id = $1 AND role_key = 'editor'`, [ours.tenant_id]),
  gone: () => ours.owner.client.post(`/admin/users/${editor.user_id}/suspend`, { reason: 'Left.' }).expect(200),
};

type Row = Readonly<Record<string, unknown>>;

describe('the archive of a person', () => {
  it('has the ids of each row alone that they may not read, in every table: by a list, for want of a permission, and after they have gone', async () => {
    const tables = guarded();
    // A table of which nobody has said here which rows are closed is a table too many, and so is one that is not there.
    expect(Object.keys(rowsOf).sort()).toEqual([...tables.keys()].sort());
    const planted: { readonly table: string; readonly at: number; readonly id: Row; readonly whole: readonly Standing[] }[] = [];
    for (const [table, columns] of tables) {
      const key = await keyOf(table);
      const by = Object.fromEntries(columns.map(({ column }) => [column, editor.user_id]));
      for (const [at, { row, whole }] of (rowsOf[table] ?? []).entries()) {
        const numbered = key.map((name) => [name, name.endsWith('revision') || name.endsWith('version') ? at + 1 : newId()] as const);
        const ids = { ...Object.fromEntries(numbered), ...Object.fromEntries(Object.entries(row).filter(([name]) => key.includes(name))) };
        await makeUpRow(asAdmin(api.database), table, { tenant_id: ours.tenant_id, ...row, ...by, ...ids });
        planted.push({ table, at, id: { ...ids, ...by }, whole });
      }
    }
    const found: object[] = [];
    for (const standing of STANDINGS) {
      await BECOMES[standing]();
      const { dsr_id } = await orderOf(ours.owner.client, { dsr_kind: 'export', dsr_subject_type: 'user', dsr_subject: editor.user_id });
      expect(await over(ours.owner.client, dsr_id)).toMatchObject({ dsr_status: 'completed' });
      const archive = [...(await archiveOf(ours.owner.client, dsr_id))];
      for (const { table, at, id } of planted) {
        const [, bytes] = archive.find(([name]) => name.endsWith(`/${table}.json`)) ?? [];
        const rows = JSON.parse(bytes?.toString() ?? '[]') as Row[];
        const { withheld, ...row } = rows.find((one) => Object.entries(id).every(([name, value]) => one[name] === value)) ?? {};
        const shown = Object.keys(row).sort();
        found.push({ table, at, standing, shows: withheld === undefined && shown.length > 0 ? 'all' : shown });
      }
    }
    const expected = STANDINGS.flatMap((standing) =>
      planted.map(({ table, at, id, whole }) => ({
        table,
        at,
        standing,
        shows: whole.includes(standing) ? 'all' : Object.keys(id).sort(),
      })),
    );
    expect(found).toEqual(expected);
  });
});
