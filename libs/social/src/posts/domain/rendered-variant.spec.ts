import { writeLittleText } from '../../network/domain/little-text';
import { LINKEDIN_LIMITS } from '../../network/domain/platforms';
import { renderVariant, type RenderFacts } from './rendered-variant';

const JPEG = { file_id: 'f1', name: 'a.jpg', type: 'image/jpeg', size: 9, width: 10, height: 10, seconds: null, pages: null };
const FACTS: RenderFacts = {
  limits: LINKEDIN_LIMITS,
  files: new Map([['f1', JPEG]]),
  refusals: new Map(),
  writeText: writeLittleText,
};
const POST = { sp_text: 'Hello', sp_files: [], sp_link: null, sp_utm: null };
const codesOf = (post: Partial<Parameters<typeof renderVariant>[0]>, facts: Partial<RenderFacts> = {}) =>
  renderVariant({ ...POST, ...post }, null, { ...FACTS, ...facts }).issues.map(({ code }) => code);

describe('a rendered variant', () => {
  it('counts the text before escaping, with the campaign on its links', () => {
    const rendered = renderVariant({ ...POST, sp_text: 'a_b https://example.com/x', sp_utm: { source: 's' } }, null, FACTS);
    expect(rendered.text).toBe('a\\_b https://example.com/x?utm\\_source=s');
    expect(rendered.length).toBe('a_b https://example.com/x?utm_source=s'.length);
  });

  it('has issues with what cannot be sent', () => {
    expect(codesOf({ sp_text: 'x'.repeat(3_000) })).toEqual([]);
    expect(codesOf({ sp_text: 'x'.repeat(3_001) })).toEqual(['too_long']);
    expect(codesOf({ sp_text: ' ' })).toEqual(['empty']);
    expect(codesOf({ sp_text: '', sp_files: [{ file_id: 'f1', alt: 'A', title: null }] })).toEqual([]);
    expect(codesOf({ sp_files: [{ file_id: 'f2', alt: 'A', title: null }] })).toEqual(['file_unavailable']);
    expect(codesOf({ sp_text: '@[A](urn:x)' })).toEqual(['malformed_mention']);
  });

  it('names the variant for what is its own alone', () => {
    const variant = { spv_id: 'v', spv_text: '', spv_files: null, spv_link: null };
    expect(renderVariant(POST, variant, FACTS).issues).toMatchObject([{ code: 'empty', variant: 'v' }]);
    expect(renderVariant({ ...POST, sp_text: '' }, { ...variant, spv_text: null }, FACTS).issues).toMatchObject([
      { code: 'empty', variant: null },
    ]);
  });

  it('sends a link card with title and image', () => {
    const sp_link = { url: 'https://example.com', title: 'T', description: null, image: 'f1' };
    const { media, issues } = renderVariant({ ...POST, sp_link, sp_utm: { source: 's' } }, null, FACTS);
    expect(issues).toEqual([]);
    expect(media).toEqual({
      kind: 'article',
      files: [],
      link: {
        source: 'https://example.com?utm_source=s',
        title: 'T',
        description: null,
        image: { file_id: 'f1', kind: 'image', alt: null, title: null, is_converted: false },
      },
    });
    expect(codesOf({ sp_link: { ...sp_link, title: null } })).toEqual(['missing_title']);
  });
});
