import type { FileRow } from '@atrium/files';
import type { DocumentsRepository } from './documents.repository';
import { DocumentRows } from './document-rows';

const HASH = 'a'.repeat(64);

/** The rows of one document, as its file says and as its text says. */
async function pagesOf(pages: number | undefined, text: object | undefined): Promise<unknown> {
  const none = {
    countLinkedDocuments: () => Promise.resolve(new Map()),
    findReadable: () => Promise.resolve(new Map()),
    findTags: () => Promise.resolve(new Map()),
    findVisible: () => Promise.resolve(new Map()),
  };
  const texts = { findTexts: () => Promise.resolve(new Map(text ? [['f', text]] : [])) };
  const documents = { findDeprecations: () => Promise.resolve(new Map()) } as unknown as DocumentsRepository;
  const rows = new DocumentRows(documents, none as never, texts as never, none as never, none as never);
  const file = { file_id: 'f', file_hash: HASH, file_metadata: pages === undefined ? {} : { system: { pages } } };
  const [row] = await rows.completeRows({} as never, [file as unknown as FileRow]);
  return row?.file_pages;
}

describe('the pages of a document', () => {
  it.each([
    ['are those that its file says', 3, { ft_version: HASH, ft_pages: 5 }, 3],
    ['are those of its text, where the text was kept after the row of the file was read', undefined, { ft_version: HASH, ft_pages: 5 }, 5],
    ['are not those of the text of other bytes', undefined, { ft_version: 'b'.repeat(64), ft_pages: 5 }, null],
    ['are unknown without a text', undefined, undefined, null],
  ])('%s', async (_, pages, text, shown) => {
    expect(await pagesOf(pages, text)).toBe(shown);
  });
});
