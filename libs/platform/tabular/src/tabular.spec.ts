import { parse } from 'csv-parse/sync';
import iconv from 'iconv-lite';
import { Readable } from 'node:stream';
import { guardedCell, unguardedCell } from './csv/formula-guard';
import { sniffDelimiter } from './csv/delimiter';
import type { TableRecord } from './records';
import { shownText, type Cell, type Row } from './row';
import { rowsOfTable } from './row-source';
import type { TabularSource } from './stored-source';
import { Tabular, type ReadOptions } from './tabular';

const CSV: ReadOptions = { format: 'csv' };
const bytes = (text: string, encoding = 'utf-8'): Buffer => iconv.encode(text, encoding);
const inPieces = (whole: Buffer, size: number): Buffer[] =>
  Array.from({ length: Math.ceil(whole.length / size) }, (_, at) => whole.subarray(at * size, (at + 1) * size));
const all = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
};
const rowsOf = (source: TabularSource, options: Partial<ReadOptions> = {}): Promise<Row[]> =>
  all(Tabular.read(source, { ...CSV, ...options }));
const recordsOf = (source: TabularSource, options: Partial<ReadOptions> = {}): Promise<TableRecord[]> =>
  all(Tabular.records(source, { ...CSV, ...options }));

describe('delimited text', () => {
  it('reads quoted cells, breaks of every system inside and between rows, and counts empty rows', async () => {
    const text = 'a,b\r\n"x ""y""\r\nz",2\n\n,\r5" pipe,"",last';
    expect(await rowsOf(bytes(text))).toEqual([
      { number: 1, cells: ['a', 'b'] },
      { number: 2, cells: ['x "y"\r\nz', '2'] },
      { number: 5, cells: ['5" pipe', null, 'last'] },
    ]);
  });

  it('reads the same whatever pieces its bytes come in', async () => {
    const text = 'näme;"q ""1"""\r\n"zwei\r\nzeilen";2\r\nende;3';
    const whole = await rowsOf(bytes(text));
    for (const size of [1, 2, 3, 5, 8]) {
      expect(await rowsOf(Readable.from(inPieces(bytes(text), size)))).toEqual(whole);
    }
  });

  it('agrees with another reader on everything that is well formed', async () => {
    const words = [
      'plain',
      '',
      ' spaces ',
      'comma, inside',
      'quote " inside',
      'two\nlines',
      '"quoted"',
      'ünïcode 漢字 😀',
      '-5',
      "o'clock",
    ];
    let seed = 7;
    const next = (below: number): number => (seed = (seed * 48271) % 2147483647) % below;
    const table = Array.from({ length: 300 }, () => Array.from({ length: 1 + next(6) }, () => words[next(words.length)] ?? ''));
    const text = table
      .map((row) => row.map((cell) => (/[",\n]/.test(cell) || next(3) === 0 ? `"${cell.replaceAll('"', '""')}"` : cell)).join(','))
      .join('\n');
    const expected = parse(text, { relax_column_count: true, relax_quotes: true, skip_empty_lines: false });
    const found = await rowsOf(bytes(text), { delimiter: ',' });
    const cells = (row: readonly Cell[]): string[] => row.map(shownText);
    const bare = (row: readonly string[]): string[] => row.slice(0, row.findLastIndex((cell) => cell !== '') + 1);
    expect(found.map((row) => bare(cells(row.cells)))).toEqual(expected.map(bare).filter((row) => row.length > 0));
  });

  it('reports a row whose quotation mark is not closed, and reads the others', async () => {
    const lines = Array.from({ length: 10 }, (_, at) => `${at + 1};text ${at + 1};"q, ${at + 1}"`);
    lines[6] = '7;"not closed;x';
    const rows = await rowsOf(bytes(lines.join('\r\n')));
    expect(rows.map(({ number, fault }) => [number, fault !== undefined])).toEqual(lines.map((_, at) => [at + 1, at === 6]));
    expect(rows[7]?.cells).toEqual(['8', 'text 8', 'q, 8']);
    const last = await rowsOf(bytes('a,b\n1,"open'));
    expect(last.at(-1)).toEqual({ number: 2, cells: ['1,"open'], fault: 'A quotation mark is opened and not closed.' });
    expect((await rowsOf(bytes('a,"b"c\nd,e')))[0]?.fault).toContain('follows a closing quotation mark');
  });

  it.each([
    ['utf-8', 'näme;größe\nä;€', undefined],
    ['utf-16le', '\uFEFFnäme;größe\nä;€', undefined],
    ['utf-16be', '\uFEFFnäme;größe\nä;€', undefined],
    ['utf-16le', 'name;size\nfirst;second', undefined],
    ['windows-1252', 'näme;größe\nä;€ “quoted”', undefined],
    ['windows-1251', 'имя;размер\nпервый;Это предложение на русском языке для проверки кодировки', 'windows-1251'],
    ['shift_jis', '名前;サイズ\n最初の行です;これは日本語の文章です。文字コードを調べます。', 'shift_jis'],
  ])('knows %s by its bytes', async (encoding, text, told) => {
    const table = await Tabular.open(iconv.encode(text, encoding), CSV);
    const rows = await all(table.rows());
    expect(rows.map(({ cells }) => cells.map(shownText).join(';')).join('\n')).toBe(text.replace('\uFEFF', ''));
    if (told !== undefined) expect(table.encoding).toBe(told);
    await table.close();
  });

  it('decides on the encoding by the whole file, not by its beginning', async () => {
    const text = `${'name,place\n'.repeat(30_000)}größe “straße”,übung\n`;
    expect((await rowsOf(bytes(text, 'windows-1252'))).at(-1)?.cells).toEqual(['größe “straße”', 'übung']);
  });

  it('reads a named encoding as browsers do', async () => {
    expect((await rowsOf(Buffer.from([0x80, 0x2c, 0x31]), { encoding: 'ISO-8859-1' }))[0]?.cells).toEqual(['€', '1']);
    await expect(rowsOf(bytes('a'), { encoding: 'base64' })).rejects.toMatchObject({ code: 'validation_failed' });
  });

  it('believes an encoding that is named, and refuses one nobody knows', async () => {
    expect((await rowsOf(Buffer.from([0xe9, 0x2c, 0x31]), { encoding: 'cp437' }))[0]?.cells).toEqual(['Θ', '1']);
    await expect(rowsOf(bytes('a'), { encoding: 'klingon' })).rejects.toMatchObject({ code: 'validation_failed' });
  });

  it.each([
    ['a;b;c\n1,5;2,5;3\n', ';'],
    ['a,b\n1,"x;y;z"\n', ','],
    ['a\tb\n1\t2,5\n', '\t'],
    ['a|b\n1|2\n', '|'],
    ['sep=|\na;b|c;d', '|'],
    ['just words\nmore words', ','],
    ['Name\tPrice, net\nA\t1,5\nB\t2,5\n', '\t'],
    ['Name, first;Town\nA, B;C\n', ';'],
    ['Name,Town\nA,B\n', ','],
    [`Title; of it\n${'Title\n'.repeat(6)}${'1,2\n'.repeat(5)}`, ','],
    [`Title; of it\n${'Title\n'.repeat(6)}`, ';'],
    [`${'Title\n'.repeat(2)}${'a;b\n'.repeat(5)}1,2\n`, ';'],
  ])('sniffs the delimiter of %j', (text, delimiter) => expect(sniffDelimiter(text, true)).toBe(delimiter));

  it('takes the line that declares the delimiter for no row', async () => {
    expect(await rowsOf(bytes('sep=;\r\na;b\r\n1;2'))).toEqual([
      { number: 1, cells: ['a', 'b'] },
      { number: 2, cells: ['1', '2'] },
    ]);
  });

  it('bounds bytes, rows, columns, cells and lines', async () => {
    const refused = { code: 'payload_too_large' };
    await expect(rowsOf(Buffer.alloc(2 * 1024 * 1024, 'a,'), { limits: { maxBytes: 1024 * 1024 } })).rejects.toMatchObject(refused);
    await expect(rowsOf(Readable.from([Buffer.alloc(600), Buffer.alloc(600)]), { limits: { maxBytes: 1000 } })).rejects.toMatchObject(
      refused,
    );
    await expect(rowsOf(bytes('a\nb\nc'), { limits: { maxRows: 2 } })).rejects.toMatchObject(refused);
    await expect(rowsOf(bytes('a,b,c'), { limits: { maxColumns: 2 } })).rejects.toMatchObject(refused);
    await expect(rowsOf(bytes('a,bcde'), { limits: { maxCell: 3 } })).rejects.toMatchObject(refused);
    const line = Readable.from(
      (function* () {
        for (let n = 0; n < 60; n++) yield Buffer.alloc(1024 * 1024, 'x');
      })(),
    );
    await expect(rowsOf(line)).rejects.toMatchObject({ detail: expect.stringContaining('characters in a row') as string });
  });
});

describe('records', () => {
  it('are named by the first row that holds something', async () => {
    expect(await recordsOf(bytes('\n Name ,Price\nA,1\nB\n'))).toEqual([
      { number: 3, values: { Name: 'A', Price: '1' } },
      { number: 4, values: { Name: 'B', Price: null } },
    ]);
  });

  it('name the columns of a header that is no header', async () => {
    await expect(recordsOf(bytes('a,b,a\n1,2,3'))).rejects.toMatchObject({
      code: 'validation_failed',
      detail: expect.stringContaining('columns 1 and 3') as string,
    });
    await expect(recordsOf(bytes('a,,c\n1,2,3'))).rejects.toMatchObject({
      detail: expect.stringContaining('Column 2 has no name') as string,
    });
    await expect(recordsOf(bytes(''))).rejects.toMatchObject({ code: 'validation_failed' });
  });

  it('report a row that has more cells than the header has columns', async () => {
    const [record] = await recordsOf(bytes('a,b\n1,2,3'));
    expect(record?.fault).toBe('The row has 3 cells, but the header names 2 columns.');
  });

  it('come from JSON lines, with the number of each line that is none', async () => {
    const text = '{"a":1}\n\nnot json\r\n[1]\n{"b":{"c":"x\\ny"}}';
    expect(await recordsOf(bytes(text), { format: 'jsonl' })).toEqual([
      { number: 1, values: { a: 1 } },
      { number: 3, values: {}, fault: 'This is not valid JSON.' },
      { number: 4, values: {}, fault: 'This is JSON, but not an object.' },
      { number: 5, values: { b: { c: 'x\ny' } } },
    ]);
  });

  it.each(['json', 'jsonl'] as const)('of more columns or names than one may have are reported, wherever they are: %s', async (format) => {
    const [begin, between, end] = format === 'json' ? ['[', ',', ']'] : ['', '\n', ''];
    const names = (count: number): string => `{${Array.from({ length: count }, (_, n) => `"n${n}":1`).join(',')}}`;
    const rows = [...Array.from({ length: 120 }, () => '{"n0":1}'), names(501), `{"a":${names(12_000)}}`, names(500)];
    const parse = jest.spyOn(JSON, 'parse');
    const records = await recordsOf(bytes(`${begin}${rows.join(between)}${end}`), { format, limits: { maxColumns: 500 } });
    const longest = Math.max(...parse.mock.calls.map(([parsed]) => parsed.length));
    parse.mockRestore();
    expect(records.slice(120).map(({ fault }) => fault)).toEqual([
      'The row has more than 500 columns.',
      'The row has more than 10,000 different names.',
      undefined,
    ]);
    expect(longest).toBeLessThan(names(12_000).length);
  });

  it.each(['json', 'jsonl'] as const)('of more JSON than one may have are reported, and not parsed: %s', async (format) => {
    const long = `{"a":${'[],'.repeat(400_000).replace(/^/, '[').slice(0, -1)}]}`;
    const [begin, between, end] = format === 'json' ? ['[', ',', ']'] : ['', '\n', ''];
    const text = `${begin}${['{"a":1}', long, `{"a":"${'x'.repeat(1024 * 1024 - 8)}"}`, '{"a":2}'].join(between)}${end}`;
    const parse = jest.spyOn(JSON, 'parse');
    const records = await recordsOf(Readable.from(inPieces(bytes(text), 50_000)), { format });
    const longest = Math.max(...parse.mock.calls.map(([parsed]) => parsed.length));
    parse.mockRestore();
    expect(records.map(({ number, fault }) => [number, fault])).toEqual([
      [1, undefined],
      [2, 'The row is larger than 1 MiB.'],
      [3, undefined],
      [4, undefined],
    ]);
    expect(longest).toBe(1024 * 1024);
  });

  it('come from an array of JSON in whatever pieces', async () => {
    const text = ' [ {"a":"],{\\"\\\\"} , {"b":[1,{"c":2}]}, 5 ]\n';
    for (const size of [1, 4, 100]) {
      const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, at) => bytes(text.slice(at * size, (at + 1) * size)));
      expect((await recordsOf(Readable.from(pieces), { format: 'json' })).map(({ values, fault }) => fault ?? values)).toEqual([
        { a: '],{"\\' },
        { b: [1, { c: 2 }] },
        'This is JSON, but not an object.',
      ]);
    }
    expect(await recordsOf(bytes('[]'), { format: 'json' })).toEqual([]);
    for (const broken of ['{"a":1}', '[{"a":1}', '[1,,2]', '[1] 2', '']) {
      await expect(recordsOf(bytes(broken), { format: 'json' })).rejects.toMatchObject({ code: 'unprocessable_content' });
    }
    await expect(recordsOf(bytes('{"data":[]}'), { format: 'json' })).rejects.toMatchObject({
      detail: expect.stringContaining('not a JSON array of objects') as string,
    });
  });
});

describe('writing', () => {
  const written = async (rows: readonly (readonly Cell[])[]): Promise<string> =>
    (await all(Tabular.write(rows, { format: 'csv', mark: false }))).join('');

  it('quotes what needs quotes', async () => {
    expect(await written([['a', 1, true, null, 'b,c', 'd"e', 'f\ng', ' h']])).toBe('a,1,true,,"b,c","d""e","f\ng"," h"\r\n');
  });

  it.each(['=1+1', '+cmd', '-2+3', '@SUM(A1)', "'=x", "''@x", '=', '-'])('guards %s, and reading takes the guard away', (text) => {
    expect(guardedCell(text)).toBe(`'${text}`);
    expect(unguardedCell(guardedCell(text))).toBe(text);
  });

  it.each(['-5', '+3.5', '-1,234.50', '-12 %', '1e-5', "o'clock", "'quoted'", "'-5", 'a=b', '', '-.5'])('leaves %s alone', (text) => {
    expect(guardedCell(text)).toBe(text);
    expect(unguardedCell(text)).toBe(text);
  });

  it('gives back every record that it wrote', async () => {
    const rows: Cell[][] = [
      ['name', 'text'],
      ['=1+1', "'=2"],
      ['a;b', 'x\r\ny'],
      ['"q"', '-5'],
      ['ä', null],
    ];
    const file = bytes((await all(Tabular.write(rows, { format: 'csv' }))).join(''));
    expect((await recordsOf(file)).map(({ values }) => [values['name'], values['text']])).toEqual(rows.slice(1));
    const lines = bytes((await all(Tabular.writeLines([{ a: '=1' }, { a: null }]))).join(''));
    expect((await recordsOf(lines, { format: 'jsonl' })).map(({ values }) => values)).toEqual([{ a: '=1' }, { a: null }]);
  });
});

describe('columns of JSON', () => {
  it('are the names in its rows, and no more than a table may have', async () => {
    const columnsOf = async (maxColumns: number): Promise<readonly string[]> => {
      const text = JSON.stringify([{ a: 1, b: 2 }, { c: 3 }]);
      const table = await Tabular.open(Readable.from([Buffer.from(text)], { objectMode: false }), {
        format: 'json',
        limits: { maxColumns },
      });
      try {
        return await rowsOfTable(table).columns();
      } finally {
        await table.close();
      }
    };
    expect(await columnsOf(3)).toEqual(['a', 'b', 'c']);
    await expect(columnsOf(2)).rejects.toMatchObject({ code: 'payload_too_large', detail: expect.stringContaining('2 columns') as string });
  });
});
