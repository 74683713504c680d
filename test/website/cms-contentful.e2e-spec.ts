import { ContentfulServer, type ContentfulRow, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { newId } from '@atrium/platform/kernel';
import { startAtriumWithWorker } from '../support/api';
import type { ShownRun } from './cms';
import { addPage, fillContentTypes, inEnglish, linkTo, siteOfContentful, textLinkedTo } from './contentful';
import { uploadedPhoto } from './photos';

const ENTRIES = '/environments/:env/entries';
const ASSETS = '/environments/:env/assets';

let api: RunningApi;
let ours: TestWorkspace;
let server: ContentfulServer;

beforeAll(async () => {
  server = await ContentfulServer.start();
  api = await startAtriumWithWorker({
    CONTENTFUL_BASE: server.url,
    CONTENTFUL_UPLOAD_BASE: server.url,
    OUTBOUND_ALLOW: '127.0.0.1/32',
  });
  ours = await api.workspace();
});
afterAll(async () => {
  await api.close();
  await server.stop();
});
beforeEach(() => {
  for (const rows of [server.entries.rows, server.assets.rows, server.contentTypes, server.editors, server.uploads]) rows.clear();
  fillContentTypes(server);
  server.forgetCalls();
});

const client = () => ours.owner.client;

interface ShownNode {
  readonly node_id: string;
  readonly node_content: Record<string, unknown>;
  readonly node_path: object;
}
const nodeIn = async (site_id: string, node_id: string, locale = 'en'): Promise<ShownNode> =>
  (await client().get(`/sites/${site_id}/nodes/${node_id}?locale=${locale}`).expect(200)).body as ShownNode;
const nodeOf = async (site_id: string, { id }: ContentfulRow): Promise<string> => {
  const { data } = (await client().get(`/sites/${site_id}/cms/links?external_id=${id}`).expect(200)).body as {
    data: { lnk_node: string }[];
  };
  return data[0]?.lnk_node ?? '';
};
const run = async (site_id: string, direction: 'pull' | 'push', body: object = {}): Promise<ShownRun> =>
  (await client().post(`/sites/${site_id}/cms/${direction}`, body).expect(200)).body as ShownRun;
const planned = async (site_id: string): Promise<object> =>
  ((await client().get(`/sites/${site_id}/cms/plan`).expect(200)).body as { counts: object }).counts;
const fetches = (): number => server.countCalls(`GET ${ENTRIES}/:id`);

describe('A site that is connected to Contentful', () => {
  it('brings pages in two languages with blocks, texts and links, and fetches nothing the second time', async () => {
    const { site_id } = await siteOfContentful(client(), server);
    const target = addPage(server, 'Target');
    const shop = addPage(server, 'Shop');
    const lamp = addPage(server, 'Lamp', {
      title: { 'en-US': 'Lamp', de: 'Lampe' },
      slug: { 'en-US': 'lamp', de: 'lampe' },
      parent: inEnglish(linkTo('Entry', shop.id)),
      text: { 'en-US': textLinkedTo('Read', target.id), de: textLinkedTo('Lies', target.id) },
      more: inEnglish(linkTo('Entry', target.id)),
    });
    expect(await run(site_id, 'pull')).toMatchObject({ status: 'completed', created: 3, failed: 0 });
    const [node_id, target_id] = [await nodeOf(site_id, lamp), await nodeOf(site_id, target)];
    const english = await nodeIn(site_id, node_id);
    expect(english.node_path).toEqual({ en: '/shop/lamp', de: '/de/shop/lampe' });
    const textOf = (words: string) => ({
      type: 'doc',
      content: [
        {
          type: 'paragraph',
          content: [
            { type: 'text', text: `${words} `, marks: [{ type: 'bold' }] },
            { type: 'text', text: 'more', marks: [{ type: 'link', attrs: { kind: 'page', ref: target_id } }] },
          ],
        },
      ],
    });
    expect(english.node_content).toMatchObject({
      component: 'page',
      title: 'Lamp',
      sections: [{ component: 'teaser', headline: 'Lamp teaser' }],
      text: textOf('Read'),
      more: target_id,
    });
    expect((await nodeIn(site_id, node_id, 'de')).node_content).toMatchObject({
      title: 'Lampe',
      sections: [{ headline: 'Lamp-Anreißer' }],
      text: textOf('Lies'),
    });
    const before = fetches();
    expect(await run(site_id, 'pull')).toMatchObject({ status: 'completed', unchanged: 3, total: 0 });
    expect(fetches()).toBe(before);
    expect(await run(site_id, 'push')).toMatchObject({ status: 'completed', unchanged: 3, total: 0 });
    expect(server.countCalls(`PUT ${ENTRIES}/:id`)).toBe(0);
  });

  it('keeps both sides of a conflict until a resolution is given, and everything that has no place here', async () => {
    const { site_id } = await siteOfContentful(client(), server);
    const place = inEnglish({ lat: 52.5, lon: 13.4 });
    const [here, there, both] = ['Here', 'There', 'Both'].map((name) => addPage(server, name, { place })) as [
      ContentfulRow,
      ContentfulRow,
      ContentfulRow,
    ];
    await run(site_id, 'pull');
    for (const row of [here, both]) {
      const content = (await nodeIn(site_id, await nodeOf(site_id, row))).node_content;
      await client()
        .put(`/sites/${site_id}/nodes/${await nodeOf(site_id, row)}/content`, { node_content: { ...content, title: 'Edited here' } })
        .expect(200);
    }
    for (const row of [there, both]) server.editEntry(row, { title: inEnglish('Edited there') });
    expect(await planned(site_id)).toEqual({ local_changed: 1, remote_changed: 1, conflict: 1 });
    expect(await run(site_id, 'pull')).toMatchObject({ status: 'partial', updated: 1, skipped: 1, unsettled: 1, conflicts: 1 });
    expect(both.fields['title']).toEqual(inEnglish('Edited there'));
    expect(await run(site_id, 'push', { resolution: 'manual' })).toMatchObject({ status: 'partial', updated: 1, unsettled: 1 });
    expect([here, there, both].map(({ fields }) => fields['title']?.['en-US'])).toEqual(['Edited here', 'Edited there', 'Edited there']);
    expect(await run(site_id, 'push')).toMatchObject({ status: 'completed', updated: 1 });
    expect([here, there, both].map(({ fields }) => fields['title']?.['en-US'])).toEqual(['Edited here', 'Edited there', 'Edited here']);
    expect([here, there, both].map(({ fields }) => fields['place'])).toEqual([place, place, place]);
    expect(await planned(site_id)).toEqual({ in_sync: 3 });
  });

  it('sends schemas once: what is equal there is not sent again', async () => {
    const { site_id } = await siteOfContentful(client(), server);
    const { site_library } = (await client().get(`/sites/${site_id}`).expect(200)).body as { site_library: string };
    await client()
      .post('/content-schemas', {
        tpl_library: site_library,
        tpl_key: 'quote',
        tpl_name: 'Quote',
        tpl_kind: 'block',
        tpl_config: { fields: [{ key: 'words', type: 'long_text', label: 'Words', localized: true }] },
      })
      .expect(201);
    const kept = JSON.stringify([server.contentTypes.get('page'), server.contentTypes.get('teaser')]);
    const push = () => client().post(`/sites/${site_id}/cms/schemas/push`).expect(200);
    expect((await push()).body).toMatchObject({ created: 1, updated: 0, deactivated: 0 });
    expect(server.contentTypes.get('quote')).toMatchObject({
      name: 'Quote',
      publishedVersion: 1,
      fields: [{ id: 'words', type: 'Text', localized: true }],
    });
    server.forgetCalls();
    expect((await push()).body).toMatchObject({ created: 0, updated: 0, deactivated: 0 });
    expect(server.countCalls('PUT /environments/:env/content_types/:id')).toBe(0);
    expect(JSON.stringify([server.contentTypes.get('page'), server.contentTypes.get('teaser')])).toBe(kept);
    await client().post(`/sites/${site_id}/cms/schemas/pull`).expect(200);
    expect((await client().post(`/sites/${site_id}/cms/schemas/pull`).expect(200)).body).toMatchObject({ created: 0, updated: 0 });
  });

  it('[website 25] sends a new page with a local image: blocks first, the asset once, processed and published; a stale version is compared again', async () => {
    const { site_id, page } = await siteOfContentful(client(), server);
    const photo = await uploadedPhoto(client());
    const made = async (name: string): Promise<{ node_id: string; root: string; teaser: string }> => {
      const [root, teaser] = [newId(), newId()];
      const { node_id } = (
        await client()
          .post(`/sites/${site_id}/nodes`, {
            node_name: name,
            node_slug: name.toLowerCase(),
            node_template: page,
            node_content: {
              _uid: root,
              component: 'page',
              title: name,
              picture: { file: photo.file_id, alt: `${name} on a table` },
              sections: [{ _uid: teaser, component: 'teaser', headline: `${name} teaser` }],
            },
          })
          .expect(201)
      ).body as { node_id: string };
      return { node_id, root, teaser };
    };
    const lamp = await made('Lamp');
    server.forgetCalls();
    expect(await run(site_id, 'push', { publish: true })).toMatchObject({ status: 'completed', created: 1, published: 1, failed: 0 });
    const entry = `atrium-${lamp.node_id}`;
    const written = server.calls.filter(({ route }) => route === `PUT ${ENTRIES}/:id`).map(({ path }) => path.split('/').at(-1));
    expect(written).toEqual([lamp.teaser, entry]);
    const [[asset] = []] = [[...server.assets.rows.values()]];
    expect(asset).toMatchObject({
      publishedVersion: expect.any(Number) as number,
      fields: { title: inEnglish(photo.name), description: inEnglish('Lamp on a table') },
    });
    expect(server.entries.rows.get(entry)).toMatchObject({
      publishedVersion: expect.any(Number) as number,
      fields: { title: inEnglish('Lamp'), slug: inEnglish('lamp'), picture: inEnglish(linkTo('Asset', asset?.id ?? '')) },
    });
    expect(server.entries.rows.get(lamp.teaser)).toMatchObject({ publishedVersion: expect.any(Number) as number });
    expect([...server.uploads.values()]).toEqual([photo.bytes]);
    // The same file is no asset of its own for another page.
    const chair = await made('Chair');
    expect(await run(site_id, 'push')).toMatchObject({ status: 'completed', created: 1 });
    expect(server.entries.rows.get(`atrium-${chair.node_id}`)?.fields['picture']).toEqual(inEnglish(linkTo('Asset', asset?.id ?? '')));
    for (const route of ['POST /environments/:env/uploads', `PUT ${ASSETS}/:id/files/:locale/process`, `PUT ${ASSETS}/:id/published`])
      expect([route, server.countCalls(route)]).toEqual([route, 1]);
    expect(await run(site_id, 'push')).toMatchObject({ status: 'completed', unchanged: 2, total: 0 });

    const row = server.entries.rows.get(entry);
    if (!row) throw new Error('The page is not there.');
    const retitle = (title: string) =>
      client()
        .post(`/sites/${site_id}/nodes/${lamp.node_id}/content/ops`, { ops: [{ op: 'set', uid: lamp.root, key: 'title', value: title }] })
        .expect(200);
    await retitle('Desk lamp');
    // Its version has changed and its content has not: it is sent over the version that is there.
    server.plan({ meanwhile: () => server.publishEntry(row) }, { route: `PUT ${ENTRIES}/:id` });
    expect(await run(site_id, 'push')).toMatchObject({ status: 'completed', updated: 1, failed: 0 });
    expect(row.fields['title']).toEqual(inEnglish('Desk lamp'));
    // Someone has edited it: it is left as it is.
    await retitle('Floor lamp');
    server.plan({ meanwhile: () => server.editEntry(row, { title: inEnglish('Reading lamp') }) }, { route: `PUT ${ENTRIES}/:id` });
    expect(await run(site_id, 'push')).toMatchObject({ status: 'partial', updated: 0, failed: 0, unsettled: 1 });
    expect(row.fields['title']).toEqual(inEnglish('Reading lamp'));
    expect(await planned(site_id)).toMatchObject({ conflict: 1 });
  });
});
