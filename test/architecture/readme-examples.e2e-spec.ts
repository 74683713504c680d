import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { callsIn, declaredBy, readDeclarations, roomOf, type NamedCall } from './readme-examples';

const ROOT = join(__dirname, '../..');

/** Of the language. */
const LANGUAGE: ReadonlySet<string> = new Set(['constructor', 'import', 'super']);
const METHODS_OF_LANGUAGE: ReadonlySet<string> = new Set([
  'filter',
  'flatMap',
  'map',
  'push',
  'slice',
  'then',
  'throwIfAborted',
  'toString',
]);

/** What examples call something that no parameter, field or variable of the source is called, and its class. */
const RECEIVERS: Readonly<Record<string, string>> = {
  imports: 'ImportRuns',
  retrieval: 'SettingReader',
  search: 'PassageSearch',
  tables: 'TableInspection',
  text: 'TextModel',
  wholeImports: 'AllOrNothingImports',
};

/** Calls of what no file of libs declares, each with the reason. */
const DECLARED_ELSEWHERE: Readonly<Record<string, string>> = {
  'album.rename': 'of the example: an entity',
  'app.use': 'of Nest',
  'files.giveUp': 'of the example: a context that waits for an external service',
  'files.wait': 'of the example: a context that waits for an external service',
  'logger.warn': 'of the logger that AppLogger extends',
  'opened.assemble': 'a function of the page that openPage opens',
  'prices.write': 'of the example: the context whose rows are imported',
};

const { all, rooms } = readDeclarations();

/** Calls of a page that name no method of their receiver, or, where nothing says what the receiver is, none of the room. */
function undeclaredIn(file: string, page: string): string[] {
  const own = declaredBy(page);
  const isDeclared = ({ receiver, method }: NamedCall): boolean => {
    if (receiver === null) return LANGUAGE.has(method) || all.hasFunction(method) || own.hasFunction(method);
    if (METHODS_OF_LANGUAGE.has(method)) return true;
    const said = all.hasType(receiver) ? [receiver] : own.typesOf(receiver);
    const types = said.length > 0 ? said : [...all.typesOf(receiver), RECEIVERS[receiver] ?? ''].filter((type) => all.hasType(type));
    return types.length > 0 ? types.some((type) => all.hasMember(type, method)) : rooms.get(roomOf(file))?.hasMethod(method) === true;
  };
  return callsIn(page)
    .filter((call) => !isDeclared(call))
    .map(({ receiver, method }) => (receiver === null ? method : `${receiver}.${method}`))
    .filter((name) => !Object.hasOwn(DECLARED_ELSEWHERE, name));
}

describe('the pages of rooms', () => {
  it('call functions and methods that are declared', () => {
    const pages = readdirSync(join(ROOT, 'libs'), { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('README.md'));
    const faults = pages
      .map((path) => `libs/${path}`)
      .flatMap((file) => undeclaredIn(file, readFileSync(join(ROOT, file), 'utf8')).map((name) => `${file}: ${name}`));
    expect(faults).toEqual([]);
  });
});

describe('the check of pages', () => {
  it.each([
    ['a former method', 'const form = await formRows.open(form_id);', ['formRows.open']],
    ['a former function', 'demandWritable(form);', ['demandWritable']],
    ['a method of another class', 'const states = new StateMachine<State>(…);\nstates.openForm(form_id);', ['states.openForm']],
    ['a former method in a comment', 'db.query(statement); // or db.ask(statement)', ['db.ask']],
  ])('rejects %s', (_, code, faults) => {
    expect(undeclaredIn('libs/forms/README.md', `\`\`\`ts\n${code}\n\`\`\`\n`)).toEqual(faults);
  });

  it('rejects a former method in a sentence', () => {
    expect(undeclaredIn('libs/platform/database/README.md', 'A statement is `db.ask(statement)`.')).toEqual(['db.ask']);
  });

  it('accepts what is declared', () => {
    const code = 'const form = await formRows.openForm(kind, form_id);\nassertWritable(form);';
    expect(undeclaredIn('libs/forms/README.md', `\`\`\`ts\n${code}\n\`\`\`\n`)).toEqual([]);
  });
});
