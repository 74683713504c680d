import { drawPicture, eventually, type Client } from '@atrium/platform/testing';
import { MEDIA, settled, upload } from '../files/uploading';
import type { PageNode, Pages } from './pages';

const words = (value: string, marks: readonly object[] = []) => ({ type: 'text', text: value, ...(marks.length > 0 && { marks }) });
const paragraph = (...content: readonly object[]) => ({ type: 'paragraph', content });
const doc = (...content: readonly object[]) => ({ type: 'doc', content });
const cell = (type: string, value: string) => ({ type, content: [paragraph(words(value))] });
const row = (type: string, ...values: readonly string[]) => ({ type: 'table_row', content: values.map((value) => cell(type, value)) });

/** The German of every localized text. */
const GERMAN: Readonly<Record<string, string>> = {
  'Brass & Light': 'Messing & Licht',
  'Lamps that last': 'Lampen, die bleiben',
  'Made by hand in a small workshop by the harbour.': 'Von Hand gefertigt in einer kleinen Werkstatt am Hafen.',
  'See all lamps': 'Alle Lampen',
  'Why brass?': 'Warum Messing?',
  'Brass ages ': 'Messing altert ',
  beautifully: 'wunderschön',
  ', and it can be repaired. Read ': ' und lässt sich reparieren. Lesen Sie ',
  'how we restore old lamps': 'wie wir alte Lampen restaurieren',
  'From the workshop': 'Aus der Werkstatt',
  'It still shines after forty years.': 'Sie leuchtet noch nach vierzig Jahren.',
  'Lighthouse keeper': 'Leuchtturmwärterin',
  Questions: 'Fragen',
  'Do you repair lamps?': 'Reparieren Sie Lampen?',
  'Yes, all of ours.': 'Ja, alle unsere.',
  Products: 'Produkte',
  'Harbour lamp': 'Hafenlampe',
  'Pier lamp': 'Pierlampe',
  'Quay lamp': 'Kailampe',
  Height: 'Höhe',
  Material: 'Material',
  'Solid brass': 'Massives Messing',
  'On the workbench': 'Auf der Werkbank',
  News: 'Neuigkeiten',
  'Restoring old lamps': 'Alte Lampen restaurieren',
  'A new pier lamp': 'Eine neue Pierlampe',
  'Open workshop': 'Offene Werkstatt',
  'What we do with lamps that come back.': 'Was wir mit Lampen tun, die zurückkommen.',
  'About us': 'Über uns',
  'Visit us': 'Besuchen Sie uns',
  'The door is open on Saturdays.': 'Samstags steht die Tür offen.',
};

/** The same content with every text that is known in German. */
function inGerman<T>(value: T): T {
  if (typeof value === 'string') return (GERMAN[value] ?? value) as T;
  if (Array.isArray(value)) return value.map(inGerman) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, inGerman<unknown>(inner)])) as T;
}

/** Uploads a drawn landscape and waits for its renditions. */
async function uploadLandscape(client: Client, seed: number): Promise<string> {
  const bytes = await drawPicture({ width: 1200, height: 750, format: 'jpeg', seed });
  const { file_id } = await upload(client, `Lamp ${seed}.jpg`, bytes, { file_repo: MEDIA });
  await eventually(
    () => settled(client, file_id),
    (file) => file.file_replicas.includes('large'),
    60_000,
  );
  return file_id;
}

/** The site of a shop: ten pages in English and German, with a menu of two levels. */
export class LampShop {
  readonly made: PageNode[] = [];

  constructor(private readonly pages: Pages) {}

