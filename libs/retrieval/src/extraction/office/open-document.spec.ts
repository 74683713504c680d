import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDocumentOf, type OpenDocumentParts } from '../../../../platform/testing/src/archives/open-document-of';
import { extractFile } from '../extract';
import { EXTRACTION_LIMITS, type ExtractedText, type ExtractionLimits } from '../extracted-text';

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'atrium-odf-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));

const read = async (parts: OpenDocumentParts, limits: Partial<ExtractionLimits> = {}): Promise<ExtractedText> => {
  const path = join(folder, 'original');
  await writeFile(path, openDocumentOf(parts));
  const found = await extractFile({ path, type: 'application/zip', name: 'a', limits: { ...EXTRACTION_LIMITS, ...limits } });
  expect(found.loss).toBeNull();
  return found;
};

const HIDDEN = '<style:style style:name="Hid" style:family="text"><style:text-properties text:display="none"/></style:style>';
const text = (body: string, more: Partial<OpenDocumentParts> = {}): Promise<ExtractedText> => read({ kind: 'text', body, ...more });

describe('a text of OpenDocument', () => {
  it('keeps headings, paragraphs, tables, notes, links and the words of pictures', async () => {
    const found = await text(
      [
        '<text:p text:style-name="Title">The title</text:p>',
        '<text:h text:outline-level="2">First<text:s/>part</text:h>',
        '<text:p>One<text:tab/>two<text:line-break/>three &lt;b&gt;<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body><text:p>The source.</text:p></text:note-body></text:note> end</text:p>',
        '<text:p><text:a xlink:href="https://example.org/a">the site</text:a><draw:frame><draw:image/><svg:title>Picture 1</svg:title><svg:desc>A chart</svg:desc></draw:frame></text:p>',
        '<text:p>Around <draw:frame><draw:text-box><text:p>In the box</text:p></draw:text-box></draw:frame>it</text:p>',
        '<table:table><table:table-header-rows><table:table-row><table:table-cell><text:p>Name</text:p></table:table-cell><table:table-cell><text:p>Price</text:p></table:table-cell></table:table-row></table:table-header-rows>',
        '<table:table-row><table:table-cell><text:p>Chair</text:p><text:p>oak</text:p></table:table-cell><table:table-cell><text:p>120</text:p></table:table-cell></table:table-row></table:table>',
        '<text:p><text:ruby><text:ruby-base>漢字</text:ruby-base><text:ruby-text>かんじ</text:ruby-text></text:ruby></text:p>',
      ].join(''),
    );
    expect(found.markdown).toBe(
      [
        '# The title',
        '## First part',
        'One two  \nthree \\<b>[^1] end',
        '[the site](https://example.org/a)![A chart]()',
        'Around it',
        'In the box',
        '| Name | Price |\n| --- | --- |\n| Chair<br>oak | 120 |',
        '漢字 (かんじ)',
        '[^1]: The source.',
      ].join('\n\n'),
    );
    expect(found.metadata).toEqual({ title: 'Yearly report', author: 'A. Author', language: 'en-GB' });
    expect(found).toMatchObject({ status: 'ready', engine: 'odt/1', pages: 3 });
    expect(found.outline.map(({ level, title }) => [level, title])).toEqual([
      [1, 'The title'],
      [2, 'First part'],
    ]);
  });

  it('keeps raised signs apart from what they stand behind', async () => {
    const style = (name: string, position: string): string =>
      `<style:style style:name="${name}" style:family="text"><style:text-properties style:text-position="${position}"/></style:style>`;
    const span = (of: string, words: string): string => `<text:span text:style-name="${of}">${words}</text:span>`;
    const found = await text(
      `<text:p>10${span('Up', '6')} units, 1010${span('Down', '2')}, m${span('High', '2')} of ${span('Up', 'late')}</text:p>`,
      {
        styles: style('Up', 'super 58%') + style('Down', 'sub 58%') + style('High', '33% 58%'),
      },
    );
    expect(found.markdown).toBe('10^6 units, 1010_2, m^2 of late');
  });

  it('loses what was deleted, hidden or noted beside it', async () => {
    const found = await text(
      [
        '<text:tracked-changes><text:changed-region><text:deletion><text:p>deleted</text:p></text:deletion></text:changed-region></text:tracked-changes>',
        '<text:p>Shown<office:annotation><dc:creator>Ann</dc:creator><text:p>a comment</text:p></office:annotation><text:span text:style-name="Hid">secret</text:span></text:p>',
        '<text:section text:display="none"><text:p>hidden section</text:p></text:section>',
        '<text:p>gone<text:hidden-paragraph text:is-hidden="true"/></text:p>',
        '<text:section text:name="s"><text:p>Kept</text:p></text:section>',
      ].join(''),
      { styles: HIDDEN },
    );
    expect(found.markdown).toBe('Shown\n\nKept');
  });

  it('keeps the numbers of lists, clauses and headings', async () => {
    const list =
      '<text:list-style style:name="L1"><text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/><text:list-level-style-number text:level="2" style:num-format="a" style:num-suffix=")"/></text:list-style>' +
      '<text:list-style style:name="L2"><text:list-level-style-number text:level="1" style:num-prefix="§ " style:num-format="1"/><text:list-level-style-number text:level="2" style:num-format="1" text:display-levels="2"/></text:list-style>';
    const outline =
      '<text:outline-style><text:outline-level-style text:level="1" style:num-format="1"/><text:outline-level-style text:level="2" style:num-format="1" text:display-levels="2"/></text:outline-style>';
    const item = (inside: string): string => `<text:list-item>${inside}</text:list-item>`;
    const p = (words: string): string => `<text:p>${words}</text:p>`;
    const found = await text(
      [
        '<text:h text:outline-level="1">Scope</text:h><text:h text:outline-level="2">Parties</text:h><text:h text:outline-level="2">Terms</text:h>',
        `<text:list text:style-name="L1">${item(p('One') + `<text:list>${item(p('deep'))}</text:list>`)}${item(p('Two'))}</text:list>`,
        p('Between'),
        `<text:list xml:id="c" text:style-name="L2">${item(p('First clause'))}</text:list>`,
        p('Between'),
        `<text:list text:continue-list="c" text:style-name="L2">${item(p('Second clause'))}${item(`<text:list>${item(p('Of the second'))}</text:list>`)}</text:list>`,
        `<text:list text:style-name="X">${item(p('point'))}</text:list>`,
        `<text:list text:style-name="L1"><text:list-header>${p('What to bring')}</text:list-header>${item(p('Ropes'))}<text:list-item text:start-value="7">${p('Sails')}</text:list-item>${item(p('Oars'))}</text:list>`,
      ].join(''),
      { styles: list, office: outline },
    );
    expect(found.markdown).toBe(
      [
        '# 1 Scope',
        '## 1.1 Parties',
        '## 1.2 Terms',
        '1.  One\n    -   a) deep\n2.  Two',
        'Between',
        '-   § 1 First clause',
        'Between',
        '-   § 2 Second clause\n-   -   2.1 Of the second',
        '-   point',
        'What to bring',
        '1.  Ropes',
        '7.  Sails\n8.  Oars',
      ].join('\n\n'),
    );
  });

  it('that is protected, hostile or too deep says so', async () => {
    expect(await text('<text:p>x</text:p>', { manifest: '<manifest:encryption-data/>' })).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('protected by a password') as string,
    });
    expect(await text('<text:p>&x;</text:p>', { prolog: '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>' })).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('declares entities') as string,
    });
    const deep = `${'<text:list><text:list-item>'.repeat(5_000)}<text:p>x</text:p>${'</text:list-item></text:list>'.repeat(5_000)}`;
    expect(await text(deep)).toMatchObject({ status: 'failed' });
    expect(await read({ kind: 'text', body: `<text:p>${'word '.repeat(100)}</text:p>` }, { maxMarkdown: 22 })).toMatchObject({
      truncated: true,
      markdown: 'word word word word',
    });
  });
});

