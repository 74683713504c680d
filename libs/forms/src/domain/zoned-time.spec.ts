import { zonedTime } from './zoned-time';

const utc = (local: string, zone: string) => {
  const time = zonedTime(Date.parse(`${local}Z`), zone);
  const iso = (at: number): string => new Date(at).toISOString().slice(0, 16);
  if (time === null) return null;
  return 'at' in time ? iso(time.at) : 'twice' in time ? ['twice', ...time.twice.map(iso)] : ['skipped', ...time.skipped.map(iso)];
};

describe('times of a zone', () => {
  it.each<[string, string, unknown]>([
    ['2026-07-31T14:30', 'UTC', '2026-07-31T14:30'],
    ['2026-07-31T14:30', 'Europe/Berlin', '2026-07-31T12:30'],
    ['2026-01-31T14:30', 'Europe/Berlin', '2026-01-31T13:30'],
    ['2026-07-31T14:30', 'Asia/Kolkata', '2026-07-31T09:00'],
    ['2026-07-31T00:15', 'Pacific/Auckland', '2026-07-30T12:15'],
    ['2025-10-26T02:30', 'Europe/Berlin', ['twice', '2025-10-26T00:30', '2025-10-26T01:30']],
    ['2025-10-26T01:59', 'Europe/Berlin', '2025-10-25T23:59'],
    ['2025-10-26T03:00', 'Europe/Berlin', '2025-10-26T02:00'],
    ['2026-03-29T02:30', 'Europe/Berlin', ['skipped', '2026-03-29T00:30', '2026-03-29T01:30']],
    ['2026-03-29T03:00', 'Europe/Berlin', '2026-03-29T01:00'],
    ['2026-11-01T01:30', 'America/New_York', ['twice', '2026-11-01T05:30', '2026-11-01T06:30']],
    ['2026-03-08T02:00', 'America/New_York', ['skipped', '2026-03-08T06:00', '2026-03-08T07:00']],
    ['2026-07-31T14:30', 'Mars/Olympus', null],
  ])('%s in %s is %j', (local, zone, expected) => {
    expect(utc(local, zone)).toEqual(expected);
  });
});
