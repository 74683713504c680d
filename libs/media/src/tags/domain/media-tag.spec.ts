import { MediaTag } from './media-tag';
import { readTagMap, readTagName } from './tag-words';

const tag = (mt_id: string, mt_value = 'Harbour'): MediaTag =>
  Object.assign(new MediaTag(), { mt_id, mt_value, mt_synonyms: [], mt_parent: null });

describe('a tag', () => {
  it('keeps each synonym once, and none that is its value', () => {
    const harbour = tag('a');
    harbour.alsoCall([' Port ', 'PORT', 'harbour', 'Old   quay']);
    expect(harbour.mt_synonyms).toEqual(['Port', 'Old quay']);
    harbour.rename('port');
    expect([harbour.mt_value, harbour.mt_synonyms]).toEqual(['port', ['Old quay']]);
    expect(() => harbour.alsoCall(Array.from({ length: 21 }, (_, n) => `s${n}`))).toThrow('at most 20');
    expect(() => harbour.rename('a\u0000b')).toThrow('control characters');
  });

  it('is never below one of its descendants, and at most five levels deep', () => {
    expect(() => tag('a').placeUnder(tag('a'), [], 1)).toThrow('below itself');
    expect(() => tag('a').placeUnder(tag('c'), ['b', 'a'], 1)).toThrow('below itself');
    expect(() => tag('a').placeUnder(tag('b'), ['c', 'd', 'e'], 2)).toThrow('levels deep');
    const child = tag('a');
    child.placeUnder(tag('b'), ['c', 'd', 'e'], 1);
    expect(child.mt_parent).toBe('b');
  });
});

describe('tags as people write them', () => {
  it('are tidied and come together by their groups', () => {
    expect(readTagMap({ ' Place ': ['Old   town', ' Old town '], Season: [] }, 'tags')).toEqual({ Place: ['Old town'], Season: [] });
    expect(readTagName('Place:12:30', 'tag')).toEqual({ group: 'Place', value: '12:30' });
  });

  it.each([
    [{ 'a:b': ['x'] }, 'colon'],
    [{ a: 'x' }, 'list of values'],
    [{ a: [1] }, 'list of values'],
    [{ a: ['x'.repeat(121)] }, 'at most 120'],
    [{ ['g'.repeat(81)]: ['x'] }, 'at most 80'],
    [{ a: ['\u202e\u0007'] }, 'control'],
    [{ a: Array.from({ length: 501 }, (_, n) => `v${n}`) }, 'at most 500'],
  ])('are refused as %j', (sent, sentence) => {
    expect(() => readTagMap(sent, 'tags')).toThrow(sentence);
  });
});