describe('a spreadsheet of OpenDocument', () => {
  const sheet = (name: string, rows: string, style = ''): string =>
    `<table:table table:name="${name}" table:style-name="${style}">${rows}</table:table>`;
  const row = (cells: string, repeated = 1): string =>
    `<table:table-row table:number-rows-repeated="${repeated}">${cells}</table:table-row>`;
  const cell = (words: string, more = ''): string => `<table:table-cell ${more}><text:p>${words}</text:p></table:table-cell>`;
  const gap = '<table:table-cell table:number-columns-repeated="16384"/>';

  it('keeps raised signs apart from what they stand behind', async () => {
    const styles =
      '<style:style style:name="T1" style:family="text"><style:text-properties style:text-position="super 58%"/></style:style>';
    const words = cell('10<text:span text:style-name="T1">6</text:span><text:span text:style-name="X"> units</text:span>');
    const found = await read({ kind: 'spreadsheet', styles, body: sheet('Sales', row(words + cell('6'))) });
    expect(found.markdown).toBe('## Sales\n\n| 10^6 units | 6 |\n| --- | --- |');
  });

  it('shows its cells as they look, a table a sheet', async () => {
    const styles = '<style:style style:name="ta2" style:family="table"><style:table-properties table:display="false"/></style:style>';
    const found = await read({
      kind: 'spreadsheet',
      styles,
      body:
        sheet(
          'Sales',
          row(cell('Rate') + cell('Zip') + gap) +
            row(
              cell('7.5 %', 'office:value-type="percentage" office:value="0.075"') +
                cell('00123<text:s/>x') +
                '<table:table-cell><office:annotation><text:p>a comment</text:p></office:annotation></table:table-cell>',
            ) +
            row(gap, 1_000_000),
        ) +
        sheet('Empty', row(gap, 1_048_576)) +
        sheet(
          'Old',
          row(`<table:table-cell table:number-columns-spanned="2"><text:p>both</text:p></table:table-cell><table:covered-table-cell/>`),
          'ta2',
        ),
    });
    expect(found.markdown).toBe(
      '## Sales\n\n| Rate | Zip |\n| --- | --- |\n| 7.5 % | 00123 x |\n\n## Old (hidden sheet)\n\n| both | both |\n| --- | --- |',
    );
    expect(found).toMatchObject({ status: 'ready', engine: 'ods/1', pages: 3, truncated: false });
    expect(found.page_map.map(({ page }) => page)).toEqual([1, 2, 3]);
  });

  it('marks hidden rows and columns', async () => {
    const columns = '<table:table-column/><table:table-column table:visibility="collapse"/>';
    const hidden = `<table:table-row table:visibility="filter">${cell('a')}${cell('1')}</table:table-row>`;
    const found = await read({ kind: 'spreadsheet', body: sheet('S', columns + row(cell('Name') + cell('Sum')) + hidden) });
    expect(found.markdown).toBe('## S\n\n| Name | Sum (hidden column) |\n| --- | --- |\n| a (hidden row) | 1 |');
  });

  it('is cut where cells and rows repeat beyond the bounds', async () => {
    const body = sheet('Bomb', row(cell('x', 'table:number-columns-repeated="1000000"'), 1_000_000));
    const found = await read({ kind: 'spreadsheet', body }, { maxMarkdown: 100_000 });
    expect(found).toMatchObject({ status: 'ready', truncated: true });
    expect(found.markdown.length).toBeLessThanOrEqual(100_000);
  });
});

