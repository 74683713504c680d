import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { operationsIn, type OpenApiDocument } from './document';
import { refusedIn, refusedWords, sentencesOf, startsWithoutSentence, textsForUsers, textsOf } from './refused-words';

const root = join(__dirname, '../..');
const read = (file: string): Promise<string> => readFile(join(root, file), 'utf8');
const filesIn = async (folder: string, named: RegExp): Promise<string[]> =>
  (await readdir(join(root, folder), { recursive: true })).filter((name) => named.test(name)).map((name) => join(folder, name));

describe('the words of the product', () => {
  const refused = refusedWords();
  const refusedForUsers = [...refused, ...refusedWords('forUsers')];

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
    expect([...new Set(texts.flatMap((text) => refusedIn(text, refusedForUsers)))]).toEqual([]);
  });

  it('begin every description of an operation with a sentence', async () => {
    const operations = operationsIn(JSON.parse(await read('docs/openapi.json')) as OpenApiDocument);
    expect(operations.filter(({ operation }) => startsWithoutSentence(operation.description ?? '')).map(({ name }) => name)).toEqual([]);
    expect(['Newest first. More.', 'By name; all of them.', 'As `GET /files`.'].filter(startsWithoutSentence)).toHaveLength(3);
    expect(['Sorted by name.', 'By default, nothing is stored.', 'Newest files are kept.'].filter(startsWithoutSentence)).toEqual([]);
  });

  it('are kept in the texts of fields and in what problems say', async () => {
    const folders = await Promise.all(['apps', 'libs'].map((folder) => filesIn(folder, /(?<!\.spec)\.ts$/)));
    const found = await Promise.all(
      folders
        .flat()
        .map(async (file) =>
          textsForUsers(await read(file)).flatMap((text) => refusedIn(text, refusedForUsers).map((place) => `${file}: ${place}`)),
        ),
    );
    expect(found.flat()).toEqual([]);
  });

  it('are found in what is thrown and in texts of fields, in sentences of constants and in no other text of code', () => {
    const source = `
      const told = 'it answers 409';
      const GIVEN_UP = 'The work is not there any more.';
      log('It is not there, and nobody answers it.');
      if (bad) throw invalidField('file', isBad ? 'is no file' : \`holds \${n} of what is left out\`);
      throw new Problem('gone', 'It is not there.', { errors: [{ path: 'x', message: 'how far the work is' }] });
      class Row { @Text({ about: 'What became of it.', example: 'is not there' }) note!: string; }
      tx.query(sql\`SELECT 1 FROM what_is_left_out\`);`;
    expect(textsForUsers(source)).toEqual([
      'The work is not there any more.',
      'file',
      'is no file',
      'holds … of what is left out',
      'gone',
      'It is not there.',
      'x',
      'how far the work is',
      'What became of it.',
    ]);
    expect(refusedIn('It answers 409; a request answered with 503 is of the caller.', refusedForUsers)).toHaveLength(3);
  });

  it('are kept in mails and in the changelog', async () => {
    const written = await Promise.all(
      ['texts', 'publishing-texts'].map((name) => read(`libs/identity/src/mail/infrastructure/${name}.ts`)),
    );
    const mails = written.map((text) => text.split('const de: Texts')[0]).join('');
    expect(
      [...mails.matchAll(/'((?:[^'\\\n]|\\.)*)'/g)].flatMap(([, text = '']) =>
        refusedIn(text.replace(/\{\{\w+\}\}/g, '…'), refusedForUsers),
      ),
    ).toEqual([]);
    for (const sentence of ['Reset your password', 'no longer exists on']) expect(mails).toContain(sentence);
    expect(refusedIn(await read('CHANGELOG.md'), refusedForUsers)).toEqual([]);
  });
});
