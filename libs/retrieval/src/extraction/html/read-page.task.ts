import { readPage, type PageWish, type ReadPage } from './read-page';
import { htmlOf, type SentPage } from './sent-page';

/** A page that a site has sent, and how it is to be read. */
export interface PageToRead extends PageWish, SentPage {
  readonly address: string;
}

/** A small page loads all that a large one needs. */
export const prepare = (): Promise<unknown> =>
  perform({
    bytes: Buffer.from('<html><body><article><p>Words</p></article></body></html>'),
    type: 'text/html',
    address: 'https://example.com/',
  });

export const perform = ({ bytes, type, address, ...wish }: PageToRead): Promise<ReadPage> =>
  readPage(htmlOf({ bytes, type }), address, wish);
