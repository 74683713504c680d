import { fileIdsOf, partsToSend, titleOf } from './post-parts';

const FILE = { file_id: 'f1', alt: null, title: null };
const LINK = { url: 'https://example.com', title: 'A', description: null, image: 'f9' };
const OWN = { spv_text: null, spv_files: null, spv_link: null };

describe('what a variant sends', () => {
  it('is inherited where it has nothing of its own', () => {
    expect(partsToSend({ sp_text: 'a', sp_files: [FILE], sp_link: null }, OWN)).toEqual({ text: 'a', files: [FILE], link: null });
    expect(partsToSend({ sp_text: 'a', sp_files: [FILE], sp_link: null }, { ...OWN, spv_text: 'b', spv_files: [] })).toEqual({
      text: 'b',
      files: [],
      link: null,
    });
  });

  it('is its own link or its own files, in the place of what is inherited of the other kind', () => {
    expect(partsToSend({ sp_text: 'a', sp_files: [FILE], sp_link: null }, { ...OWN, spv_link: LINK })).toEqual({
      text: 'a',
      files: [],
      link: LINK,
    });
    expect(partsToSend({ sp_text: 'a', sp_files: [], sp_link: LINK }, { ...OWN, spv_files: [FILE] })).toEqual({
      text: 'a',
      files: [FILE],
      link: null,
    });
  });

  it('names each file once', () => {
    expect(fileIdsOf({ sp_files: [FILE], sp_link: LINK }, [{ ...OWN, spv_files: [FILE, { ...FILE, file_id: 'f2' }] }])).toEqual([
      'f1',
      'f2',
      'f9',
    ]);
  });
});

it('a post without a title is called by its first words', () => {
  expect(titleOf('  Our new lamp\nis here')).toBe('Our new lamp');
  expect(titleOf('')).toBe('Untitled post');
  expect(titleOf('word '.repeat(40))).toBe(`${'word '.repeat(12).trim()}…`);
  expect(titleOf('a'.repeat(80))).toBe(`${'a'.repeat(60)}…`);
});
