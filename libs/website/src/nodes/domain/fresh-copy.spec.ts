import type { Block, FindComponent } from '../../content/domain/content-form';
import { copiedOverlay, freshCopy } from './fresh-copy';

const field = (key: string, type: string) => ({ key, label: key, type: { name: type }, settings: {}, fields: [] });
const find: FindComponent = (key) => ({
  key,
  kind: 'both',
  group: null,
  active: true,
  form: { fields: [field('text', 'text'), field('body', 'blocks'), field('doc', 'doc')] },
});

describe('a copy of a page', () => {
  it('has identities of its own for every block, those in documents too, and values of locales follow', () => {
    let made = 0;
    const inDocument = { _uid: 'inner-001', component: 'quote', text: 'in a document' };
    const tree: Block = {
      _uid: 'root-0001',
      component: 'page',
      text: 'root',
      body: [{ _uid: 'child-001', component: 'quote', text: 'child' }],
      doc: { type: 'doc', content: [{ type: 'blok', attrs: { body: [inDocument] } }] },
    };
    const { tree: copy, uids } = freshCopy(tree, find, () => `fresh-${++made}`);
    expect([...uids.keys()].sort()).toEqual(['child-001', 'inner-001', 'root-0001']);
    expect(copy).toEqual({
      _uid: uids.get('root-0001'),
      component: 'page',
      text: 'root',
      body: [{ _uid: uids.get('child-001'), component: 'quote', text: 'child' }],
      doc: { type: 'doc', content: [{ type: 'blok', attrs: { body: [{ ...inDocument, _uid: uids.get('inner-001') }] } }] },
    });
    expect(copiedOverlay({ 'child-001.text': 'Kind', 'seo.title': 'Titel' }, uids)).toEqual({
      [`${uids.get('child-001')}.text`]: 'Kind',
      'seo.title': 'Titel',
    });
  });
});
