import { Album, MAX_DEPTH } from './album';

const album = (id: string, path: readonly string[] = []): Album =>
  Object.assign(new Album(), { album_id: id, album_parent: path.at(-1) ?? null, album_path_ids: path, album_smart: false });

describe('an album', () => {
  it('moves under another one and back to the top', () => {
    const child = album('b');
    child.moveUnder(album('a'), 0);
    expect(child.album_parent).toBe('a');
    child.moveUnder(null, 0);
    expect(child.album_parent).toBeNull();
  });

  it('is never in itself or in an album below it', () => {
    expect(() => album('a').moveUnder(album('a'), 0)).toThrow('cannot be moved into itself');
    expect(() => album('a').moveUnder(album('c', ['a', 'b']), 2)).toThrow('cannot be moved into itself');
  });

  it('nests only so deep, the albums below it counted', () => {
    const path = Array.from({ length: MAX_DEPTH - 1 }, (_, level) => `level-${level}`);
    expect(() => album('a').moveUnder(album('b', path), 0)).toThrow('levels deep');
    expect(() => album('a').moveUnder(album('b', path.slice(1)), 0)).not.toThrow();
    expect(() => album('a').moveUnder(album('b', path.slice(1)), 1)).toThrow('levels deep');
  });

  it('takes files when it is curated, a search when it is smart', () => {
    expect(() => album('a').assertCurated()).not.toThrow();
    expect(() => album('a').assertSmart()).toThrow('curated');
    expect(() => Object.assign(album('a'), { album_smart: true }).assertCurated()).toThrow('saved search');
  });
});
