import { checkMedia, planMedia, type PostedFile } from './media-rules';
import { LINKEDIN_LIMITS } from './platforms';

const file = (wish: Partial<PostedFile> = {}): PostedFile => ({
  file_id: 'f1',
  name: 'a.jpg',
  type: 'image/jpeg',
  size: 100_000,
  width: 100,
  height: 100,
  seconds: null,
  pages: null,
  alt: 'A lamp.',
  title: null,
  ...wish,
});
const MP4 = file({ type: 'video/mp4', size: 30_000_000, seconds: 20 });
const PDF = file({ type: 'application/pdf', title: 'Report', pages: 20 });
const codes = (files: readonly PostedFile[], hasLink = false) => checkMedia(files, hasLink, LINKEDIN_LIMITS).map(({ code }) => code);

describe('the media of a post', () => {
  it.each<[string, readonly PostedFile[], boolean, readonly string[]]>([
    ['twenty images', Array.from({ length: 20 }, () => file()), false, []],
    ['twenty-one images', Array.from({ length: 21 }, () => file()), false, ['too_many_files']],
    ['an image and a video', [file(), MP4], false, ['mixed_media']],
    ['two videos', [MP4, MP4], false, ['mixed_media']],
    ['a file and a link card', [file()], true, ['mixed_media']],
    ['a document without a title', [{ ...PDF, title: null }], false, ['missing_title']],
    ['a document of 301 pages', [{ ...PDF, pages: 301 }], false, ['too_many_pages']],
    ['an svg', [file({ type: 'image/svg+xml' })], false, ['unsupported_type']],
    ['an image without alternative text', [file({ alt: null })], false, ['missing_alt']],
    ['a heic', [file({ type: 'image/heic' })], false, ['converted']],
    ['60 megapixels', [file({ width: 10_000, height: 6_000 })], false, ['converted']],
    ['a video of two seconds', [{ ...MP4, seconds: 2 }], false, ['duration']],
    ['a video of 74 KB', [{ ...MP4, size: 74 * 1024 }], false, ['too_small']],
    ['a video of more than 500 MB', [{ ...MP4, size: 500 * 1024 * 1024 + 1 }], false, ['too_large']],
  ])('%s', (_, files, hasLink, expected) => expect(codes(files, hasLink)).toEqual(expected));

  it('is planned in its order', () => {
    const plan = planMedia([file({ file_id: 'b' }), file({ file_id: 'a', type: 'image/png' })], LINKEDIN_LIMITS);
    expect(plan).toEqual({
      kind: 'images',
      files: [
        { file_id: 'b', kind: 'image', alt: 'A lamp.', title: null, is_converted: false },
        { file_id: 'a', kind: 'image', alt: 'A lamp.', title: null, is_converted: true },
      ],
      link: null,
    });
    expect(planMedia([PDF], LINKEDIN_LIMITS)).toMatchObject({ kind: 'document', files: [{ title: 'Report' }] });
    expect(planMedia([], LINKEDIN_LIMITS).kind).toBe('none');
  });
});
