import type { JsonObject } from '@atrium/platform/kernel';
import { docHtml } from './doc-html';
import { docMarkdown, docText } from './doc-text';

const text = (words: string, ...marks: readonly JsonObject[]): JsonObject => ({
  type: 'text',
  text: words,
  ...(marks.length > 0 ? { marks } : {}),
});
const node = (type: string, content: readonly JsonObject[] = [], attrs?: JsonObject): JsonObject => ({
  type,
  ...(attrs ? { attrs } : {}),
  content,
});
const paragraph = (...content: readonly JsonObject[]): JsonObject => node('paragraph', content);
const doc = (...content: readonly JsonObject[]): JsonObject => ({ type: 'doc', content });
const link = (attrs: JsonObject): JsonObject => ({ type: 'link', attrs });

describe('the HTML of a document', () => {
  it.each<[JsonObject, string]>([
    [doc(), ''],
    [doc(paragraph(text('a & b < c > "d" \'e\''))), '<p>a &amp; b &lt; c &gt; &quot;d&quot; &#39;e&#39;</p>'],
    [doc(paragraph(text('<img src=x onerror=alert(1)>'))), '<p>&lt;img src=x onerror=alert(1)&gt;</p>'],
    [doc(node('heading', [text('T')], { level: 3 })), '<h3>T</h3>'],
    [doc(node('paragraph', [text('T')], { text_align: 'center' })), '<p style="text-align: center">T</p>'],
    [doc(node('bullet_list', [node('list_item', [paragraph(text('a'))])])), '<ul><li><p>a</p></li></ul>'],
    [doc(node('ordered_list', [node('list_item', [paragraph(text('a'))])], { order: 3 })), '<ol start="3"><li><p>a</p></li></ol>'],
    [doc(node('code_block', [text('a < b')], { language: 'ts' })), '<pre><code class="language-ts">a &lt; b</code></pre>'],
    [doc(node('blockquote', [paragraph(text('a'))]), node('horizontal_rule')), '<blockquote><p>a</p></blockquote><hr>'],
    [
      doc(node('table', [node('table_row', [node('table_header', [paragraph(text('a'))], { colspan: 2 }), node('table_cell', [])])])),
      '<table><tbody><tr><th colspan="2"><p>a</p></th><td></td></tr></tbody></table>',
    ],
    [
      doc(paragraph(text('a', { type: 'bold' }, { type: 'italic' }), node('hard_break'), text('b', { type: 'code' }))),
      '<p><strong><em>a</em></strong><br><code>b</code></p>',
    ],
    [
      doc(paragraph(text('a', { type: 'highlight', attrs: { color: '#ffee00' } }))),
      '<p><mark style="background-color: #ffee00">a</mark></p>',
    ],
    [doc(paragraph(text('a', { type: 'text_style', attrs: { color: 'red;background:url(x)' } }))), '<p><span>a</span></p>'],
    [
      doc(paragraph(text('a', link({ kind: 'url', url: 'https://example.com/?a=1&b="2"' })))),
      '<p><a href="https://example.com/?a=1&amp;b=&quot;2&quot;" rel="noopener noreferrer">a</a></p>',
    ],
    [
      doc(paragraph(text('a', link({ kind: 'url', url: 'https://example.com/?a=1&b=2', target: '_blank', title: '"T"' })))),
      '<p><a href="https://example.com/?a=1&amp;b=2" target="_blank" title="&quot;T&quot;" rel="noopener noreferrer">a</a></p>',
    ],
    [
      doc(paragraph(text('a', link({ kind: 'page', ref: 'x', url: '/de/lampe', anchor: 'preis' })))),
      '<p><a href="/de/lampe#preis">a</a></p>',
    ],
    [doc(paragraph(text('a', link({ kind: 'page', ref: 'x', url: null })))), '<p>a</p>'],
    [doc(paragraph(text('a', link({ kind: 'email', url: 'a@example.com' })))), '<p><a href="mailto:a@example.com">a</a></p>'],
    [doc(paragraph(text('a', link({ kind: 'anchor', anchor: 'top' })))), '<p><a href="#top">a</a></p>'],
    [
      doc(node('image', [], { url: 'https://example.com/a.png', alt: '"A"', width: 3, height: 2 })),
      '<img src="https://example.com/a.png" alt="&quot;A&quot;" width="3" height="2">',
    ],
    [doc(node('image', [], { file: 'x' })), ''],
    [doc(node('script', [text('alert(1)')]), node('constructor', [text('x')]), node('foreign', [], { value: '<b>' })), ''],
    [doc(paragraph(text('a', { type: 'onclick', attrs: { x: 1 } }))), '<p>a</p>'],
  ])('of %j', (document, html) => expect(docHtml(document)).toBe(html));

  it.each([
    'javascript:alert(1)',
    'JaVaScript:alert(1)',
    'java\tscript:alert(1)',
    ' javascript:alert(1)',
    'data:text/html,x',
    '//evil.example',
    '/\\evil.example',
    'vbscript:x',
  ])('never links to %j', (url) => {
    expect(docHtml(doc(paragraph(text('a', link({ kind: 'url', url })))))).toBe('<p>a</p>');
    expect(docHtml(doc(node('image', [], { url })))).toBe('');
  });

  it('has its blocks rendered by who knows them', () => {
    const document = doc(node('blok', [], { body: [{ _uid: 'aaaaaaaa', component: 'cta' }] }));
    expect(docHtml(document)).toBe('');
    expect(docHtml(document, { blok: ({ component }) => `<i>${JSON.stringify(component)}</i>` })).toBe('<i>"cta"</i>');
  });
});

describe('a document without a screen', () => {
  const document = doc(
    node('heading', [text('Lamps & more')], { level: 2 }),
    paragraph(
      text('A '),
      text('red', { type: 'bold' }),
      text(' lamp_1 * '),
      text('here', link({ kind: 'url', url: 'https://example.com/(a)' })),
      node('hard_break'),
      text('1. no list'),
    ),
    node('bullet_list', [
      node('list_item', [paragraph(text('one'))]),
      node('list_item', [paragraph(text('two')), node('ordered_list', [node('list_item', [paragraph(text('deep'))])])]),
    ]),
    node('code_block', [text('a ``` b')], { language: 'md' }),
    node('table', [
      node('table_row', [node('table_header', [paragraph(text('a|b'))])]),
      node('table_row', [node('table_cell', [paragraph(text('c'))])]),
    ]),
    node('image', [], { file: 'x', alt: 'A picture' }),
  );

  it('is its words, a line for each part', () => {
    expect(docText(document)).toBe('Lamps & more\nA red lamp_1 * here 1. no list\none\ntwo\ndeep\na ``` b\na|b\nc\nA picture');
  });

  it('is markdown that says the same', () => {
    expect(docMarkdown(document)).toBe(
      [
        '## Lamps & more',
        'A **red** lamp\\_1 \\* [here](<https://example.com/(a)>)\\\n1\\. no list',
        '- one\n- two\n\n  1. deep',
        '````md\na ``` b\n````',
        '| a\\|b |\n| --- |\n| c |',
        'A picture',
      ].join('\n\n'),
    );
  });
});
