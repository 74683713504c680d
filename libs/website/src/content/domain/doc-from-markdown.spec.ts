import type { RootContent } from 'mdast';
import { docOfMarkdown } from './doc-from-markdown';

const said = (value: string): RootContent & { type: 'text' } => ({ type: 'text', value });

describe('the document of a parsed markdown text', () => {
  it('has the nodes and marks of the closed set', () => {
    expect(
      docOfMarkdown([
        { type: 'heading', depth: 2, children: [said('T')] },
        {
          type: 'paragraph',
          children: [{ type: 'strong', children: [said('a'), { type: 'emphasis', children: [said('b\nc')] }] }, { type: 'break' }],
        },
        {
          type: 'list',
          ordered: true,
          start: 3,
          children: [{ type: 'listItem', children: [{ type: 'paragraph', children: [said('x')] }] }],
        },
        { type: 'code', lang: 'ts', value: 'x < y' },
        { type: 'thematicBreak' },
      ]),
    ).toEqual({
      type: 'doc',
      content: [
        { type: 'heading', attrs: { level: 2 }, content: [{ type: 'text', text: 'T' }] },
        {
          type: 'paragraph',
          content: [
            { type: 'text', text: 'a', marks: [{ type: 'bold' }] },
            { type: 'text', text: 'b c', marks: [{ type: 'bold' }, { type: 'italic' }] },
            { type: 'hard_break' },
          ],
        },
        {
          type: 'ordered_list',
          attrs: { order: 3 },
          content: [{ type: 'list_item', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'x' }] }] }],
        },
        { type: 'code_block', attrs: { language: 'ts' }, content: [{ type: 'text', text: 'x < y' }] },
        { type: 'horizontal_rule' },
      ],
    });
  });

  it('keeps HTML as text, and the words of links and images that it refuses', () => {
    expect(
      docOfMarkdown([
        { type: 'html', value: '<script>x</script>' },
        {
          type: 'paragraph',
          children: [
            { type: 'link', url: 'javascript:x', children: [said('a')] },
            { type: 'image', url: 'data:x', alt: 'b' },
          ],
        },
        { type: 'paragraph', children: [{ type: 'link', url: 'mailto:a@example.com', children: [said('c')] }] },
      ]),
    ).toEqual({
      type: 'doc',
      content: [
        { type: 'paragraph', content: [{ type: 'text', text: '<script>x</script>' }] },
        {
          type: 'paragraph',
          content: [
            { type: 'text', text: 'a' },
            { type: 'text', text: 'b' },
          ],
        },
        {
          type: 'paragraph',
          content: [{ type: 'text', text: 'c', marks: [{ type: 'link', attrs: { kind: 'email', url: 'a@example.com' } }] }],
        },
      ],
    });
  });
});