describe('a presentation of OpenDocument', () => {
  const frame = (kind: string, words: string): string =>
    `<draw:frame presentation:class="${kind}"><draw:text-box>${words}</draw:text-box></draw:frame>`;
  const p = (words: string): string => `<text:p>${words}</text:p>`;

  it('keeps titles, points, tables and notes, and marks hidden slides', async () => {
    const styles =
      '<style:style style:name="dp2" style:family="drawing-page"><style:drawing-page-properties presentation:visibility="hidden"/></style:style>';
    const points =
      '<text:list><text:list-item><text:p>first</text:p></text:list-item><text:list-item><text:p>second</text:p></text:list-item></text:list>';
    const notes = `<presentation:notes><draw:page-thumbnail/>${frame('notes', p('Say hello.'))}${frame('page-number', p('7'))}</presentation:notes>`;
    const found = await read({
      kind: 'presentation',
      styles,
      body:
        `<presentation:footer-decl>Footer</presentation:footer-decl><draw:page>${frame('title', p('Welcome'))}${frame('outline', points)}${frame('footer', p('Footer'))}${notes}</draw:page>` +
        `<draw:page draw:style-name="dp2">${frame('title', p('Not shown'))}</draw:page><draw:page/><draw:page><draw:custom-shape>${p('Only a shape')}</draw:custom-shape></draw:page>`,
    });
    expect(found.markdown).toBe(
      '## Welcome\n\n-   first\n-   second\n\n**Notes:** Say hello.\n\n## Not shown (hidden slide)\n\n## Slide 4\n\nOnly a shape',
    );
    expect(found).toMatchObject({ engine: 'odp/1', pages: 4 });
    expect(found.page_map.map(({ char_start }) => found.markdown.slice(char_start, char_start + 9))).toEqual([
      '## Welcom',
      '## Not sh',
      '## Slide ',
      '## Slide ',
    ]);
    expect(found.outline.map(({ page }) => page)).toEqual([1, 2, 4]);
  });
});
