import { encode } from 'iconv-lite';
import { perform } from './read-page.task';
import { htmlOf } from './sent-page';

const WORDS = 'Die Öffnungszeiten der Brücke hängen am Häuschen des Wärters aus, und wer früher kommt, wartet am Ufer.';
const AT = 'https://example.com/';

describe('a page that a site has sent', () => {
  it('is decoded where it is read: its header goes before what it says itself', async () => {
    const html = `<html><head><meta charset="koi8-r"><title>Brücke</title></head><body><p>${WORDS}</p></body></html>`;
    const read = await perform({ bytes: encode(html, 'windows-1252'), type: 'text/html; charset=ISO-8859-1', address: AT });
    expect(read).toMatchObject({ title: 'Brücke' });
    expect(read.markdown).toContain(WORDS);
  });

  it('closes its empty elements where it is XHTML', async () => {
    const bytes = Buffer.from(
      `<html><head><title>x</title></head><body><a name="top"/><p>${WORDS}</p><script src="/a.js"/><p>Behind</p></body></html>`,
    );
    expect((await perform({ bytes, type: 'application/xhtml+xml; charset=utf-8', address: AT })).markdown).toContain('Behind');
    expect(htmlOf({ bytes, type: 'application/xhtml+xml' })).toContain('<script src="/a.js"></script>');
    expect(htmlOf({ bytes, type: 'text/html' })).toContain('<script src="/a.js"/>');
  });
});
