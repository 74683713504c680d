import { newId } from '@atrium/platform/kernel';
import { openThread, say } from '../ai/talking';
import { shareLink, picture } from '../distribution/sharing';
import { creationOf } from '../architecture/furnished';
import { addRecord, FAQ, makeBase, makeFormBase } from '../knowledge/bases';
import { createSchema, field as analysed, readAnalysis, ended } from '../media/analysing';
import { makeGroup, makeTag } from '../media/tagging';
import { flowOf, makeFlow, STATES, TRANSITIONS } from '../objects/flows';
import { field, makeObject, makeSchema, NAME } from '../objects/objects';
import type { Plants } from './planted-by-hand';

const fresh = (name: string): string => `${name} ${newId()}`;
const within = (value: string): object => ({ where: { field: 'file_name', op: 'contains', value } });
const short = (words: string): string => words.slice(0, 80);

/** Texts within a grammar that are written by changing what is there. */
export const CHANGES: readonly Plants[] = [
  async ({ workspace: { owner } }, { words }) => {
    const group = await makeGroup(owner.client, { mtg_name: fresh('Group') });
    await owner.client
      .patch(`/admin/media-tag-groups/${group}`, { mtg_rules: [{ query_search: within(words), value: 'Quay' }] })
      .expect(200);
    const tag = await makeTag(owner.client, { mt_group: group, mt_value: fresh('Pier') });
    await owner.client.patch(`/media-tags/${tag}`, { mt_value: words, mt_synonyms: [`Also ${words}`] }).expect(200);
  },
  async ({ workspace: { owner } }, { words }) => {
    for (const [path, where] of [
      ['/albums', 'file_name'],
      ['/document-folders', 'file_name'],
    ] as const) {
      const query_search = { where: { field: where, op: 'contains', value: words } };
      const { album_id } = (await owner.client.post(`${path}/smart`, { album_name: fresh('Smart'), query_search }).expect(201)).body as {
        album_id: string;
      };
      const change = { album_name: fresh(words), album_description: words, query_search };
      await owner.client.patch(`${path}/${album_id}/smart`, change).expect(200);
    }
  },
  async ({ workspace: { owner } }, { words }) => {
    const file = { file_repo: { library: ['docs'] }, file_name: `${fresh('Lease')}.md` };
    const { file_id } = (await owner.client.post('/files', file).expect(201)).body as { file_id: string };
    const { data } = (await owner.client.get(`/files/${file_id}/versions`).expect(200)).body as { data: [{ fv_id: string }] };
    await owner.client.patch(`/files/${file_id}/versions/${data[0].fv_id}`, { fv_note: words }).expect(200);
  },
  async ({ workspace: { owner } }, { words }) => {
    const form_config = { title: 'name', fields: [{ ...NAME, label: words }] };
    const { form_id } = (await owner.client.post('/knowledge-base-schemas', { form_name: fresh('Schema'), form_config }).expect(201))
      .body as { form_id: string };
    await owner.client
      .patch(`/knowledge-base-schemas/${form_id}`, { form_config: { ...form_config, fields: [{ ...NAME, label: `${words}.` }] } })
      .expect(200);
    const schema = await makeSchema(owner.client);
    await owner.client.patch(`/object-schemas/${schema.form_id}`, { form_config }).expect(200);
  },
  async ({ workspace: { owner } }, { words }) => {
    const { ds_id } = await makeFormBase(owner.client, FAQ);
    const { rec_id } = await addRecord(owner.client, ds_id, { rec_content: { question: 'Who?', answer: 'Somebody.' } });
    await owner.client.patch(`/knowledge-bases/${ds_id}/records/${rec_id}`, { rec_content: { answer: words } }).expect(200);
    await owner.client.post('/saved-searches/preview', { sq_scope: 'media', sq_query: within(words) }).expect(200);
    const search = { sq_name: fresh('Search'), sq_scope: 'media', sq_query: within('harbour') };
    const { sq_id } = (await owner.client.post('/saved-searches', search).expect(201)).body as { sq_id: string };
    await owner.client.patch(`/saved-searches/${sq_id}`, { sq_query: within(words) }).expect(200);
  },
  async ({ session }, { words }) => {
    await session.patch('/me', { user_title: short(words), user_pref: { noted: words } }).expect(200);
  },
  async ({ workspace: { owner } }, { words }) => {
    const olf_states = STATES.map((state) => ({ ...state, name: short(`${state.key} ${words}`) }));
    const olf_transitions = TRANSITIONS.map((one) => ({ ...one, name: short(`${one.key} ${words}`) }));
    await owner.client.post('/object-lifecycle-flows', flowOf({ olf_name: fresh('Flow'), olf_states, olf_transitions })).expect(201);
    const { olf_id } = await makeFlow(owner.client, { olf_name: fresh('Flow') });
    await owner.client.patch(`/object-lifecycle-flows/${olf_id}`, { olf_states, olf_transitions }).expect(200);
  },
  async ({ workspace }, { words }) => {
    const { client } = workspace.owner;
    const { person_id } = (await client.post('/people', { person_name: fresh('Person') }).expect(201)).body as { person_id: string };
    await client.patch(`/people/${person_id}`, { person_consent: { status: 'granted', note: words } }).expect(200);
    const { file_id } = await picture(workspace, 'quay.jpg', 43);
    const { share_id } = await shareLink(client, { share_type: 'files', share_file_ids: [file_id] });
    await client.patch(`/share-links/${share_id}`, { share_options: { message: words } }).expect(200);
  },
  async ({ workspace: { owner } }, { words }) => {
    const { thread_id } = await openThread(owner.client);
    const { msg_id } = await say(owner.client, thread_id, 'Who?');
    await owner.client.patch(`/threads/${thread_id}/messages/${msg_id}`, { msg_metadata: { noted: words } }).expect(200);
    const parts = { msg_parts: [{ kind: 'text', text: words }], run_options: { run: false } };
    await owner.client.post(`/threads/${thread_id}/messages`, parts).expect(201);
  },
  async (ground, { words }) => {
    const { client } = ground.workspace.owner;
    // An address has one issuer.
    const { data } = (await client.get('/admin/issuers').expect(200)).body as { data: { iss_id: string }[] };
    for (const { iss_id } of data) await client.delete(`/admin/issuers/${iss_id}`).expect(204);
    const { body } = await creationOf(ground, 'POST /admin/issuers');
    await client.post('/admin/issuers', { ...body, iss_audiences: [words] }).expect(201);
    const states = [
      { key: 'draft', label: short(words), initial: true },
      { key: 'done', label: 'Done' },
    ];
    const flow = {
      msf_name: fresh('Flow'),
      msf_scope: ['generated'],
      msf_active: false,
      msf_states: states,
      msf_transitions: [{ from: 'draft', to: 'done', label: short(words) }],
    };
    const { msf_id } = (await client.post('/admin/media-status-flows', flow).expect(201)).body as { msf_id: string };
    await client.put(`/admin/media-status-flows/${msf_id}`, flow).expect(200);
    const mas_name = `schema_${newId().slice(-8)}`;
    const mas_fields = [analysed('who', { instruction: words })];
    const mas_id = await createSchema(client, mas_name, mas_fields);
    await client
      .put(`/media-analysis-schemas/${mas_id}`, { mas_name, mas_fields: [analysed('who', { instruction: `${words}.` })] })
      .expect(200);
  },
  async ({ workspace }, { words }) => {
    const { client } = workspace.owner;
    const { file_id } = await picture(workspace, 'mole.jpg', 44);
    const schema_id = await createSchema(client, `schema_${newId().slice(-8)}`, [
      analysed('camera', { source: 'metadata', path: 'system.camera' }),
    ]);
    const { fa_id } = (await client.post(`/files/${file_id}/analysis`, { fa_schema: schema_id })).body as { fa_id: string };
    await ended(client, fa_id);
    await client.patch(`/file-analyses/${fa_id}`, { fa_result: { camera: words } }).expect(200);
    await readAnalysis(client, fa_id);
  },
  async ({ workspace: { owner } }, { words, email }) => {
    const brand = {
      name: short(words),
      tagline: words,
      voice: { summary: words },
      legal: { copyright: words },
      colors: [{ key: 'sea', name: words, hex: '#003366', role: 'primary' }],
      fonts: [{ role: 'heading', family: short(words), source: 'web' }],
    };
    await owner.client.put('/admin/settings/brand', brand).expect(200);
    await owner.client.patch('/admin/settings/brand', { ...brand, tagline: `${words}, again` }).expect(200);
    const { form_id } = await makeSchema(owner.client, [field('mail', 'text')]);
    const { obj_id } = await makeObject(owner.client, form_id, { name: 'Object', mail: email });
    await owner.client.patch(`/objects/${obj_id}`, { obj_content: { name: words } }).expect(200);
    const base = await makeBase(owner.client);
    const made = await owner.client
      .post(`/knowledge-bases/${base.ds_id}/crawls`, { crw_url: 'http://127.0.0.1:9/', start: false })
      .expect(201);
    const { crw_id } = (made.body as { crawl: { crw_id: string } }).crawl;
    await owner.client.patch(`/knowledge-bases/${base.ds_id}/crawls/${crw_id}`, { crw_name: short(words) }).expect(200);
  },
];
