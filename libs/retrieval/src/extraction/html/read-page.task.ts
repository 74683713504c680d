import { readPage, type PageWish, type ReadPage } from './read-page';

/** A page that a site has sent, and how it is to be read. */
export interface PageToRead extends PageWish {
  readonly html: string;
  readonly address: string;
}

export const perform = ({ html, address, ...wish }: PageToRead): Promise<ReadPage> => readPage(html, address, wish);
