import { RefreshRaces } from './refresh-races';

describe('two requests with one refresh token', () => {
  it('race while the first is under way, and no longer once it has settled', () => {
    const races = new RefreshRaces(0);
    expect(races.isRace('a', 10)).toBe(false);
    races.beginRefresh('a');
    expect(races.isRace('a', 11)).toBe(true);
    races.endRefresh('a', true, 20);
    expect(races.isRace('a', 20)).toBe(true);
    expect(races.isRace('a', 20.1)).toBe(false);
    expect(races.isRaceElsewhere('a', 21, 0, 5_000)).toBe(false);
  });

  it('do not race with one that failed', () => {
    const races = new RefreshRaces(0);
    races.beginRefresh('a');
    races.endRefresh('a', false, 20);
    expect(races.isRace('a', 15)).toBe(false);
  });

  it('keep the time of the rotation when the token comes again', () => {
    const races = new RefreshRaces(0);
    races.beginRefresh('a');
    races.endRefresh('a', true, 20);
    races.beginRefresh('a');
    races.endRefresh('a', false, 30);
    expect(races.isRace('a', 19)).toBe(true);
    expect(races.isRace('a', 25)).toBe(false);
  });

  it('race across processes when the later one may have arrived before the other had settled', () => {
    const races = new RefreshRaces(0);
    expect(races.isRaceElsewhere('a', 100, 5, 110)).toBe(true);
    expect(races.isRaceElsewhere('a', 100, 11, 110)).toBe(false);
    expect(races.isRaceElsewhere('a', 100, -60_000, 110)).toBe(true);
  });

  it('race within the grace that was configured', () => {
    const races = new RefreshRaces(1_000);
    races.beginRefresh('a');
    races.endRefresh('a', true, 20);
    expect(races.isRace('a', 1_020)).toBe(true);
    expect(races.isRace('a', 1_021)).toBe(false);
    expect(races.isRaceElsewhere('b', 100, 900, 101)).toBe(true);
  });

  it('are remembered up to a bound', () => {
    const races = new RefreshRaces(0);
    for (let i = 0; i < 10_001; i++) races.beginRefresh(String(i));
    expect(races.isRace('0', 1)).toBe(false);
    expect(races.isRace('10000', 1)).toBe(true);
  });
});
