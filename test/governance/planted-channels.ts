import { newId } from '@atrium/platform/kernel';
import { flowOf, makeFlow, STATES, transitionsWith, type ApprovalRequest, type Moved } from '../website/approving';
import { makeLibrary, makeSite, Pages } from '../website/pages';
import type { Plants } from './planted-by-hand';

/** The states and transitions of a flow, which describe themselves. */
const described = (words: string): object => ({
  caf_states: STATES.map((state) => ({ ...state, description: words })),
  caf_transitions: transitionsWith({ name: words, approvals: { count: 1, allow_self: true } }),
});

/** Texts of websites and social posts that are within a grammar, or behind a state. */
export const CHANNELS: readonly Plants[] = [
  async ({ workspace: { owner } }, { words, email }) => {
    const { client } = owner;
    const library = await makeLibrary(client);
    const pages = new Pages(client, await makeSite(client, library), library);
    const at = `/sites/${pages.site.site_id}`;
    const tpl_config = { fields: [{ key: 'headline', type: 'text', label: words, localized: true }] };
    const schema = { tpl_library: library.lib_id, tpl_key: 'note', tpl_name: 'Note', tpl_kind: 'page', tpl_config };
    const { tpl_id } = (await client.post('/content-schemas', schema).expect(201)).body as { tpl_id: string };
    await client
      .patch(`/content-schemas/${tpl_id}`, { tpl_config: { fields: [{ ...tpl_config.fields[0], label: `${words}.` }] } })
      .expect(200);
    const page = { node_name: 'Note', node_template: tpl_id, node_content: { headline: words }, node_seo: { title: words } };
    const { node_id, node_content } = (await client.post(pages.path, page).expect(201)).body as {
      node_id: string;
      node_content: { _uid: string };
    };
    await pages.change(node_id, { node_seo: { title: `${words}.` } }).expect(200);
    await pages.write(node_id, { ...node_content, headline: `${words}!` }, { note: words }).expect(200);
    const set = { op: 'set', uid: node_content._uid, key: 'headline', value: `${words}?` };
    await pages.operate(node_id, [set], { note: words }).expect(200);
    const url = `https://example.com/?q=${email}`;
    await client.post(pages.path, { node_name: 'Link', node_kind: 'link', node_link: { kind: 'url', url } }).expect(201);
    await client.post(`${at}/redirects`, { red_from: `/${newId()}`, red_to: url }).expect(201);
    const { caf_id } = await makeFlow(client, { ...described(words), caf_scope: { sites: [pages.site.site_id] } });
    await client.patch(`/content-approval-flows/${caf_id}`, described(`${words}.`)).expect(200);
    await client.post(`/content-approval-flows/${caf_id}/activate`).expect(200);
    await client.post(`${pages.path}/${node_id}/transitions`, { transition: 'submit', comment: words }).expect(200);
    const { data } = (await client.post(`${pages.path}/${node_id}/transitions`, { transition: 'approve', comment: words }).expect(200))
      .body as {
      data: Moved[];
    };
    const { car_id, car_hash } = data[0]?.request as ApprovalRequest;
    await client.post(`/content-approvals/${car_id}/decisions`, { decision: 'approve', hash: car_hash, comment: words }).expect(200);
  },
  async ({ workspace }, { words, email }) => {
    const { client } = workspace.owner;
    const sp_link = { url: `https://example.com/?q=${email}` };
    const { sp_id } = (await client.post('/social-posts', { sp_text: 'Ahoy', sp_link }).expect(201)).body as { sp_id: string };
    await client.patch(`/social-posts/${sp_id}`, { sp_link: { url: `${sp_link.url}&again` } }).expect(200);
    const { caf_id } = (
      await client.post('/content-approval-flows', flowOf({ caf_subject: 'social_post', ...described(words) })).expect(201)
    ).body as { caf_id: string };
    await client.post(`/content-approval-flows/${caf_id}/activate`).expect(200);
    await client.post(`/social-posts/${sp_id}/transitions`, { transition: 'submit', comment: words }).expect(200);
    await client.post(`/content-approval-flows/${caf_id}/deactivate`).expect(200);
  },
];
