import type { Client, ContentfulRow, ContentfulServer } from '@atrium/platform/testing';
import { newId } from '@atrium/platform/kernel';

const BLOCKS = { type: 'Link', linkType: 'Entry', validations: [{ linkContentType: ['teaser'] }] } as const;

/** Content types of a space: a page with texts, blocks, a link to another page and a picture, and a teaser. */
export function fillContentTypes(server: ContentfulServer): void {
  server.locales = [
    { code: 'en-US', name: 'English', default: true, fallbackCode: null },
    { code: 'de', name: 'German', default: false, fallbackCode: 'en-US' },
  ];
  server.addContentType(
    'page',
    [
      { id: 'title', name: 'Title', type: 'Symbol', localized: true },
      { id: 'slug', name: 'Slug', type: 'Symbol', localized: true },
      { id: 'parent', name: 'Parent', type: 'Link', linkType: 'Entry', validations: [{ linkContentType: ['page'] }] },
      { id: 'sections', name: 'Sections', type: 'Array', items: BLOCKS },
      { id: 'text', name: 'Text', type: 'RichText', localized: true },
      { id: 'more', name: 'More', type: 'Link', linkType: 'Entry', validations: [{ linkContentType: ['page'] }] },
      { id: 'picture', name: 'Picture', type: 'Link', linkType: 'Asset' },
      { id: 'place', name: 'Place', type: 'Location' },
    ],
    { name: 'Page', displayField: 'title' },
  );
  server.addContentType('teaser', [{ id: 'headline', name: 'Headline', type: 'Symbol', localized: true }], { name: 'Teaser' });
}

export const linkTo = (linkType: 'Entry' | 'Asset', id: string) => ({ sys: { type: 'Link', linkType, id } });
export const inEnglish = <T>(value: T) => ({ 'en-US': value });

/** A rich text of one paragraph that links to an entry. */
export const textLinkedTo = (words: string, entry: string) => ({
  nodeType: 'document',
  data: {},
  content: [
    {
      nodeType: 'paragraph',
      data: {},
      content: [
        { nodeType: 'text', value: `${words} `, marks: [{ type: 'bold' }], data: {} },
        {
          nodeType: 'entry-hyperlink',
          data: { target: linkTo('Entry', entry) },
          content: [{ nodeType: 'text', value: 'more', marks: [], data: {} }],
        },
        { nodeType: 'text', value: '', marks: [], data: {} },
      ],
    },
  ],
});

/** A page at the CMS with a teaser. */
export function addPage(server: ContentfulServer, name: string, more: ContentfulRow['fields'] = {}): ContentfulRow {
  const teaser = server.addEntry('teaser', { headline: { 'en-US': `${name} teaser`, de: `${name}-Anreißer` } });
  return server.addEntry('page', {
    title: inEnglish(name),
    slug: inEnglish(name.toLowerCase()),
    sections: inEnglish([linkTo('Entry', teaser.id)]),
    ...more,
  });
}

/** A site in English and German that is connected to the space and has its schemas. */
export async function siteOfContentful(client: Client, server: ContentfulServer): Promise<{ site_id: string; page: string }> {
  const { site_id } = (
    await client.post('/sites', { site_name: `Site ${newId()}`, site_locales: [{ code: 'en' }, { code: 'de' }] }).expect(201)
  ).body as { site_id: string };
  await client
    .post(`/sites/${site_id}/cms/connect`, {
      provider: 'contentful',
      settings: { spaceId: server.spaceId, token: server.token, rate: 100 },
    })
    .expect(200);
  await client.post(`/sites/${site_id}/cms/schemas/pull`).expect(200);
  const { site_library } = (await client.get(`/sites/${site_id}`).expect(200)).body as { site_library: string };
  const { data } = (await client.get(`/content-schemas?tpl_library=${site_library}&tpl_key=page`).expect(200)).body as {
    data: { tpl_id: string }[];
  };
  return { site_id, page: data[0]?.tpl_id ?? '' };
}
