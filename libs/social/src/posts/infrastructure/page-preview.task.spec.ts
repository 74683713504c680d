import { perform } from './page-preview.task';

const preview = (head: string) => perform({ html: `<html><head>${head}</head><body></body></html>`, address: 'https://example.com/a/b' });

describe('the preview of a page', () => {
  it('prefers Open Graph, and resolves addresses', async () => {
    const head = `<title>Plain</title><meta property="og:title" content="A  lamp"><meta property="og:description" content="Of brass.">
      <meta property="og:image" content="/lamp.jpg"><meta property="og:site_name" content="Lamps"><link rel="canonical" href="../lamp">`;
    expect(await preview(head)).toEqual({
      title: 'A lamp',
      description: 'Of brass.',
      image_url: 'https://example.com/lamp.jpg',
      site_name: 'Lamps',
      canonical: 'https://example.com/lamp',
    });
  });

  it('takes Twitter, then JSON-LD, then the title', async () => {
    expect(await preview('<meta name="twitter:title" content="T"><title>X</title>')).toMatchObject({ title: 'T' });
    const linked = { '@graph': [{ '@type': 'Article', headline: 'H', description: 'D', image: [{ url: 'https://example.com/i.png' }] }] };
    expect(await preview(`<script type="application/ld+json">${JSON.stringify(linked)}</script>`)).toMatchObject({
      title: 'H',
      description: 'D',
      image_url: 'https://example.com/i.png',
    });
    expect(await preview('<title>X</title><meta name="description" content="Y">')).toMatchObject({
      title: 'X',
      description: 'Y',
      image_url: null,
    });
  });

  it('leaves out addresses that are not of the web', async () => {
    expect(await preview('<meta property="og:image" content="javascript:alert(1)">')).toMatchObject({ image_url: null, title: null });
  });
});
