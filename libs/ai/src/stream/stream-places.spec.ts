import { MOST_OF_A_CALLER, MOST_OF_A_SUBJECT, StreamPlaces } from './stream-places';

describe('the places of streams', () => {
  it('are ten for a caller and thread; one that is given back twice counts once', () => {
    const places = new StreamPlaces();
    const free = Array.from({ length: MOST_OF_A_SUBJECT }, () => places.takePlace('a', 't'));
    expect(() => places.takePlace('a', 't')).toThrow('10 streams of this thread');
    expect(() => places.takePlace('a', 't', 'agent')).toThrow('10 streams of this agent');
    places.takePlace('b', 't');
    places.takePlace('a', 'u');
    free[0]?.();
    free[0]?.();
    places.takePlace('a', 't');
    expect(() => places.takePlace('a', 't')).toThrow('10 streams of this thread');
  });

  it('are a hundred for a caller', () => {
    const places = new StreamPlaces();
    const free = Array.from({ length: MOST_OF_A_CALLER }, (_, at) => places.takePlace('a', `t${at}`));
    expect(() => places.takePlace('a', 'other')).toThrow('100 streams open');
    places.takePlace('b', 'other');
    free[3]?.();
    places.takePlace('a', 'other');
  });
});
