import type { JsonObject } from '@atrium/platform/kernel';
import { fillContent, stepsOf } from './rendered-content';

const PAGES = new Map([['p1', { path: '/items/lamp', name: 'Lamp' }]]);
const FILES = new Map([['f1', { url: '/w/k/assets/f1/h/a.jpg', name: 'a.jpg', type: 'image/jpeg', width: 30, height: 20 }]]);
const fill = (content: JsonObject, places: Parameters<typeof fillContent>[1], html = false): JsonObject =>
  fillContent(content, places, { pages: PAGES, files: FILES, html });

describe('delivered content', () => {
  it('reads the steps of a path', () => {
    expect(stepsOf('body[2].items[10].button.ref')).toEqual(['body', 2, 'items', 10, 'button', 'ref']);
  });

  it('has the address of a linked page beside its id, and null where the page is not live', () => {
    const content = { body: [{ go: { kind: 'page', ref: 'p1' } }, { go: { kind: 'page', ref: 'p2' } }] };
    expect(
      fill(content, [
        { kind: 'page', path: 'body[0].go.ref', ref: 'p1' },
        { kind: 'page', path: 'body[1].go.ref', ref: 'p2' },
      ]),
    ).toEqual({ body: [{ go: { kind: 'page', ref: 'p1', url: '/items/lamp' } }, { go: { kind: 'page', ref: 'p2', url: null } }] });
  });

  it('has an object in the place of an id that is the whole value', () => {
    expect(
      fill({ related: ['p1', 'p2'], sheet: 'f1' }, [
        { kind: 'page', path: 'related[0]', ref: 'p1' },
        { kind: 'page', path: 'related[1]', ref: 'p2' },
        { kind: 'file', path: 'sheet', ref: 'f1' },
      ]),
    ).toEqual({
      related: [
        { node_id: 'p1', url: '/items/lamp', name: 'Lamp' },
        { node_id: 'p2', url: null, name: null },
      ],
      sheet: { file: 'f1', url: '/w/k/assets/f1/h/a.jpg', name: 'a.jpg', type: 'image/jpeg', width: 30, height: 20 },
    });
  });

  it('leaves alone what only looks like a reference', () => {
    const content = { data: { kind: 'page', ref: 'p1' }, text: 'p1' };
    expect(fill(structuredClone(content), [])).toEqual(content);
  });

  it('writes documents as HTML with the addresses of their links, and documents within them with them', () => {
    const link = { type: 'link', attrs: { kind: 'page', ref: 'p1' } };
    const doc = { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'A <lamp>', marks: [link] }] }] };
    expect(
      fill(
        { text: doc, other: 'x' },
        [
          { kind: 'doc', path: 'text.content[0].attrs.body[0].text', ref: '' },
          { kind: 'doc', path: 'text', ref: '' },
          { kind: 'page', path: 'text.content[0].content[0].marks[0].attrs.ref', ref: 'p1' },
        ],
        true,
      ),
    ).toEqual({ text: '<p><a href="/items/lamp">A &lt;lamp&gt;</a></p>', other: 'x' });
  });

  it('follows no step that content does not have', () => {
    expect(fill({ a: 'x' }, [{ kind: 'page', path: 'constructor.prototype.ref', ref: 'p1' }])).toEqual({ a: 'x' });
  });
});
