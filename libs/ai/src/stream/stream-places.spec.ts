import { MOST_OF_A_CALLER, MOST_OF_A_SUBJECT, StreamPlaces } from './stream-places';

describe('the places of streams', () => {
  it('are ten for a caller and thread; one that is given back twice counts once', () => {
    const places = new StreamPlaces();
    const free = Array.from({ length: MOST_OF_A_SUBJECT }, () => places.take('a', 't'));
    expect(() => places.take('a', 't')).toThrow('10 streams of this thread');
    expect(() => places.take('a', 't', 'agent')).toThrow('10 streams of this agent');
    places.take('b', 't');
    places.take('a', 'u');
    free[0]?.();
    free[0]?.();
    places.take('a', 't');
    expect(() => places.take('a', 't')).toThrow('10 streams of this thread');
  });

  it('are a hundred for a caller', () => {
    const places = new StreamPlaces();
    const free = Array.from({ length: MOST_OF_A_CALLER }, (_, at) => places.take('a', `t${at}`));
    expect(() => places.take('a', 'other')).toThrow('100 streams open');
    places.take('b', 'other');
    free[3]?.();
    places.take('a', 'other');
  });
});
