import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { refusedIn, refusedWords, textsOf } from './refused-words';

const root = join(__dirname, '../..');
const read = (file: string): Promise<string> => readFile(join(root, file), 'utf8');
const pagesIn = async (folder: string): Promise<string[]> =>
  (await readdir(join(root, folder), { recursive: true })).filter((name) => name.endsWith('.md')).map((name) => join(folder, name));

describe('the words of the product', () => {
  it('are listed in CONTRIBUTING.md', () => {
    expect(refusedWords()).toEqual(expect.arrayContaining(['can not', 'anew', 'whoever', 'dealt with', 'movers', 'thereof']));
  });

  it('are found as whole words, in any case and over line ends, and nowhere else', () => {
    expect(refusedIn('It can\n not be read; Whoever asks.', ['can not', 'whoever'])).toEqual([
      'It can not be read; Whoever asks.',
      'It can not be read; Whoever asks.',
    ]);
    expect(refusedIn('A renewal; die_id, a die-cast part and `die`.', ['anew', 'die'])).toEqual([]);
  });

  it('are kept in the README, the guide and the pages about the code', async () => {
    const folders = await Promise.all(['docs', 'libs'].map(pagesIn));
    const pages = ['README.md', 'SECURITY.md', '.env.example', ...folders.flat()];
    const found = await Promise.all(pages.map(async (page) => refusedIn(await read(page)).map((text) => `${page}: ${text}`)));
    expect(found.flat()).toEqual([]);
  });

  it('are kept in every text of the OpenAPI document', async () => {
    const texts = textsOf(JSON.parse(await read('docs/openapi.json')));
    expect([...new Set(texts.flatMap((text) => refusedIn(text)))]).toEqual([]);
  });
});
