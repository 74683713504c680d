import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { refusedIn, refusedWords, sentencesOf, textsOf } from './refused-words';

const root = join(__dirname, '../..');
const read = (file: string): Promise<string> => readFile(join(root, file), 'utf8');
const filesIn = async (folder: string, named: RegExp): Promise<string[]> =>
  (await readdir(join(root, folder), { recursive: true })).filter((name) => named.test(name)).map((name) => join(folder, name));

describe('the words of the product', () => {
  const refused = refusedWords();

  it('are listed in CONTRIBUTING.md', () => {
    expect(refused).toEqual(expect.arrayContaining(['can not', 'anew', 'whoever', 'dealt with', 'movers', 'thereof']));
  });

  it('are found as whole words, in any case and over line ends, and nowhere else', () => {
    expect(refusedIn('It can\n not be read; Whoever asks.', ['can not', 'whoever'])).toEqual([
      'It can not be read; Whoever asks.',
      'It can not be read; Whoever asks.',
    ]);
    expect(refusedIn('A renewal; die_id, a die-cast part and `die`.', ['anew', 'die'])).toEqual([]);
  });

  it('are kept in the README, the guide and the pages about the code', async () => {
    const folders = await Promise.all(['docs', 'libs'].map((folder) => filesIn(folder, /\.md$/)));
    const pages = ['README.md', 'SECURITY.md', '.env.example', ...folders.flat()];
    const found = await Promise.all(pages.map(async (page) => refusedIn(await read(page), refused).map((text) => `${page}: ${text}`)));
    expect(found.flat()).toEqual([]);
  });

  it('are kept in the comments and in the titles of the tests', async () => {
    const folders = await Promise.all(['apps', 'libs', 'test', 'tools'].map((folder) => filesIn(folder, /\.(?:ts|mjs)$/)));
    const files = folders.flat().filter((file) => !file.startsWith('test/openapi/'));
    const found = await Promise.all(
      files.map(async (file) =>
        sentencesOf(await read(file)).flatMap((text) => refusedIn(text, refused).map((place) => `${file}: ${place}`)),
      ),
    );
    expect(found.flat()).toEqual([]);
  });

  it('are found in comments and titles, and not in code', () => {
    const source = "/**\n * Whoever\n * asks.\n */\nconst told = 'it lies'; // Stands here.\nit('tells it', () => {});";
    expect(sentencesOf(source)).toEqual(['/** Whoever asks.', '// Stands here.', 'tells it']);
  });

  it('are kept in every text of the OpenAPI document', async () => {
    const texts = textsOf(JSON.parse(await read('docs/openapi.json')));
    expect([...new Set(texts.flatMap((text) => refusedIn(text, refused)))]).toEqual([]);
  });
});
