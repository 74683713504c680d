import { Album, MAX_DEPTH } from './album';

const album = (id: string): Album => Object.assign(new Album(), { album_id: id, album_parent: null });

describe('an album', () => {
  it('moves under another one and back to the top', () => {
    const child = album('b');
    child.moveUnder(album('a'), []);
    expect(child.album_parent).toBe('a');
    child.moveUnder(null, []);
    expect(child.album_parent).toBeNull();
  });

  it('never lies in itself or in an album below it', () => {
    expect(() => album('a').moveUnder(album('a'), [])).toThrow('can not lie in itself');
    expect(() => album('a').moveUnder(album('c'), ['b', 'a'])).toThrow('can not lie in itself');
  });

  it('nests only so deep', () => {
    const ancestors = Array.from({ length: MAX_DEPTH - 1 }, (_, level) => `level-${level}`);
    expect(() => album('a').moveUnder(album('b'), ancestors)).toThrow('levels deep');
    expect(() => album('a').moveUnder(album('b'), ancestors.slice(1))).not.toThrow();
  });
});
