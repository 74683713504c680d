import { monthsBefore } from './api-version';

it('looks for versions from last month downward, across the turn of the year', () => {
  const months = monthsBefore(new Date('2027-02-15T00:00:00Z'));
  expect(months.slice(0, 3)).toEqual(['202701', '202612', '202611']);
  expect(months).toHaveLength(12);
  expect(months[11]).toBe('202602');
});