  async makePages(): Promise<void> {
    const { client } = this.pages;
    const [one = '', two = '', three = '', four = ''] = await Promise.all([11, 12, 13, 14].map((seed) => uploadLandscape(client, seed)));
    const products = await this.makePage('Products', 'produkte', { title: 'Products' });
    const lamps = [];
    for (const [name, slug, file] of [
      ['Harbour lamp', 'hafenlampe', one],
      ['Pier lamp', 'pierlampe', two],
      ['Quay lamp', 'kailampe', three],
    ] as const)
      lamps.push(await this.makePage(name, slug, { title: name, body: lampBody(name, file) }, { node_parent: products.node_id }));
    const news = await this.makePage('News', 'neuigkeiten', { title: 'News' });
    const articles: PageNode[] = [];
    for (const [name, slug, file] of [
      ['Restoring old lamps', 'alte-lampen', four],
      ['A new pier lamp', 'neue-pierlampe', two],
      ['Open workshop', 'offene-werkstatt', one],
    ] as const)
      articles.push(
        await this.makePage(name, slug, articleContent(name, file, articles), {
          node_parent: news.node_id,
          node_template: this.pages.library.article,
        }),
      );
    await this.makePage('About us', 'ueber-uns', {
      title: 'About us',
      body: [
        { component: 'cta', headline: 'Visit us', text: 'The door is open on Saturdays.', button: 'News', link: pageLink(news) },
        { component: 'image', image: { file: one, alt: 'Harbour lamp' }, caption: 'On the workbench' },
      ],
    });
    const [first] = articles;
    if (!first) throw new Error('There is no article.');
    await this.makePage(
      'Home',
      '',
      { title: 'Brass & Light', body: homeBody({ products, first, files: [one, two, three, four] }) },
      { node_slug: '', before: products.node_id, node_seo: { title: 'Brass & Light', description: 'Lamps that last' } },
    );
  }

  private async makePage(name: string, slug: string, node_content: object, more: object = {}): Promise<PageNode> {
    const node = await this.pages.make(name, {
      node_template: this.pages.library.plain,
      node_content,
      ...(slug !== '' && { node_slugs: { de: slug } }),
      ...more,
    });
    await this.pages.write(node.node_id, inGerman(node.node_content), { locale: 'de' }).expect(200);
    this.made.push(node);
    return node;
  }
}

const pageLink = ({ node_id }: PageNode) => ({ kind: 'page', ref: node_id });

const lampBody = (name: string, file: string): readonly object[] => [
  { component: 'image', image: { file, alt: name }, caption: 'On the workbench' },
  {
    component: 'text',
    body: doc({
      type: 'table',
      content: [row('table_header', 'Height', 'Material'), row('table_cell', '42 cm', 'Solid brass')],
    }),
  },
];

const articleContent = (title: string, file: string, related: readonly PageNode[]): object => ({
  title,
  teaser: 'What we do with lamps that come back.',
  image: { file, alt: title },
  date: '2026-05-17',
  author: 'Ada Keeper',
  body: [{ component: 'text', body: doc(paragraph(words('Brass ages '), words('beautifully', [{ type: 'bold' }]), words('.'))) }],
  related: related.map(({ node_id }) => node_id),
});

function homeBody({
  products,
  first,
  files: [one, two, three, four],
}: {
  readonly products: PageNode;
  readonly first: PageNode;
  readonly files: readonly string[];
}): readonly object[] {
  return [
    {
      component: 'hero',
      headline: 'Lamps that last',
      subline: 'Made by hand in a small workshop by the harbour.',
      image: { file: four, alt: 'Lamps that last' },
      button: 'See all lamps',
      link: pageLink(products),
    },
    {
      component: 'text',
      body: doc(
        { type: 'heading', attrs: { level: 2 }, content: [words('Why brass?')] },
        paragraph(
          words('Brass ages '),
          words('beautifully', [{ type: 'bold' }]),
          words(', and it can be repaired. Read '),
          words('how we restore old lamps', [{ type: 'link', attrs: pageLink(first) }]),
          words('.'),
        ),
        {
          type: 'bullet_list',
          content: ['Solid brass', '42 cm'].map((item) => ({ type: 'list_item', content: [paragraph(words(item))] })),
        },
      ),
    },
    { component: 'gallery', title: 'From the workshop', images: [one, two, three].map((file) => ({ file, alt: 'On the workbench' })) },
    { component: 'quote', quote: 'It still shines after forty years.', person: 'Grace', role: 'Lighthouse keeper' },
    {
      component: 'faq',
      title: 'Questions',
      questions: [{ question: 'Do you repair lamps?', answer: doc(paragraph(words('Yes, all of ours.'))) }],
    },
  ];
}
